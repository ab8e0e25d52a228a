/* deflate.h -- compress a file for a device with a small window. */
#ifndef MKROMFS_DEFLATE_H
#define MKROMFS_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Adds one raw deflate stream of the n bytes to out, in which no match reaches
 * back further than `window` bytes, a power of two from 256 to 32768. False, and
 * nothing added, when that would not be smaller than n. */
bool deflate_raw(const uint8_t *bytes, size_t n, size_t window, struct buf *out);

/* True when the stream ends with a sync flush and an empty final block, so that all but
 * its last two bytes can be a part of a longer stream. What deflate_raw adds always does. */
bool deflate_can_be_spliced(const uint8_t *stream, size_t n);

/* The smallest window a reader of that stream needs. */
size_t deflate_window(size_t n, size_t window);

#endif
