/* queries.h -- a file of queries with the skill that each should find.
 *
 *     # queries of users
 *     daily-check         is the pump ready for the first dose?
 *     pump/clear-fault    line 4 shows E21
 *
 * The first word is the path of a skill, or its name; the rest is the query. */
#ifndef MKROMFS_QUERIES_H
#define MKROMFS_QUERIES_H

#include <stdio.h>

#include "base/check.h"
#include "image/model.h"

#define QUERIES_FILE "queries.txt" /* in the folder of a device or of skills */

struct queries_count {
    size_t total, hits;
};

/* Ranks the skills for each query of the file. A query that finds another skill is a warning; errors are a file that cannot
 * be read, an unknown skill, a skill that none of its queries finds, and too few hits in total: fewer than the budget
 * queryHits of device.json, or 75% (SK-T-04). Prints the pairs that are confused and the skills without a query to
 * `out`. */
void queries_run(const struct check *c, const char *path, const struct device *device, FILE *out,
                 struct queries_count *count);

#endif
