/* yaml.h -- a YAML or JSON text as a tree that remembers the position of everything.
 *
 * libfyaml does the parsing; this keeps what the rules ask about and a plain
 * document API would lose: the style of each value, its line and column, keys
 * given twice, anchors and tags. */
#ifndef MKROMFS_YAML_H
#define MKROMFS_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/names.h"

enum node_kind { NODE_SCALAR, NODE_SEQUENCE, NODE_MAPPING };

struct node {
    enum node_kind kind;
    struct pos at;
    bool plain; /* scalar without quotes, not a block scalar */
    bool flow;  /* collection in {} or [] */
    char *text; /* scalar: the value, escapes and folding resolved, with a NUL */
    size_t len;
    struct node **items; /* sequence: the items; mapping: key, value, key, value */
    size_t count;        /* of items */
    struct names keys;   /* of a mapping with many: the number of each key among the items, from 1 */
};

enum yaml_mode {
    YAML_FRONTMATTER, /* YAML 1.2 in the profile of SK-V-30..37 */
    YAML_JSON,        /* strict JSON */
};

/* Parses a text that starts on line first_line of the checked file. NULL when it is unusable, which has then been
 * reported. Findings that leave a usable tree (a key given twice, an anchor, a tab) are reported and the tree is
 * returned. In it a mapping has each key once, the first. */
struct node *yaml_parse(const struct check *c, const char *text, size_t size, unsigned first_line, enum yaml_mode mode);

void yaml_free(struct node *node);

/* The number of a key among the items of a mapping, from 0; mapping->count if it is missing. */
size_t yaml_find_key(const struct node *mapping, const char *key, size_t n);

/* Adds the latest key to the table of keys, if the mapping has many. To be called after each value. */
void yaml_keep_keys(struct node *mapping);

/* The value of a key; NULL when there is none. at_key, if not NULL, gets the key. */
const struct node *yaml_member(const struct node *mapping, const char *key, const struct node **at_key);

/* A scalar that YAML 1.2 and JSON both take as text. */
bool yaml_is_string(const struct node *node);

/* True for a scalar whose text is exactly this. */
bool yaml_text_is(const struct node *node, const char *text);

#endif
