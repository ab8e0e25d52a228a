/* entry.h -- the JSON that describes a skill (SK-A-04, SK-A-05, SK-X-01), and the URI
 * templates that describe them all (SK-W-10). */
#ifndef MKROMFS_ENTRY_H
#define MKROMFS_ENTRY_H

#include "base/buf.h"
#include "image/model.h"
#include "image/tree.h"
#include "romfs.h"

/* One member of an entry's `resources`. Returns where in b the path starts. */
size_t entry_resource(struct buf *b, const char *base, size_t base_len, const char *path, size_t path_len,
                      const uint8_t *digest, size_t size);

/* Where the parts of an entry are, from its start. */
struct entry_parts {
    struct romfs_text frontmatter, resources, lean, prompt;
    size_t *path_at; /* for each of the skill's files: where its path starts; not set for directories */
};

/* The whole entry of a skill, one object for all dialects (SK-X-01). b must be empty. */
void entry_write(struct buf *b, const struct device *device, const struct skill *skill, const struct tree *tree,
                 struct entry_parts *parts);

/* ResourceTemplate objects with commas between: any file, and the SKILL.md files
 * of each prefix that listed skills use. Nothing when there are no skills. */
void entry_templates(struct buf *b, const struct device *device);

/* Those of them that device.json describes, as entries of the index (SK-X-09). */
void entry_index_templates(struct buf *b, const struct device *device);

/* The Tool objects of list_skills and read_skill, which the server implements itself. */
extern const char entry_list_skills[], entry_read_skill[];

#endif
