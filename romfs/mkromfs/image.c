/* image.c -- lays out an image: header, tables, texts, digests, file data.
 *
 * The sizes of the tables follow from counts alone, so the text area's place is
 * known from the start and every offset is final when it is made. Three areas
 * grow side by side (texts, digests, data) and are joined at the end; only the
 * offsets of file data wait for that, because data lies behind everything. */
#include "image.h"

#include <string.h>

#include "deflate.h"
#include "entry.h"
#include "json_out.h"
#include "romfs.h"
#include "sha256.h"
#include "text_facts.h"
#include "texts.h"
#include "tree.h"

/* All files together. Six times as much, which is what escaping can make of a
 * text, still fits 32 bits; so does the image with TEXTS_MAX of texts. */
#define CONTENT_MAX ((size_t)512 * 1024 * 1024)

/* Content as it is stored, once for all files that have it. */
struct stored {
    bool done;
    bool deflated;
    size_t at; /* in the data area */
    size_t size;
};

struct layout {
    const struct device *device;
    struct tree tree;
    struct romfs_header header;
    struct romfs_node *nodes;
    struct romfs_skill *skills;
    struct romfs_tool *tools;
    struct romfs_prompt *prompts;
    struct romfs_prompt_arg *args;
    struct romfs_prompt_part *parts;
    struct texts texts;
    struct texts digests; /* base 0 until the texts are complete; 32 bytes each */
    struct buf data;
    struct stored *stored; /* by number of digest */
};

static void pad_to_word(struct buf *b)
{
    static const uint8_t zeros[3];
    buf_add(b, zeros, (4u - b->n % 4u) % 4u);
}

static struct romfs_text add_string(struct layout *l, const char *text)
{
    return texts_add(&l->texts, text, strlen(text));
}

/* A text as the inside of a JSON string. */
static struct romfs_text add_inside(struct layout *l, const char *text)
{
    char *quoted = json_quoted(text, strlen(text));
    return texts_add(&l->texts, quoted + 1, strlen(quoted) - 2);
}

/* ---- Tables whose records lie ready in the device ---- */

static void fill_tools(struct layout *l)
{
    for (size_t i = 0; i < l->device->tool_count; i++) {
        const struct tool *tool = &l->device->tools[i];
        struct romfs_text json = add_string(l, tool->json);
        l->tools[i].json = json;
        l->tools[i].name = texts_add_within(&l->texts, json, tool->name, strlen(tool->name));
    }
}

static void fill_prompt(struct layout *l, const struct prompt *prompt, struct romfs_prompt *out)
{
    const char *description = prompt->description_json != NULL ? prompt->description_json : "";

    out->json = add_string(l, prompt->json);
    out->name = texts_add_within(&l->texts, out->json, prompt->name, strlen(prompt->name));
    out->description = texts_add_within(&l->texts, out->json, description, strlen(description));
    out->arg_count = (uint32_t)prompt->arg_count;
    out->part_count = (uint32_t)prompt->part_count;
    for (size_t i = 0; i < prompt->arg_count; i++) {
        struct romfs_prompt_arg *arg = &l->args[out->first_arg + i];
        arg->name =
            texts_add_within(&l->texts, out->json, prompt->args[i].name, strlen(prompt->args[i].name));
        arg->required = prompt->args[i].required;
    }
    for (size_t i = 0; i < prompt->part_count; i++) {
        const struct prompt_part *part = &prompt->parts[i];
        struct romfs_prompt_part *record = &l->parts[out->first_part + i];
        record->text = part->arg < 0 ? add_inside(l, part->text) : (struct romfs_text){0, 0};
        record->arg = part->arg < 0 ? ROMFS_NONE : (uint32_t)part->arg;
    }
}

static void fill_prompts(struct layout *l)
{
    uint32_t args = 0, parts = 0;

    for (size_t i = 0; i < l->device->prompt_count; i++) {
        l->prompts[i].first_arg = args;
        l->prompts[i].first_part = parts;
        fill_prompt(l, &l->device->prompts[i], &l->prompts[i]);
        args += l->prompts[i].arg_count;
        parts += l->prompts[i].part_count;
    }
}

/* ---- Skills ---- */

/* Notes the path that starts at `off`, and every directory above it, so that the
 * node table finds its paths inside the entries. */
static void note_paths(struct layout *l, uint32_t off, const struct tree_node *node)
{
    texts_note(&l->texts, (struct romfs_text){off, (uint32_t)node->path_len});
    for (size_t n = node->path_len; n > 0; n--) {
        if (node->path[n] == '/') {
            texts_note(&l->texts, (struct romfs_text){off, (uint32_t)n});
        }
    }
}

