/* verify.h -- everything about an image that mounting leaves unread. */
#ifndef MKROMFS_VERIFY_H
#define MKROMFS_VERIFY_H

#include <stdio.h>

#include "romfs.h"

/* Reads all of a mounted image: the image's digest, each file's content against
 * its digest, size, escaped size and text flag, each skill's entry against the
 * files below it. Each problem is a line `name: ...` on out; returns how many. */
unsigned verify_image(const struct romfs *fs, const char *name, FILE *out);

#endif
