/* image.c -- lays out an image: header, tables, texts, digests, file data. See layout.h
 * for how; this file has the nodes and their content, and joins the areas. */
#include "image/image.h"

#include <string.h>

#include "image/archives.h"
#include "base/screen.h"
#include "image/deflate.h"
#include "image/entry.h"
#include "image/layout.h"
#include "base/json_out.h"
#include "sha256.h"
#include "image/text_facts.h"

/* All files together, both as they are and as they are stored. Six times as much, which is the worst case of
 * escaping, still fits 32 bits; so does the image with TEXTS_MAX bytes of texts. */
#define CONTENT_MAX ((size_t)512 * 1024 * 1024)

static void pad_to_word(struct buf *b)
{
    static const uint8_t zeros[3];
    buf_add(b, zeros, (4u - b->n % 4u) % 4u);
}

/* ---- Files and directories ---- */

/* Puts a content into the data area in this form, unless it is there already. Not there afterwards: deflating
 * does not pay. */
static const struct stored *store(struct layout *l, const struct tree_node *node, enum form form, size_t window)
{
    struct romfs_text digest = texts_add(&l->digests, node->digest, SHA256_SIZE);
    struct stored *s = &l->stored[digest.off / SHA256_SIZE][form];
    const struct source *file = node->file;

    if (s->done || s->useless) {
        return s;
    }
    s->at = l->data.n;
    if (form == FORM_DEFLATED) {
        s->useless = !deflate_raw(file->bytes, file->size, window, &l->data);
    } else if (form == FORM_ESCAPED) {
        json_inside(&l->data, (const char *)file->bytes, file->size);
    } else {
        buf_add(&l->data, file->bytes, file->size);
    }
    s->done = !s->useless;
    s->size = l->data.n - s->at;
    pad_to_word(&l->data);
    return s;
}

/* Stores a file in the form that suits it. */
static const struct stored *store_best(struct layout *l, const struct tree_node *node,
                                       const struct image_options *options, struct romfs_node *out)
{
    const struct source *file = node->file;
    const struct stored *s;

    if (options->window > 0 && (s = store(l, node, FORM_DEFLATED, options->window))->done) {
        size_t needed = deflate_window(file->size, options->window);
        l->header.window = needed > l->header.window ? (uint32_t)needed : l->header.window;
        out->flags |= ROMFS_DEFLATE;
        return s;
    }
    if (!file->text || options->raw_text) {
        return store(l, node, FORM_RAW, 0);
    }
    out->flags |= ROMFS_ESCAPED;
    return store(l, node, out->json_size > file->size ? FORM_ESCAPED : FORM_RAW, 0); /* one place, if nothing differs */
}

static void fill_file(struct layout *l, const struct tree_node *node, const struct image_options *options,
                      struct romfs_node *out)
{
    if (node->file->text) {
        struct text_facts facts = {0};
        text_facts_add(&facts, node->file->bytes, node->file->size);
        out->json_size = (uint32_t)facts.json_size;
        out->flags = ROMFS_TEXT;
    }
    const struct stored *s = store_best(l, node, options, out);
    out->data = (uint32_t)s->at; /* from the start of the data area, until settle() */
    out->stored = (uint32_t)s->size;
    out->size = (uint32_t)node->file->size;
    out->crc = romfs_crc32(0, node->file->bytes, node->file->size);
    out->digest = texts_add(&l->digests, node->digest, SHA256_SIZE).off; /* likewise */
}

/* A name without escapes is the end of its path. */
static struct romfs_text add_name(struct layout *l, const struct tree_node *node, struct romfs_text path)
{
    size_t n = strlen(node->name);

    if (strcmp(node->path + node->path_len - n, node->name) != 0) {
        return layout_inside(l, node->name);
    }
    return (struct romfs_text){path.off + path.len - (uint32_t)n, (uint32_t)n};
}

