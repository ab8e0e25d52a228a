/* image.c -- lays out an image: header, tables, texts, digests, file data. See layout.h
 * for how; this file has the nodes and their content, and joins the areas. */
#include "image/image.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>

#include "base/json_out.h"
#include "base/screen.h"
#include "image/archives.h"
#include "image/deflate.h"
#include "image/entry.h"
#include "image/layout.h"
#include "image/text_facts.h"
#include "sha256.h"

/* All files together, both as they are and as they are stored. Six times as much, which is the worst case of
 * escaping, still fits 32 bits; so does the image with TEXTS_MAX bytes of texts. */
#define CONTENT_MAX ((size_t)512 * 1024 * 1024)

#define TRIM_STEP ((size_t)8 * 1024 * 1024)

static void pad_to_word(struct buf *b)
{
    static const uint8_t zeros[3];

    buf_add(b, zeros, (4u - b->n % 4u) % 4u);
}

/* ---- Files and directories ---- */

/* Appends a content to the image in this form, unless it is there already. Not there afterwards: deflating does not
 * pay. `number` is that of its digest. */
static const struct stored *store_source(struct layout *l, const struct source *file, size_t number, enum form form,
                                         size_t window)
{
    struct stored *s = &l->stored[number][form];
    struct buf *image = l->image;

    if (s->done || s->useless) {
        return s;
    }
    s->at = image->n;
    if (form == FORM_DEFLATED) {
        s->useless = !deflate_raw(file->bytes, file->size, window, image);
    } else if (form == FORM_ESCAPED) {
        json_inside(image, (const char *)file->bytes, file->size);
    } else {
        buf_add(image, file->bytes, file->size);
    }
    s->done = !s->useless;
    s->size = image->n - s->at;
    pad_to_word(image);
    return s;
}

/* Stores a file in the form that suits it. */
static const struct stored *store_best(struct layout *l, const struct source *file, const struct image_options *options,
                                       struct romfs_node *out)
{
    size_t number = (out->digest - l->digests_at) / ROMFS_SHA256_SIZE;
    const struct stored *s;

    if (options->window > 0 && (s = store_source(l, file, number, FORM_DEFLATED, options->window))->done) {
        size_t needed = deflate_window(file->size, options->window);
        l->header.window = needed > l->header.window ? (uint32_t)needed : l->header.window;
        out->flags |= ROMFS_DEFLATE;
        return s;
    }
    if (!file->text || options->raw_text) {
        return store_source(l, file, number, FORM_RAW, 0);
    }
    out->flags |= ROMFS_ESCAPED;
    /* one place, if nothing differs */
    return store_source(l, file, number, out->json_size > file->size ? FORM_ESCAPED : FORM_RAW, 0);
}

static void store_file(struct layout *l, const struct source *file, const struct image_options *options,
                       struct romfs_node *out)
{
    if (file->text) {
        struct text_facts facts = {0};
        text_facts_add(&facts, file->bytes, file->size);
        out->json_size = (uint32_t)facts.json_size;
        out->flags = ROMFS_TEXT;
    }
    const struct stored *s = store_best(l, file, options, out);
    out->data = (uint32_t)s->at;
    out->stored = (uint32_t)s->size;
    out->size = (uint32_t)file->size;
    out->crc = romfs_crc32(0, file->bytes, file->size);
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

/* All that does not depend on where a content lies. */
static void fill_nodes(struct layout *l)
{
    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        struct romfs_node *out = &l->nodes[i];

        out->path = texts_add(&l->texts, node->path, node->path_len);
        out->name = add_name(l, node, out->path);
        out->mime = layout_text(l, node->file != NULL ? node->file->mime : "inode/directory");
        out->skill = node->skill;
        if (node->file != NULL) {
            /* from their start, until settle() */
            out->digest = texts_add(&l->digests, node->digest, ROMFS_SHA256_SIZE).off;
        } else {
            out->flags = ROMFS_DIR;
            out->data = node->first_child;
            out->stored = node->child_count;
        }
    }
}

