/* verify.h -- everything about an image that mounting leaves unread. */
#ifndef MKROMFS_VERIFY_H
#define MKROMFS_VERIFY_H

#include <stdio.h>

#include "romfs.h"

/* Reads all of a mounted image: the image's digest, each file's content against its digest, CRC, size, escaped size
 * and text flag, each skill's records against the files below it and against its archives. Prints each problem as a
 * line `name: ...` on out; returns how many there were. */
unsigned verify_image(const struct romfs *fs, const char *name, FILE *out);

/* ---- What verify.c and verify_skill.c share ---- */

struct verify {
    const struct romfs *fs;
    const char *name;
    FILE *out;
    unsigned problems;
};

/* A line about the file or skill at `path`, or, when that is empty, about the image. */
void verify_problem(struct verify *v, struct romfs_text path, const char *what);

void verify_skill(struct verify *v, uint32_t index);

#endif
