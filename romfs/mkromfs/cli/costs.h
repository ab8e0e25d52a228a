/* costs.h -- the table of `skillrom lint --budget`. */
#ifndef MKROMFS_COSTS_H
#define MKROMFS_COSTS_H

#include <stdio.h>

#include "image/model.h"
#include "romfs.h"

/* For people: what is loaded always, with each skill, and with each file; in tokens, bytes and seconds. */
void costs_print(FILE *out, const struct romfs *fs, const struct device *device);

/* Prints these numbers as one JSON object on a line. */
void costs_print_json(FILE *out, const struct romfs *fs, const struct device *device);

#endif