/* Frees a content. The image grows by what the contents shrink, so the memory goes back to the system now and then. */
static void give_back(const struct source *file, size_t *freed)
{
    free(file->bytes);
    *freed += file->size;
#ifdef __GLIBC__
    if (*freed >= TRIM_STEP) {
        malloc_trim(0);
        *freed = 0;
    }
#endif
}

/* Appends the contents of all files to the image. */
static void store_files(struct layout *l, const struct image_options *options)
{
    size_t freed = 0;

    for (size_t i = 0; i < l->tree.count; i++) {
        const struct tree_node *node = &l->tree.nodes[i];
        if (node->file == NULL) {
            continue;
        }
        screen_progress("packing", "files");
        store_file(l, node->file, options, &l->nodes[i]);
        if (node->skill != ROMFS_NONE) {
            layout_escaped_body(l, node->skill);
        }
        if (options->take) {
            give_back(node->file, &freed);
        }
    }
    if (l->device->panel != NULL) {
        store_file(l, &l->device->panel->file, options, &l->panel.file);
    }
}

/* ---- The whole ---- */

/* Makes room for a table after the previous ones; advances *end. */
static void *place_table(struct romfs_table *table, size_t count, size_t record, size_t *end)
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
    size_t end = sizeof *h + (device->panel != NULL ? sizeof l->panel : 0);

    l->instructions = xmalloc(device->skill_count * sizeof *l->instructions);
    for (size_t i = 0; i < device->skill_count; i++) {
        l->instructions[i] = instructions_of(&device->skills[i]);
    }
    struct counts c = count_runs(l);
    l->nodes = place_table(&h->nodes, l->tree.count, sizeof *l->nodes, &end);
    l->skills = place_table(&h->skills, device->skill_count, sizeof *l->skills, &end);
    l->files = place_table(&h->files, c.files, sizeof *l->files, &end);
    l->bodies = place_table(&h->bodies, c.bodies, sizeof *l->bodies, &end);
    l->links = place_table(&h->links, c.links, sizeof *l->links, &end);
    l->tools = place_table(&h->tools, device->tool_count, sizeof *l->tools, &end);
    l->prompts = place_table(&h->prompts, device->prompt_count, sizeof *l->prompts, &end);
    l->args = place_table(&h->args, c.args, sizeof *l->args, &end);
    l->parts = place_table(&h->prompt_parts, c.parts, sizeof *l->parts, &end);
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
    memcpy(l->header.interface_id, device->interface_id, sizeof l->header.interface_id);
    l->header.base = layout_text(l, device->base);
    size_t title_n = device->title != NULL ? strlen(device->title) : 0;
    l->header.server_info = layout_text(l, xasprintf("%s%s", device->server_info, title_n > 0 ? device->title : ""));
    l->header.server_info.len -= (uint32_t)title_n;
    l->header.flags |= (uint32_t)title_n << ROMFS_TITLE_SHIFT;
    l->header.instructions = layout_text(l, device->instructions_json);
    l->header.templates = texts_add(&l->texts, templates.p, templates.n);
    l->header.index_templates = texts_add(&l->texts, index_templates.p, index_templates.n);
    if (device->skill_count > 0 && !device->no_skill_tools) {
        l->header.skill_tools[0] = layout_text(l, entry_list_skills);
        l->header.skill_tools[1] = layout_text(l, entry_read_skill);
    }
}

/* Offsets that were unknown before the areas in front of them were complete. */
static void settle_layout(struct layout *l)
{
    static const uint8_t zeros[2 * ROMFS_SHA256_SIZE];
    struct romfs_header *h = &l->header;

    pad_to_word(&l->texts.bytes);
    l->digests_at = (uint32_t)(l->texts.base + l->texts.bytes.n);
    for (uint32_t i = 0; i < h->skills.count; i++) { /* archives.c fills them in */
        l->skills[i].zip_digest = l->digests_at + texts_append(&l->digests, zeros, sizeof zeros).off;
        l->skills[i].tgz_digest = l->skills[i].zip_digest + ROMFS_SHA256_SIZE;
    }
    h->meta_size = l->digests_at + (uint32_t)l->digests.bytes.n;
    l->panel.file.digest += l->digests_at;
    for (size_t i = 0; i < l->tree.count; i++) {
        if (l->tree.nodes[i].file != NULL) {
            l->nodes[i].digest += l->digests_at;
        }
    }
}

