/* rules.h -- the rules a skill must pass, grouped by what they check. All findings go to the
 * check's diag; none of these stops at the first one. */
#ifndef MKROMFS_RULES_H
#define MKROMFS_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check.h"
#include "base/scan.h"
#include "base/yaml.h"
#include "image/model.h"
#include "load/frontmatter.h"

/* SK-V-50..59: the fields of the frontmatter. */
void rules_fields(const struct check *c, const struct node *root);

/* SK-V-51, SK-V-52 as a predicate. */
bool rules_name_is_valid(const struct node *name);

/* SK-V-14, SK-V-25: the text after the frontmatter. */
void rules_body(const struct check *c, const char *text, size_t size, const struct fenced *fenced);

/* SK-V-15: relative links of SKILL.md, against the files of the skill. */
void rules_links(const struct check *c, const char *text, size_t size, size_t body, const struct skill *skill);

/* Sentences that `skillrom new` wrote for the author to replace. */
void rules_new(const struct check *c, const struct skill *skill);

/* SK-V-06..09, SK-V-13: what is in an outermost skill's directory. */
void rules_files(const struct check *c, const struct disk_entry *dir);

/* SK-V-07, SK-V-09, SK-V-10: a directory above skills. `first`: it becomes the URI authority. */
void rules_prefix(const struct check *c, const struct disk_entry *dir, bool first);

/* SK-V-10: names that end like the archives of skills. Also for directories inside a skill. */
void rules_archive_name(const struct check *c, const struct disk_entry *dir);

/* SK-V-16. git cannot check out such a file on Windows, and nobody can unpack it there. */
void rules_windows_name(const struct check *c, const char *name);

/* SK-V-11, SK-V-12. `bytes` counts what is on disk, read or not. */
void rules_size(const struct check *c, size_t files, uint64_t bytes);

/* SK-B-07: a skill whose files no archive can hold has none. An error only if it requests them. */
void rules_archive_paths(const struct check *c, struct skill *skill);

/* SK-V-07 as a predicate. */
bool rules_segment_is_legal(const char *name, size_t n);

#endif
