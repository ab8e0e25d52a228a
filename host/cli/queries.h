/* queries.h -- a file of questions with the skill that each should find.
 *
 *     # what people ask
 *     daily-check         is the pump ready for the first dose?
 *     pump/clear-fault    line 4 shows E21
 *
 * The first word is the path of a skill, or its name; the rest is the question. */
#ifndef MKROMFS_QUERIES_H
#define MKROMFS_QUERIES_H

#include <stdio.h>

#include "base/check.h"
#include "image/model.h"

#define QUERIES_FILE "queries.txt" /* in the folder of a device or of skills */

struct queries_count {
    size_t asked, hits;
};

/* Ranks the skills for each question of the file. A question that finds another skill is a warning; an error is a file that cannot
 * be read, a skill that there is not, a skill that none of its questions finds, and too few hits in all: fewer than the budget
 * queryHits of device.json, or 75 per cent (SK-T-04). Prints the pairs that are confused and the skills without a question to
 * `out`. */
void queries_run(const struct check *c, const char *path, const struct device *device, FILE *out,
                 struct queries_count *count);

#endif
