/* bytes.h -- growing byte strings for the wire tests. They may hold NUL; a NUL that is
 * not counted always follows, so text in them can be printed. */
#ifndef WIRE_BYTES_H
#define WIRE_BYTES_H

#include <stdbool.h>
#include <stddef.h>

struct bytes {
    char *p;
    size_t n;
    size_t room;
};

void bytes_add(struct bytes *b, const void *from, size_t n);
void bytes_text(struct bytes *b, const char *text);
void bytes_number(struct bytes *b, size_t value);
void bytes_clear(struct bytes *b);
void bytes_free(struct bytes *b);
bool bytes_equal(const struct bytes *a, const struct bytes *b);

/* Takes the first n bytes away. */
void bytes_drop(struct bytes *b, size_t n);

/* An expectation: bytes, some of which may be "anything, of any length". */
struct pattern {
    short *item; /* 0 to 255: this byte; PATTERN_ANY: any run of bytes */
    size_t n;
    size_t room;
};

#define PATTERN_ANY (-1)

/* Adds text; where `wild` is set, three dots in it stand for anything. */
void pattern_add(struct pattern *p, const char *text, size_t n, bool wild);
bool pattern_matches(const struct pattern *p, const char *text, size_t n);
void pattern_free(struct pattern *p);

/* How many bytes of text agree with the pattern before its first wild part or difference. */
size_t pattern_common(const struct pattern *p, const char *text, size_t n);

#endif
