/* entry.h -- the JSON that describes a skill (SK-A-04, SK-A-05), and the URI
 * templates that describe them all (SK-W-10). */
#ifndef MKROMFS_ENTRY_H
#define MKROMFS_ENTRY_H

#include "buf.h"
#include "model.h"
#include "tree.h"

/* One member of an entry's `resources`. Returns where in b the path starts. */
size_t entry_resource(struct buf *b, const char *base, size_t base_len, const char *path, size_t path_len,
                      const uint8_t *digest, size_t size);

/* The whole entry of a skill. path_at[i] becomes the place in b where the path
 * of files[i] starts; it is left alone for directories. */
void entry_write(struct buf *b, const struct device *device, const struct skill *skill,
                 const struct tree *tree, size_t *path_at);

/* ResourceTemplate objects with commas between: any file, and the SKILL.md files
 * of each prefix that listed skills use. Nothing when there are no skills. */
void entry_templates(struct buf *b, const struct device *device);

#endif
