/* buf.h -- a growable byte buffer, and allocation that ends the program instead of failing.
 *
 * Only for the host tool. A buf starts as all zeros; p is NULL until something
 * was added. Nothing here is freed: the tool runs once over a small input. */
#ifndef MKROMFS_BUF_H
#define MKROMFS_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
    uint8_t *p;
    size_t n, cap;
};

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_puts(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The content as a C string: a NUL is added that does not count in n. */
char *buf_str(struct buf *b);

/* Reports that n bytes cannot be allocated, and ends the program. */
void out_of_memory(size_t n) __attribute__((noreturn));

void *xmalloc(size_t n);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t n);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

#endif
