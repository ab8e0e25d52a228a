/* sample.h -- a small device that has one of everything, for tests.
 *
 * Its image is built in memory by the image compiler's own functions; its tools and
 * resources do the awkward things that firmware may do: too much output, bytes that
 * are no UTF-8, wishes the client cannot grant. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "base/buf.h"
#include "skillrom.h"

/* The image, the same bytes each time. Files are deflated where that helps when
 * window is not 0. */
struct buf sample_image(size_t window);

/* The same with texts that are not escaped. */
struct buf sample_image_raw_text(void);

/* Tools and resources to go with it. */
extern const struct skr_device sample_device;

/* The content of alpha/data/all.txt: every ASCII character but NUL, and characters of
 * two, three and four bytes. Of alpha/data/bytes.bin: every byte. Of alpha/long.txt:
 * text that deflates well. */
struct skr_span sample_all_text(void);
struct skr_span sample_bytes(void);
struct skr_span sample_long_text(void);

/* A copy of n bytes in a heap block of exactly n bytes, so that the address sanitizer
 * sees the first read after it. To be freed. */
char *sample_exact_copy(const void *bytes, size_t n);

#endif
