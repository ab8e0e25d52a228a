/* frontmatter.h -- the YAML between two '---' lines, and the text after it. */
#ifndef MKROMFS_FRONTMATTER_H
#define MKROMFS_FRONTMATTER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check.h"
#include "base/yaml.h"

/* A file cut at its fences. */
struct fenced {
    char *yaml; /* what lies between them, line ends as LF */
    size_t yaml_size;
    size_t body;         /* offset in the file after the closing fence line */
    unsigned close_line; /* the line of the closing fence */
};

/* SK-V-20: reports and returns false unless the bytes are UTF-8 without BOM and NUL. */
bool frontmatter_check_text(const struct check *c, const char *text, size_t size);

/* SK-V-21..24: false, after a message, when there are no two fences. */
bool frontmatter_split(const struct check *c, const char *text, size_t size, struct fenced *out);

/* SK-V-30..33, SK-V-36, SK-V-37: the mapping, or NULL when there is none to use. */
struct node *frontmatter_parse(const struct check *c, const struct fenced *fenced);

/* SK-V-34, SK-V-35, SK-V-38..41: the mapping as one compact JSON object. Values that parsers read differently are
 * reported. */
char *frontmatter_json(const struct check *c, const struct node *root);

#endif