static void fill_nodes(struct layout *l, const struct image_options *options)
{
    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        struct romfs_node *out = &l->nodes[i];

        out->path = texts_add(&l->texts, node->path, node->path_len);
        out->name = add_name(l, node, out->path);
        out->mime = layout_text(l, node->file != NULL ? node->file->mime : "inode/directory");
        out->skill = node->skill;
        if (node->file != NULL) {
            screen_progress("packing", "files");
            fill_file(l, node, options, out);
        } else {
            out->flags = ROMFS_DIR;
            out->data = node->first_child;
            out->stored = node->child_count;
        }
    }
}

/* ---- The whole ---- */

/* Makes room for a table after the previous ones; advances *end. */
static void *place(struct romfs_table *table, size_t count, size_t record, size_t *end)
{
    void *records = xmalloc(count * record);

    memset(records, 0, count * record);
    table->off = (uint32_t)*end;
    table->count = (uint32_t)count;
    *end += count * record;
    return records;
}

/* The sizes of the tables whose records are referred to in runs. */
struct counts {
    size_t files, bodies, links, args, parts;
};

static struct counts count_runs(const struct layout *l)
{
    const struct device *device = l->device;
    struct counts c = {0};

    for (size_t i = 0; i < device->skill_count; i++) {
        const struct skill *skill = &device->skills[i];
        for (size_t k = 1; k < skill->file_count; k++) {
            c.files += !skill->files[k].is_dir;
        }
        c.bodies += l->instructions[i].count;
        c.links += skill->tools.count + skill->prompts.count + skill->subskills.count;
        c.args += skill->arg_count;
    }
    for (size_t i = 0; i < device->prompt_count; i++) {
        c.args += device->prompts[i].arg_count;
        c.parts += device->prompts[i].part_count;
    }
    return c;
}

static void place_tables(struct layout *l)
{
    const struct device *device = l->device;
    struct romfs_header *h = &l->header;
    size_t end = sizeof *h;

    l->instructions = xmalloc(device->skill_count * sizeof *l->instructions);
    for (size_t i = 0; i < device->skill_count; i++) {
        l->instructions[i] = instructions_of(&device->skills[i]);
    }
    struct counts c = count_runs(l);
    l->nodes = place(&h->nodes, l->tree.count, sizeof *l->nodes, &end);
    l->skills = place(&h->skills, device->skill_count, sizeof *l->skills, &end);
    l->files = place(&h->files, c.files, sizeof *l->files, &end);
    l->bodies = place(&h->bodies, c.bodies, sizeof *l->bodies, &end);
    l->links = place(&h->links, c.links, sizeof *l->links, &end);
    l->tools = place(&h->tools, device->tool_count, sizeof *l->tools, &end);
    l->prompts = place(&h->prompts, device->prompt_count, sizeof *l->prompts, &end);
    l->args = place(&h->args, c.args, sizeof *l->args, &end);
    l->parts = place(&h->prompt_parts, c.parts, sizeof *l->parts, &end);
    l->texts.base = end;
}

static void fill_header(struct layout *l)
{
    const struct device *device = l->device;
    struct buf templates = {0}, index_templates = {0};

    entry_templates(&templates, device);
    entry_index_templates(&index_templates, device);
    l->header.flags =
        (device->no_skill_tools ? ROMFS_NO_SKILL_TOOLS : 0u) | (device->no_skill_prompts ? ROMFS_NO_SKILL_PROMPTS : 0u);
    l->header.base = layout_text(l, device->base);
    l->header.server_info = layout_text(l, device->server_info);
    l->header.instructions = layout_text(l, device->instructions_json);
    l->header.templates = texts_add(&l->texts, templates.p, templates.n);
    l->header.index_templates = texts_add(&l->texts, index_templates.p, index_templates.n);
    if (device->skill_count > 0 && !device->no_skill_tools) {
        l->header.skill_tools[0] = layout_text(l, entry_list_skills);
        l->header.skill_tools[1] = layout_text(l, entry_read_skill);
    }
}

static void add_table(struct buf *image, const void *records, size_t count, size_t record)
{
    buf_add(image, records, count * record);
}

