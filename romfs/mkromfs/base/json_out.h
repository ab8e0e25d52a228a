/* json_out.h -- JSON text as the image stores it (SK-V-41). */
#ifndef MKROMFS_JSON_OUT_H
#define MKROMFS_JSON_OUT_H

#include <stddef.h>

#include "base/buf.h"

/* Adds a quoted JSON string. Only ", \ and U+0000-U+001F are escaped; the rest, which the caller has checked to be
 * valid UTF-8, is copied. */
void json_string(struct buf *b, const char *text, size_t n);

/* Likewise without the quotes: the inside of a JSON string. */
void json_inside(struct buf *b, const char *text, size_t n);

/* A JSON string as a fresh C string, quotes included. */
char *json_quoted(const char *text, size_t n);

#endif
