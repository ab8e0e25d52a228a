/* interface.c -- what a program that was built with tools.h relies on, as one text for each tool and resource, and its
 * digest. Image and tools.h carry the digests, so that a program can refuse an image of other tools.
 *
 * romfs/FORMAT.md specifies the texts. They are canonical JSON: a change of words for people, or of the order of members,
 * is not a change of the interface. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "load/load.h"
#include "romfs.h"
#include "sha256.h"

/* A member of an object, for sorting. */
struct member {
    const struct node *key, *value;
};

static int by_key(const void *a, const void *b)
{
    const struct member *x = a, *y = b;

    return strcmp(x->key->text, y->key->text);
}

/* Keywords of a schema that only people and models read. */
static bool is_remark(const struct node *keyword)
{
    static const char *const remarks[] = {"title",      "description", "examples", "$comment",
                                          "deprecated", "readOnly",    "writeOnly"};

    for (size_t i = 0; i < sizeof remarks / sizeof remarks[0]; i++) {
        if (yaml_text_is(keyword, remarks[i])) {
            return true;
        }
    }
    return false;
}

enum part { PLAIN, SCHEMA, PROPERTIES };

/* What the value of this keyword is. */
static enum part part_of(enum part outer, const struct node *key)
{
    if (outer != SCHEMA) {
        return outer == PROPERTIES ? SCHEMA : PLAIN;
    }
    return yaml_text_is(key, "properties") ? PROPERTIES : yaml_text_is(key, "items") ? SCHEMA : PLAIN;
}

/* An object with its members in byte order of their names, without remarks if it is a schema; any other value as it is. */
static void write_sorted(struct buf *out, const struct node *node, enum part part)
{
    struct member *members = xmalloc((node->count / 2 + 1) * sizeof *members);
    size_t count = 0;

    if (node->kind != NODE_MAPPING) {
        load_json_compact(out, node);
        return;
    }
    for (size_t i = 0; i + 1 < node->count; i += 2) {
        if (part != SCHEMA || !is_remark(node->items[i])) {
            members[count++] = (struct member){node->items[i], node->items[i + 1]};
        }
    }
    qsort(members, count, sizeof *members, by_key);
    buf_puts(out, "{");
    for (size_t i = 0; i < count; i++) {
        buf_puts(out, i > 0 ? "," : "");
        load_json_compact(out, members[i].key);
        buf_puts(out, ":");
        write_sorted(out, members[i].value, part_of(part, members[i].key));
    }
    buf_puts(out, "}");
}

static void write_member(struct buf *out, const struct tool *tool, const char *name, enum part part)
{
    const struct node *value = yaml_member(tool->root, name, NULL);

    if (value != NULL) {
        buf_printf(out, ",\"%s\":", name);
        write_sorted(out, value, part);
    }
}

static void write_tool(struct buf *out, const struct tool *tool)
{
    buf_puts(out, "{\"name\":");
    json_string(out, tool->name, strlen(tool->name));
    write_member(out, tool, "inputSchema", SCHEMA);
    write_member(out, tool, "outputSchema", SCHEMA);
    buf_printf(out, ",\"readOnlyHint\":%s", tool->read_only ? "true" : "false");
    write_member(out, tool, "x-skillrom", PLAIN);
    buf_puts(out, "}");
}

static void write_resource(struct buf *out, const struct resource *resource)
{
    buf_puts(out, resource->is_template ? "{\"uriTemplate\":" : "{\"uri\":");
    json_string(out, resource->uri, strlen(resource->uri));
    buf_puts(out, ",\"mimeType\":");
    json_string(out, resource->mime, strlen(resource->mime));
    buf_printf(out, ",\"subscribe\":%s}", resource->subscribe ? "true" : "false");
}

/* The first four bytes of the text's SHA-256, little-endian; 1 instead of 0, which means that there is none. */
static uint32_t id_of(const struct buf *text)
{
    uint8_t d[ROMFS_SHA256_SIZE];

    romfs_sha256_of(text->p, text->n, d);
    uint32_t id = (uint32_t)d[0] | (uint32_t)d[1] << 8 | (uint32_t)d[2] << 16 | (uint32_t)d[3] << 24;
    return id != 0 ? id : 1;
}

void interface_identify(struct device *device)
{
    struct buf all = {0};
    uint8_t digest[ROMFS_SHA256_SIZE];

    for (size_t i = 0; i < device->tool_count; i++) {
        struct buf one = {0};
        write_tool(&one, &device->tools[i]);
        device->tools[i].interface_id = id_of(&one);
        buf_add(&all, one.p, one.n);
        buf_puts(&all, "\n");
    }
    for (size_t i = 0; i < device->resource_count; i++) {
        write_resource(&all, &device->resources[i]);
        buf_puts(&all, "\n");
    }
    if (all.n > 0) {
        romfs_sha256_of(all.p, all.n, digest);
        memcpy(device->interface_id, digest, sizeof device->interface_id);
    }
}
