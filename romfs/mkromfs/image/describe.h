/* describe.h -- what a file of a skill is to the dialects: its kind (SK-F-03) and a
 * sentence about it (SK-F-04). */
#ifndef MKROMFS_DESCRIBE_H
#define MKROMFS_DESCRIBE_H

#include "image/model.h"
#include "romfs.h"

enum romfs_file_kind describe_kind(const struct source *file);

/* What the author says about it; failing that, its first Markdown heading; failing that, its path. */
char *describe_about(const struct source *file);

#endif
