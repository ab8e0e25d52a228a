/* fix_text.h -- the steps of fix_text(). Each returns true when it has changed something. */
#ifndef MKROMFS_FIX_TEXT_H
#define MKROMFS_FIX_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/yaml.h"

/* The frontmatter of a text; NULL when it cannot be read. */
struct node *fix_parse(const struct buf *text);

/* "My_Skill" as "my-skill"; NULL when that gives no valid name. */
char *fix_name_of(const char *name);

bool fix_mark(struct buf *text);      /* a byte-order mark is removed */
bool fix_line_ends(struct buf *text); /* CR LF becomes LF */
bool fix_fences(struct buf *text);    /* "--- " becomes "---" */
bool fix_json(struct buf *text);      /* frontmatter in JSON, with fences or without, becomes YAML */
bool fix_colons(struct buf *text);    /* a value that contains ": " gets quotes, if nothing can be read without */
bool fix_quotes(struct buf *text);    /* text that YAML takes for something else gets quotes */
bool fix_name(struct buf *text);      /* the name becomes a valid one */

#endif
