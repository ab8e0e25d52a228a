/* utf8.h -- the few questions about UTF-8 that the checks ask. */
#ifndef MKROMFS_UTF8_H
#define MKROMFS_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads one character of at most n bytes. Returns its width; 0 when the bytes are not well-formed UTF-8 (overlong,
 * surrogate, cut off, above U+10FFFF). */
size_t utf8_decode(const char *text, size_t n, uint32_t *c);

/* Offset of the first byte that is not UTF-8; n if there is none. */
size_t utf8_bad_offset(const char *text, size_t n);

/* C0, DEL and C1. */
bool utf8_is_control(uint32_t c);

/* Length in UTF-16 units, the longer of the two ways libraries count characters. */
size_t utf8_units(const char *text, size_t n);

/* How many of the first `most` bytes to keep so that no character is cut in two. */
size_t utf8_clip(const char *text, size_t n, size_t most);

/* Where an offset lies in a text: both count from 1, columns in characters. */
struct pos {
    unsigned line, col;
};

struct pos utf8_pos(const char *text, size_t offset);

/* Likewise for a text that begins at `at`. */
struct pos utf8_pos_from(struct pos at, const char *text, size_t offset);

#endif
