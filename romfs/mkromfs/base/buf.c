/* buf.c -- the growable buffer and the allocation helpers of the host tool. When memory runs
 * out, it says so and stops. */
#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/screen.h"

void out_of_memory(size_t n)
{
    screen_error("out of memory (wanted %zu bytes)", n);
    exit(1);
}

void *xmalloc(size_t n)
{
    return xrealloc(NULL, n);
}

void *xrealloc(void *p, size_t n)
{
    void *moved = realloc(p, n ? n : 1);

    if (!moved) {
        out_of_memory(n);
    }
    return moved;
}

char *xstrndup(const char *text, size_t n)
{
    char *copy = xmalloc(n + 1);

    if (n) {
        memcpy(copy, text, n);
    }
    copy[n] = '\0';
    return copy;
}

char *xstrdup(const char *text)
{
    return xstrndup(text, strlen(text));
}

char *xvasprintf(const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) {
        out_of_memory(0);
    }
    char *text = xmalloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

char *xasprintf(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = xvasprintf(format, args);
    va_end(args);
    return text;
}

static void buf_reserve(struct buf *b, size_t more)
{
    if (more > SIZE_MAX / 2 - b->n) {
        out_of_memory(more);
    }
    if (b->n + more <= b->cap) {
        return;
    }
    size_t cap = b->cap ? b->cap : 64;
    while (cap < b->n + more) {
        cap *= 2;
    }
    b->p = xrealloc(b->p, cap);
    b->cap = cap;
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
    if (n == 0) {
        return;
    }
    buf_reserve(b, n);
    memcpy(b->p + b->n, bytes, n);
    b->n += n;
}

void buf_puts(struct buf *b, const char *text)
{
    buf_add(b, text, strlen(text));
}

void buf_printf(struct buf *b, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    char *text = xvasprintf(format, args);
    va_end(args);
    buf_puts(b, text);
    free(text);
}

char *buf_str(struct buf *b)
{
    buf_reserve(b, 1);
    b->p[b->n] = '\0';
    return (char *)b->p;
}
