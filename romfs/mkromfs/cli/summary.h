/* summary.h -- what an image holds and what it costs, for a person or a program to read. */
#ifndef MKROMFS_SUMMARY_H
#define MKROMFS_SUMMARY_H

#include <stdio.h>

#include "release.h"
#include "romfs.h"

/* Skills, files, bytes in and stored, tables, the largest files, build id. */
void summary_print(FILE *out, const struct romfs *fs);

/* Likewise, and the device's name, tools, prompts and skills. */
void summary_print_all(FILE *out, const struct romfs *fs);

/* That as one JSON object on a line, with the fields of its release unless that is NULL. */
void summary_print_json(FILE *out, const struct romfs *fs, const struct romfs_release *release);

/* ---- What summary.c and its neighbours share ---- */

/* The part of it about skills, one by one. */
void summary_print_skills(FILE *out, const struct romfs *fs);

struct summary_totals {
    uint32_t files;
    uint32_t deflated;
    uint64_t content; /* bytes of all files */
    uint64_t stored;  /* the data area: content once each, compressed, padded */
};

struct summary_totals summary_count(const struct romfs *fs);

#endif
