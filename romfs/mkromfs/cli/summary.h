/* summary.h -- what an image holds and what it costs, for a person to read. */
#ifndef MKROMFS_SUMMARY_H
#define MKROMFS_SUMMARY_H

#include <stdio.h>

#include "romfs.h"

/* Skills, files, bytes in and stored, tables, the largest files, build id. */
void summary_print(FILE *out, const struct romfs *fs);

/* The same, and what the device is: its name, tools, prompts, skills. */
void summary_print_all(FILE *out, const struct romfs *fs);

/* The part of it about skills, one by one. */
void summary_print_skills(FILE *out, const struct romfs *fs);

#endif
