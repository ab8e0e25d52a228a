/* render.c -- frontmatter as JSON: every field the author wrote, nothing else.
 *
 * A host parses the SKILL.md it was served and refuses the skill if that differs from this JSON. So keys keep their
 * order and spelling, strings are exactly the YAML values, and any value on which YAML parsers differ is reported. */
#include <string.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "base/scalar.h"
#include "load/frontmatter.h"

static void render_node(const struct check *c, struct buf *b, const struct node *node, const char *top_key);

/* A value of metadata that is not a string was reported with SK-V-57: one finding for one mistake. */
static void render_plain(const struct check *c, struct buf *b, const struct node *node, const char *top_key)
{
    bool core_string = scalar_core_type(node->text) == SCALAR_STRING;
    bool reported = !core_string && top_key != NULL && strcmp(top_key, "metadata") == 0;
    const char *shown = excerpt_str(node->text);

    if (core_string && !c->strict) {
        check_report(c, LEVEL_W, node->at, "SK-V-40", "parsers disagree on this value: '%s'; quote it", shown);
    } else if (!reported && node->len == 0) {
        check_report(c, LEVEL_L, node->at, "SK-V-35", "an empty value is not a string in YAML; write \"\"");
    } else if (!reported) {
        check_report(c, LEVEL_L, node->at, "SK-V-35", "'%s' is not a string in YAML; write \"%s\"", shown, shown);
    }
    if (core_string) {
        json_string(b, node->text, node->len);
        return;
    }
    const char *why = scalar_core_json(b, node->text);
    if (why) {
        check_report(c, LEVEL_E, node->at, "SK-V-40", "'%s' %s", shown, why);
        buf_puts(b, "null");
    }
}

static void render_mapping(const struct check *c, struct buf *b, const struct node *node, const char *top_key)
{
    buf_puts(b, "{");
    for (size_t i = 0; i + 1 < node->count; i += 2) {
        const struct node *key = node->items[i];
        buf_puts(b, i ? "," : "");
        json_string(b, key->text, key->len);
        buf_puts(b, ":");
        render_node(c, b, node->items[i + 1], top_key ? top_key : key->text);
    }
    buf_puts(b, "}");
}

/* top_key: the field this value belongs to; NULL for the frontmatter itself. */
static void render_node(const struct check *c, struct buf *b, const struct node *node, const char *top_key)
{
    if (node->kind == NODE_SCALAR) {
        if (node->plain && !scalar_always_string(node->text)) {
            render_plain(c, b, node, top_key);
        } else {
            json_string(b, node->text, node->len);
        }
        return;
    }
    if (node->flow) {
        check_report(c, LEVEL_L, node->at, "SK-V-34", "write this in block style, not as %s",
                     node->kind == NODE_MAPPING ? "{..}" : "[..]");
    }
    if (c->strict && top_key && (node->kind == NODE_SEQUENCE || strcmp(top_key, "metadata") != 0)) {
        check_report(c, LEVEL_E, node->at, "SK-V-40", "the value of '%s' must be text", excerpt_str(top_key));
    }
    if (node->kind == NODE_MAPPING) {
        render_mapping(c, b, node, top_key);
        return;
    }
    buf_puts(b, "[");
    for (size_t i = 0; i < node->count; i++) {
        buf_puts(b, i ? "," : "");
        render_node(c, b, node->items[i], top_key ? top_key : "");
    }
    buf_puts(b, "]");
}

char *frontmatter_json(const struct check *c, const struct node *root)
{
    struct buf b = {0};

    render_node(c, &b, root, NULL);
    return buf_str(&b);
}