/* Offsets that were unknown before the areas in front of them were complete. */
static void settle(struct layout *l)
{
    static const uint8_t zeros[2 * SHA256_SIZE];
    struct romfs_header *h = &l->header;

    pad_to_word(&l->texts.bytes);
    uint32_t digests_at = (uint32_t)(l->texts.base + l->texts.bytes.n);
    for (uint32_t i = 0; i < h->skills.count; i++) { /* archives.c fills them in */
        l->skills[i].zip_digest = digests_at + texts_append(&l->digests, zeros, sizeof zeros).off;
        l->skills[i].tgz_digest = l->skills[i].zip_digest + SHA256_SIZE;
    }
    h->meta_size = digests_at + (uint32_t)l->digests.bytes.n;
    h->size = h->meta_size + (uint32_t)l->data.n;
    for (size_t i = 0; i < l->tree.count; i++) {
        if (l->tree.nodes[i].file != NULL) {
            l->nodes[i].data += h->meta_size;
            l->nodes[i].digest += digests_at;
        }
    }
}

static void join(struct layout *l, struct buf *image)
{
    struct romfs_header *h = &l->header;

    memcpy(h->magic, ROMFS_MAGIC, sizeof h->magic);
    h->version = ROMFS_VERSION;
    buf_add(image, h, sizeof *h);
    add_table(image, l->nodes, h->nodes.count, sizeof *l->nodes);
    add_table(image, l->skills, h->skills.count, sizeof *l->skills);
    add_table(image, l->files, h->files.count, sizeof *l->files);
    add_table(image, l->bodies, h->bodies.count, sizeof *l->bodies);
    add_table(image, l->links, h->links.count, sizeof *l->links);
    add_table(image, l->tools, h->tools.count, sizeof *l->tools);
    add_table(image, l->prompts, h->prompts.count, sizeof *l->prompts);
    add_table(image, l->args, h->args.count, sizeof *l->args);
    add_table(image, l->parts, h->prompt_parts.count, sizeof *l->parts);
    buf_add(image, l->texts.bytes.p, l->texts.bytes.n);
    buf_add(image, l->digests.bytes.p, l->digests.bytes.n);
    buf_add(image, l->data.p, l->data.n);
}

void image_seal(struct buf *image)
{
    struct romfs_header *h = (void *)image->p;
    size_t hashed = offsetof(struct romfs_header, window), summed = offsetof(struct romfs_header, version);

    sha256_of(image->p + hashed, image->n - hashed, h->digest); /* the CRC covers it, too */
    h->crc = romfs_crc32(0, image->p + summed, h->meta_size - summed);
}

static bool content_fits(size_t n, struct diag *diag)
{
    if (n > CONTENT_MAX) {
        diag_report(diag, SEVERITY_ERROR, "image", 0, 0, NULL, "%zu bytes of files; at most %zu fit", n, CONTENT_MAX);
    }
    return n <= CONTENT_MAX;
}

bool image_build(const struct device *device, const struct image_options *options, struct diag *diag, struct buf *image)
{
    struct layout l = {.device = device};
    size_t content = 0;

    if (!tree_build(device, diag, &l.tree)) {
        return false;
    }
    for (size_t i = 0; i < l.tree.count; i++) {
        content += l.tree.nodes[i].file != NULL ? l.tree.nodes[i].file->size : 0;
    }
    if (!content_fits(content, diag)) {
        return false;
    }
    l.stored = xmalloc(l.tree.count * sizeof *l.stored);
    memset(l.stored, 0, l.tree.count * sizeof *l.stored);
    place_tables(&l);
    layout_skills(&l);
    fill_header(&l);
    layout_tools(&l);
    layout_prompts(&l);
    fill_nodes(&l, options);
    layout_escaped_bodies(&l);
    if (!content_fits(l.data.n, diag)) { /* escaped it may be larger */
        return false;
    }
    settle(&l);
    join(&l, image);
    image_seal(image);
    archives_fill(image);
    return true;
}