static void fill_skill(struct layout *l, const struct skill *skill, struct romfs_skill *out)
{
    struct buf entry = {0};
    size_t *path_at = xmalloc(skill->file_count * sizeof *path_at);

    entry_write(&entry, l->device, skill, &l->tree, path_at);
    out->entry = texts_append(&l->texts, entry.p, entry.n);
    out->name = texts_add_within(&l->texts, out->entry, skill->name_json, strlen(skill->name_json));
    out->description =
        texts_add_within(&l->texts, out->entry, skill->description_json, strlen(skill->description_json));
    for (size_t i = 0; i < skill->file_count; i++) {
        if (!skill->files[i].is_dir) {
            char *path = tree_path_of(skill, &skill->files[i]);
            note_paths(l, out->entry.off + (uint32_t)path_at[i], tree_find(&l->tree, path, strlen(path)));
        }
    }
}

static void fill_skills(struct layout *l)
{
    const struct device *device = l->device;

    /* The listed entries must lie one behind the other: nothing else may be added
     * to the text area between them. */
    for (size_t i = 0; i < device->skill_count; i++) {
        if (i > 0 && device->skills[i].listed) {
            texts_append(&l->texts, ",", 1);
        }
        fill_skill(l, &device->skills[i], &l->skills[i]);
        l->header.listed += device->skills[i].listed;
    }
    for (size_t i = 0; i < device->skill_count; i++) {
        l->skills[i].extra =
            add_string(l, ",\"annotations\":{\"audience\":[\"assistant\"],\"priority\":1.0}");
    }
    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        if (node->file != NULL && node->skill != ROMFS_NONE) {
            l->skills[node->skill].node = (uint32_t)i;
        }
    }
}

/* ---- Files and directories ---- */

/* Puts a content into the data area, unless it is there already. */
static const struct stored *store(struct layout *l, const struct tree_node *node, size_t window)
{
    struct romfs_text digest = texts_add(&l->digests, node->digest, SHA256_SIZE);
    struct stored *s = &l->stored[digest.off / SHA256_SIZE];
    const struct source *file = node->file;

    if (s->done) {
        return s;
    }
    s->done = true;
    s->at = l->data.n;
    s->deflated = window > 0 && deflate_raw(file->bytes, file->size, window, &l->data);
    if (s->deflated) {
        size_t needed = deflate_window(file->size, window);
        l->header.window = needed > l->header.window ? (uint32_t)needed : l->header.window;
    } else {
        buf_add(&l->data, file->bytes, file->size);
    }
    s->size = l->data.n - s->at;
    pad_to_word(&l->data);
    return s;
}

static void fill_file(struct layout *l, const struct tree_node *node, size_t window, struct romfs_node *out)
{
    const struct stored *s = store(l, node, window);

    out->flags = (node->file->text ? ROMFS_TEXT : 0u) | (s->deflated ? ROMFS_DEFLATE : 0u);
    out->data = (uint32_t)s->at; /* from the start of the data area, until finish() */
    out->stored = (uint32_t)s->size;
    out->size = (uint32_t)node->file->size;
    out->digest = texts_add(&l->digests, node->digest, SHA256_SIZE).off; /* likewise */
    if (node->file->text) {
        struct text_facts facts = {0};
        text_facts_add(&facts, node->file->bytes, node->file->size);
        out->json_size = (uint32_t)facts.json_size;
    }
}

/* A name without escapes is the end of its path. */
static struct romfs_text add_name(struct layout *l, const struct tree_node *node, struct romfs_text path)
{
    size_t n = strlen(node->name);

    if (strcmp(node->path + node->path_len - n, node->name) != 0) {
        return add_inside(l, node->name);
    }
    return (struct romfs_text){path.off + path.len - (uint32_t)n, (uint32_t)n};
}

static void fill_nodes(struct layout *l, size_t window)
{
    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        struct romfs_node *out = &l->nodes[i];

        out->path = texts_add(&l->texts, node->path, node->path_len);
        out->name = add_name(l, node, out->path);
        out->mime = add_string(l, node->file != NULL ? node->file->mime : "inode/directory");
        out->skill = node->skill;
        if (node->file != NULL) {
            fill_file(l, node, window, out);
        } else {
            out->flags = ROMFS_DIR;
            out->data = node->first_child;
            out->stored = node->child_count;
        }
    }
}

/* ---- The whole ---- */

