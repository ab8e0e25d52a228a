/* fix_text.h -- the steps of fix_text(). Each returns true when it has changed something. */
#ifndef MKROMFS_FIX_TEXT_H
#define MKROMFS_FIX_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/yaml.h"

/* The frontmatter of a text; NULL when it cannot be read. */
struct node *fix_parse(const struct buf *text);

/* True when both have the same values, whatever their style. */
bool fix_same(const struct node *a, const struct node *b);

/* The offset of a place; the size of the text if there is none. */
size_t fix_offset(const struct buf *text, struct pos at);

/* n bytes at `at` become a text. */
void fix_replace(struct buf *text, size_t at, size_t n, const char *by);

/* A key as YAML has it: with quotes only if it needs them. */
const char *fix_key(const struct node *key);

/* The JSON of a value, in single quotes. Values below metadata may become that, unless their key is one of ours that has
 * a grammar of its own. */
char *fix_json_text(const struct node *value);
bool fix_may_be_json(const struct node *key);

/* "My_Skill" as "my-skill"; NULL when that gives no valid name. */
char *fix_name_of(const char *name);

bool fix_bom(struct buf *text);       /* a byte-order mark is removed */
bool fix_line_ends(struct buf *text); /* CR LF becomes LF */
bool fix_fences(struct buf *text);    /* "--- " becomes "---" */
bool fix_json(struct buf *text);      /* frontmatter in JSON, with fences or without, becomes YAML */
bool fix_values(struct buf *text);    /* a value that YAML cannot read, as one with ": ", gets quotes */
bool fix_quotes(struct buf *text);    /* text that YAML takes for something else gets quotes */
bool fix_name(struct buf *text);      /* the name becomes a valid one */

/* Values below metadata that are not text become text that holds their JSON. A line "4: metadata 'x' has ..." is added to
 * `left` for each that stays. */
bool fix_metadata(struct buf *text, struct buf *left);

/* True when each value below metadata is still the same, or its JSON. */
bool fix_metadata_kept(const struct node *before, const struct node *after);

#endif