/* Moves texts and digests into the image, behind room for the tables. */
static void begin_layout(struct layout *l)
{
    void *room = xmalloc(l->texts.base);

    memset(room, 0, l->texts.base);
    buf_add(l->image, room, l->texts.base);
    buf_add(l->image, l->texts.bytes.p, l->texts.bytes.n);
    buf_add(l->image, l->digests.bytes.p, l->digests.bytes.n);
    free(room);
    texts_free(&l->texts);
    texts_free(&l->digests);
}

static void put_table(struct layout *l, struct romfs_table table, void *records, size_t record)
{
    memcpy(l->image->p + table.off, records, table.count * record);
    free(records);
}

/* Fills the room in front. */
static void finish_layout(struct layout *l)
{
    struct romfs_header *h = &l->header;

    memcpy(h->magic, ROMFS_MAGIC, sizeof h->magic);
    h->version = ROMFS_VERSION;
    h->size = (uint32_t)l->image->n;
    memcpy(l->image->p, h, sizeof *h);
    if (l->device->panel != NULL) {
        memcpy(l->image->p + sizeof *h, &l->panel, sizeof l->panel);
    }
    put_table(l, h->nodes, l->nodes, sizeof *l->nodes);
    put_table(l, h->skills, l->skills, sizeof *l->skills);
    put_table(l, h->files, l->files, sizeof *l->files);
    put_table(l, h->bodies, l->bodies, sizeof *l->bodies);
    put_table(l, h->links, l->links, sizeof *l->links);
    put_table(l, h->tools, l->tools, sizeof *l->tools);
    put_table(l, h->prompts, l->prompts, sizeof *l->prompts);
    put_table(l, h->args, l->args, sizeof *l->args);
    put_table(l, h->prompt_parts, l->parts, sizeof *l->parts);
    free(l->stored);
    tree_free(&l->tree);
}

/* The CRC of header, tables and texts: an image can be mounted with it. */
static void add_checksum(struct buf *image)
{
    struct romfs_header *h = (void *)image->p;
    size_t summed = offsetof(struct romfs_header, version);

    h->crc = romfs_crc32(0, image->p + summed, h->meta_size - summed);
}

void image_seal(struct buf *image)
{
    struct romfs_header *h = (void *)image->p;
    size_t hashed = offsetof(struct romfs_header, window);

    romfs_sha256_of(image->p + hashed, image->n - hashed, h->digest);
    add_checksum(image);
}

static bool content_fits(size_t n, struct diag *diag)
{
    if (n > CONTENT_MAX) {
        diag_report(diag, SEVERITY_ERROR, "image", 0, 0, NULL, "%zu bytes of files, at most %zu fit; remove some", n,
                    CONTENT_MAX);
    }
    return n <= CONTENT_MAX;
}

bool image_build(const struct device *device, const struct image_options *options, struct diag *diag, struct buf *image)
{
    struct layout l = {.device = device, .image = image};
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
    size_t contents = l.tree.count + 1; /* and the panel */
    l.stored = xmalloc(contents * sizeof *l.stored);
    memset(l.stored, 0, contents * sizeof *l.stored);
    place_tables(&l);
    layout_skills(&l);
    fill_header(&l);
    layout_tools(&l);
    layout_prompts(&l);
    layout_panel(&l);
    fill_nodes(&l);
    settle_layout(&l);
    begin_layout(&l);
    store_files(&l, options);
    if (!content_fits(image->n - l.header.meta_size, diag)) { /* escaped it may be larger */
        return false;
    }
    finish_layout(&l);
    add_checksum(image); /* archives_fill() seals it */
    archives_fill(image);
    return true;
}