/* Room for a table behind those before it; *end moves on. */
static void *place(struct romfs_table *table, size_t count, size_t record, size_t *end)
{
    void *records = xmalloc(count * record);

    memset(records, 0, count * record);
    table->off = (uint32_t)*end;
    table->count = (uint32_t)count;
    *end += count * record;
    return records;
}

static void place_tables(struct layout *l)
{
    const struct device *device = l->device;
    struct romfs_header *h = &l->header;
    size_t end = sizeof *h, args = 0, parts = 0;

    for (size_t i = 0; i < device->prompt_count; i++) {
        args += device->prompts[i].arg_count;
        parts += device->prompts[i].part_count;
    }
    l->nodes = place(&h->nodes, l->tree.count, sizeof *l->nodes, &end);
    l->skills = place(&h->skills, device->skill_count, sizeof *l->skills, &end);
    l->tools = place(&h->tools, device->tool_count, sizeof *l->tools, &end);
    l->prompts = place(&h->prompts, device->prompt_count, sizeof *l->prompts, &end);
    l->args = place(&h->prompt_args, args, sizeof *l->args, &end);
    l->parts = place(&h->prompt_parts, parts, sizeof *l->parts, &end);
    l->texts.base = end;
}

static void fill_header_texts(struct layout *l)
{
    const struct device *device = l->device;
    struct buf templates = {0};

    entry_templates(&templates, device);
    l->header.base = add_string(l, device->base);
    l->header.server_info = add_string(l, device->server_info);
    l->header.instructions =
        add_string(l, device->instructions_json != NULL ? device->instructions_json : "");
    l->header.templates = texts_add(&l->texts, templates.p, templates.n);
}

static void add_table(struct buf *image, const void *records, size_t count, size_t record)
{
    buf_add(image, records, count * record);
}

/* Joins the areas. Checksums come last: the digest covers all behind it, the CRC
 * covers the digest too. */
static void finish(struct layout *l, struct buf *image)
{
    struct romfs_header *h = &l->header;

    pad_to_word(&l->texts.bytes);
    uint32_t digests_at = (uint32_t)(l->texts.base + l->texts.bytes.n);
    h->meta_size = digests_at + (uint32_t)l->digests.bytes.n;
    h->size = h->meta_size + (uint32_t)l->data.n;
    for (size_t i = 0; i < l->tree.count; i++) {
        if (l->tree.nodes[i].file != NULL) {
            l->nodes[i].data += h->meta_size;
            l->nodes[i].digest += digests_at;
        }
    }
    memcpy(h->magic, ROMFS_MAGIC, sizeof h->magic);
    h->version = ROMFS_VERSION;
    buf_add(image, h, sizeof *h);
    add_table(image, l->nodes, h->nodes.count, sizeof *l->nodes);
    add_table(image, l->skills, h->skills.count, sizeof *l->skills);
    add_table(image, l->tools, h->tools.count, sizeof *l->tools);
    add_table(image, l->prompts, h->prompts.count, sizeof *l->prompts);
    add_table(image, l->args, h->prompt_args.count, sizeof *l->args);
    add_table(image, l->parts, h->prompt_parts.count, sizeof *l->parts);
    buf_add(image, l->texts.bytes.p, l->texts.bytes.n);
    buf_add(image, l->digests.bytes.p, l->digests.bytes.n);
    buf_add(image, l->data.p, l->data.n);

    struct romfs_header *written = (void *)image->p;
    size_t hashed = offsetof(struct romfs_header, window), summed = offsetof(struct romfs_header, version);
    sha256_of(image->p + hashed, image->n - hashed, written->digest);
    written->crc = romfs_crc32(0, image->p + summed, h->meta_size - summed);
}

bool image_build(const struct device *device, const struct image_options *options, struct diag *diag,
                 struct buf *image)
{
    struct layout l = {.device = device};
    size_t content = 0;

    if (!tree_build(device, diag, &l.tree)) {
        return false;
    }
    for (size_t i = 0; i < l.tree.count; i++) {
        content += l.tree.nodes[i].file != NULL ? l.tree.nodes[i].file->size : 0;
    }
    if (content > CONTENT_MAX) {
        diag_report(diag, SEVERITY_ERROR, "image", 0, 0, NULL, "%zu bytes of files; at most %zu fit", content,
                    CONTENT_MAX);
        return false;
    }
    l.stored = xmalloc(l.tree.count * sizeof *l.stored);
    memset(l.stored, 0, l.tree.count * sizeof *l.stored);
    place_tables(&l);
    fill_skills(&l);
    fill_header_texts(&l);
    fill_tools(&l);
    fill_prompts(&l);
    fill_nodes(&l, options->window);
    finish(&l, image);
    return true;
}
