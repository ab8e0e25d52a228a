/* romfs.c -- mount and look-up. See romfs.h for the contract, FORMAT.md for the bytes.
 *
 * Mounting does all the checking: every number in the image is untrusted until it has been compared with the image's
 * size. Invariants after ROMFS_OK:
 *   (1) every table lies inside [0, meta_size) at a multiple of four
 *   (2) every romfs_text lies inside [0, meta_size)
 *   (3) every file's stored bytes lie inside [meta_size, size)
 *   (4) every index names a record that exists, or is ROMFS_NONE
 *   (5) nodes, tools and prompts are sorted without duplicates
 *   (6) a directory's children are exactly the nodes it counts, and lie below it
 *   (7) the stretches of a skill's instructions ascend inside its SKILL.md, in the bytes it is read as
 *   (8) a skill's name and description have their quotes, and its resources follow
 *       the brace of its entry: readers skip these bytes without looking */
#include "romfs.h"

#include <string.h>

#include "check.h"

static int bytes_order(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t n = a_len < b_len ? a_len : b_len;
    int order = n > 0 ? memcmp(a, b, n) : 0;

    if (order != 0) {
        return order;
    }
    return (a_len > b_len) - (a_len < b_len);
}

/* Where the last segment starts. */
static size_t leaf_at(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    return n;
}

/* How many bytes of the path belong to the parent directory, without the slash. */
static size_t parent_len(const char *path, size_t n)
{
    size_t leaf = leaf_at(path, n);

    return leaf > 0 ? leaf - 1 : 0;
}

int romfs_path_order(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t a_leaf = leaf_at(a, a_len), b_leaf = leaf_at(b, b_len);
    int order = bytes_order(a, parent_len(a, a_len), b, parent_len(b, b_len));

    if (order != 0) {
        return order;
    }
    return bytes_order(a + a_leaf, a_len - a_leaf, b + b_leaf, b_len - b_leaf);
}

/* ---- Mounting ---- */

/* The layout of each table's records, in words of four bytes, in the order of the header: their size, and the
 * position and number of their consecutive texts. */
struct record {
    uint8_t words, text_at, texts;
};

#define WORDS(type) (sizeof(type) / 4u)
#define TEXTS(type, first, last)                                                                                       \
    offsetof(type, first) / 4u, (offsetof(type, last) - offsetof(type, first)) / sizeof(struct romfs_text) + 1u

static const struct record records[] = {
    {WORDS(struct romfs_node), TEXTS(struct romfs_node, path, mime)},
    {WORDS(struct romfs_skill), TEXTS(struct romfs_skill, path, extra)},
    {WORDS(struct romfs_file), TEXTS(struct romfs_file, path, alias)},
    {WORDS(struct romfs_body_part), 0, 0},
    {WORDS(uint32_t), 0, 0},
    {WORDS(struct romfs_tool), TEXTS(struct romfs_tool, name, json)},
    {WORDS(struct romfs_prompt), TEXTS(struct romfs_prompt, name, description)},
    {WORDS(struct romfs_arg), TEXTS(struct romfs_arg, name, values)},
    {WORDS(struct romfs_prompt_part), TEXTS(struct romfs_prompt_part, text, text)},
};

#define HEADER_TEXTS ((sizeof(struct romfs_header) - offsetof(struct romfs_header, base)) / sizeof(struct romfs_text))
#define TABLES (sizeof records / sizeof records[0])

/* A table of the header without a row above does not compile. */
typedef char every_table_has_a_row[offsetof(struct romfs_header, base) - offsetof(struct romfs_header, nodes) ==
                                           TABLES * sizeof(struct romfs_table)
                                       ? 1
                                       : -1];

/* (1) and (2), for the table that the header describes at `table`. */
static int check_table(const struct romfs_header *h, const struct romfs_table *table, const struct record *r)
{
    if (table->off % 4 != 0 || table->off > h->meta_size ||
        table->count > (h->meta_size - table->off) / (4u * r->words)) {
        return ROMFS_ERR_TABLE;
    }
    const uint32_t *words = (const void *)((const uint8_t *)h + table->off);
    for (uint32_t i = 0; i < table->count; i++, words += r->words) {
        if (!texts_fit(h, words + r->text_at, r->texts)) {
            return ROMFS_ERR_TEXT;
        }
    }
    return ROMFS_OK;
}

static bool window_is_sound(uint32_t window)
{
    return window == 0 || (window >= ROMFS_WINDOW_MIN && window <= ROMFS_WINDOW_MAX && (window & (window - 1u)) == 0);
}

static int check_header(const struct romfs_header *h, size_t n)
{
    if (memcmp(h->magic, ROMFS_MAGIC, sizeof h->magic) != 0) {
        return ROMFS_ERR_MAGIC;
    }
    if (h->version != ROMFS_VERSION) {
        return ROMFS_ERR_VERSION;
    }
    if (h->size > n || h->meta_size > h->size || h->meta_size < sizeof *h) {
        return ROMFS_ERR_SHORT;
    }
    size_t from = offsetof(struct romfs_header, version);
    if (romfs_crc32(0, (const uint8_t *)h + from, h->meta_size - from) != h->crc) {
        return ROMFS_ERR_CHECKSUM;
    }
    for (unsigned i = 0; i < TABLES; i++) {
        int error = check_table(h, &h->nodes + i, &records[i]);
        if (error != ROMFS_OK) {
            return error;
        }
    }
    if (h->nodes.count == 0 || h->listed > h->skills.count) {
        return ROMFS_ERR_TABLE;
    }
    if (!texts_fit(h, &h->base.off, HEADER_TEXTS)) {
        return ROMFS_ERR_TEXT;
    }
    return window_is_sound(h->window) ? ROMFS_OK : ROMFS_ERR_WINDOW;
}

/* (6): the children a directory counts all have it as their parent. */
static bool children_are_its_own(const struct romfs *fs, const struct romfs_node *dir)
{
    if (!within(dir->data, dir->stored, fs->header->nodes.count) || (dir->stored > 0 && dir->data == 0)) {
        return false;
    }
    for (uint32_t i = 0; i < dir->stored; i++) {
        const struct romfs_node *child = &fs->nodes[dir->data + i];
        const char *path = romfs_at(fs, child->path);
        if (bytes_order(path, parent_len(path, child->path.len), romfs_at(fs, dir->path), dir->path.len) != 0) {
            return false;
        }
    }
    return true;
}

static int check_node(const struct romfs *fs, uint32_t i)
{
    const struct romfs_node *node = &fs->nodes[i];
    bool is_dir = (node->flags & ROMFS_DIR) != 0;

    if ((node->skill != ROMFS_NONE && node->skill >= fs->header->skills.count) || /* (4) */
        !digest_fits(fs, node->digest)) { /* also of directories: code that compares digests does not check */
        return ROMFS_ERR_NODE;
    }
    if (i == 0) {
        return is_dir && node->path.len == 0 ? ROMFS_OK : ROMFS_ERR_NODE;
    }
    if (node->path.len == 0 || *romfs_at(fs, node->path) == '/' || (!is_dir && !file_is_sound(fs, node))) {
        return ROMFS_ERR_NODE; /* a slash in front: as a child of the root it would never be found */
    }
    const struct romfs_node *before = node - 1;
    bool sorted = i == 1 || romfs_path_order(romfs_at(fs, before->path), before->path.len, romfs_at(fs, node->path),
                                             node->path.len) < 0; /* (5) */
    return sorted ? ROMFS_OK : ROMFS_ERR_ORDER;
}

static int check_nodes(const struct romfs *fs)
{
    uint32_t count = fs->header->nodes.count, orphans = count - 1; /* all but the root */

    for (uint32_t i = 0; i < count; i++) {
        int error = check_node(fs, i);
        if (error != ROMFS_OK) {
            return error;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        if ((node->flags & ROMFS_DIR) != 0) {
            if (!children_are_its_own(fs, node)) {
                return ROMFS_ERR_NODE;
            }
            orphans -= node->stored;
        }
    }
    return orphans == 0 ? ROMFS_OK : ROMFS_ERR_NODE;
}

static bool is_file(const struct romfs *fs, uint32_t node)
{
    return node < fs->header->nodes.count && (fs->nodes[node].flags & ROMFS_DIR) == 0;
}

static bool skill_is_sound(const struct romfs *fs, const struct romfs_skill *s)
{
    const struct romfs_header *h = fs->header;
    uint32_t i = (uint32_t)(s - fs->skills);
    /* A page of listed entries is sent as one run, so they must follow each other. */
    bool follows = i == 0 || i >= h->listed || s->entry.off == s[-1].entry.off + s[-1].entry.len + 1u;
    bool quoted = s->name.len >= 2 && s->description.len >= 2; /* (8) */

    return follows && quoted && s->resources.off > s->entry.off && is_file(fs, s->node) &&
           fs->nodes[s->node].skill == i;
}

static int check_skills(const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        if (!skill_is_sound(fs, &fs->skills[i])) {
            return ROMFS_ERR_SKILL;
        }
    }
    return ROMFS_OK;
}

static bool names_ascend(const struct romfs *fs, struct romfs_text a, struct romfs_text b)
{
    return bytes_order(romfs_at(fs, a), a.len, romfs_at(fs, b), b.len) < 0;
}

static int check_tools(const struct romfs *fs)
{
    for (uint32_t i = 1; i < fs->header->tools.count; i++) {
        if (!names_ascend(fs, fs->tools[i - 1].name, fs->tools[i].name)) {
            return ROMFS_ERR_ORDER;
        }
    }
    return ROMFS_OK;
}

/* ---- What romfs_mount_lean does without ---- */

static bool files_are_sound(const struct romfs *fs)
{
    const struct romfs_file *f = fs->files;

    for (uint32_t n = fs->header->files.count; n > 0; n--, f++) {
        bool runs = f->kind == ROMFS_SCRIPT;
        if (!is_file(fs, f->node) || (runs ? f->tool >= fs->header->tools.count : f->tool != ROMFS_NONE)) {
            return false;
        }
    }
    return true;
}

static bool arg_is_sound(uint32_t arg, uint32_t count)
{
    return arg == ROMFS_NONE || arg < count;
}

static bool body_is_sound(const struct romfs *fs, const struct romfs_skill *s)
{
    const struct romfs_node *file = &fs->nodes[s->node];
    uint32_t at = 0; /* where the previous stretch ended: (7) */
    const struct romfs_body_part *part = &fs->bodies[s->first_body];

    for (uint32_t n = s->body_count; n > 0; n--, part++) {
        if (part->off < at || !within(part->off, part->len, romfs_length(file)) ||
            !escaped_fits(part->len, part->json_size) || !arg_is_sound(part->arg, s->arg_count)) {
            return false;
        }
        at = part->off + part->len;
    }
    return true;
}

/* Its links to tools, prompts and skills: three runs in one table. */
static bool links_are_sound(const struct romfs *fs, const struct romfs_skill *s)
{
    const struct romfs_header *h = fs->header;
    const uint32_t *counts = &s->tool_links, bounds[] = {h->tools.count, h->prompts.count, h->skills.count};
    uint32_t at = s->first_link;

    for (unsigned i = 0; i < 3; i++) {
        if (!within(at, counts[i], h->links.count)) {
            return false;
        }
        for (uint32_t n = counts[i]; n > 0; n--) {
            if (fs->links[at++] >= bounds[i]) {
                return false;
            }
        }
    }
    return true;
}

static bool details_are_sound(const struct romfs *fs, const struct romfs_skill *s)
{
    const struct romfs_header *h = fs->header;

    return within(s->first_file, s->file_count, h->files.count) &&
           within(s->first_body, s->body_count, h->bodies.count) && within(s->first_arg, s->arg_count, h->args.count) &&
           body_is_sound(fs, s) && links_are_sound(fs, s) && digest_fits(fs, s->zip_digest) &&
           digest_fits(fs, s->tgz_digest);
}

static int check_prompts(const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;

    for (uint32_t i = 0; i < h->prompts.count; i++) {
        const struct romfs_prompt *p = &fs->prompts[i];
        if (i > 0 && !names_ascend(fs, p[-1].name, p->name)) {
            return ROMFS_ERR_ORDER;
        }
        if (!within(p->first_arg, p->arg_count, h->args.count) ||
            !within(p->first_part, p->part_count, h->prompt_parts.count)) {
            return ROMFS_ERR_PROMPT;
        }
        for (uint32_t k = 0; k < p->part_count; k++) {
            if (!arg_is_sound(fs->prompt_parts[p->first_part + k].arg, p->arg_count)) {
                return ROMFS_ERR_PROMPT;
            }
        }
    }
    return ROMFS_OK;
}

static int check_details(const struct romfs *fs)
{
    const struct romfs_skill *s = fs->skills;

    for (uint32_t n = fs->header->skills.count; n > 0; n--, s++) {
        if (!details_are_sound(fs, s)) {
            return ROMFS_ERR_SKILL;
        }
    }
    return files_are_sound(fs) ? ROMFS_OK : ROMFS_ERR_SKILL;
}

/* ---- Mounting ---- */

int romfs_mount_lean(struct romfs *fs, const void *image, size_t n)
{
    if (((uintptr_t)image & 3u) != 0) {
        return ROMFS_ERR_ALIGN;
    }
    if (n < sizeof(struct romfs_header)) {
        return ROMFS_ERR_SHORT;
    }
    const uint8_t *bytes = image;
    const struct romfs_header *h = image;
    int error = check_header(h, n);
    if (error != ROMFS_OK) {
        return error;
    }
    fs->image = bytes;
    fs->header = h;
    fs->nodes = (const void *)(bytes + h->nodes.off);
    fs->skills = (const void *)(bytes + h->skills.off);
    fs->files = (const void *)(bytes + h->files.off);
    fs->bodies = (const void *)(bytes + h->bodies.off);
    fs->links = (const void *)(bytes + h->links.off);
    fs->tools = (const void *)(bytes + h->tools.off);
    fs->prompts = (const void *)(bytes + h->prompts.off);
    fs->args = (const void *)(bytes + h->args.off);
    fs->prompt_parts = (const void *)(bytes + h->prompt_parts.off);
    if ((error = check_nodes(fs)) != ROMFS_OK || (error = check_skills(fs)) != ROMFS_OK) {
        return error;
    }
    return check_tools(fs);
}

int romfs_mount_skills(struct romfs *fs, const void *image, size_t n)
{
    int error = romfs_mount_lean(fs, image, n);

    return error == ROMFS_OK ? check_details(fs) : error;
}

int romfs_mount_prompts(struct romfs *fs, const void *image, size_t n)
{
    int error = romfs_mount_skills(fs, image, n);

    return error == ROMFS_OK ? check_prompts(fs) : error;
}

/* ---- Look-up ---- */

/* The one of these children, of one directory, whose last segment, from byte `at` of its path on, is leaf[0..n); NULL:
 * there is none. They are sorted by it, and their paths begin with the directory's: (5), (6). */
static const struct romfs_node *find_child(const struct romfs *fs, const struct romfs_node *first, uint32_t count,
                                           size_t at, const char *leaf, size_t n)
{
    while (count > 0) {
        const struct romfs_node *node = first + count / 2;
        int order = bytes_order(romfs_at(fs, node->path) + at, node->path.len - at, leaf, n);
        if (order == 0) {
            return node;
        }
        if (order < 0) {
            first = node + 1;
            count--; /* the one just compared is in neither half */
        }
        count /= 2;
    }
    return NULL;
}

/* A segment at a time, from the root down. */
const struct romfs_node *romfs_find(const struct romfs *fs, const char *path, size_t n)
{
    const struct romfs_node *node = &fs->nodes[0];

    for (size_t at = 0, end = 0; end < n && node != NULL; at = end + 1) {
        const char *slash = memchr(path + at, '/', n - at);
        end = slash != NULL ? (size_t)(slash - path) : n;
        bool is_dir = (node->flags & ROMFS_DIR) != 0;
        node = is_dir ? find_child(fs, &fs->nodes[node->data], node->stored, at, path + at, end - at) : NULL;
    }
    return node;
}

/* Devices have a handful of tools and prompts: walking the table is smaller than
 * a second binary search and as quick. */
const struct romfs_tool *romfs_find_tool(const struct romfs *fs, const char *name, size_t n)
{
    for (uint32_t i = 0; i < fs->header->tools.count; i++) {
        const struct romfs_tool *t = &fs->tools[i];
        if (t->name.len == n && memcmp(romfs_at(fs, t->name), name, n) == 0) {
            return t;
        }
    }
    return NULL;
}

const struct romfs_prompt *romfs_find_prompt(const struct romfs *fs, const char *name, size_t n)
{
    for (uint32_t i = 0; i < fs->header->prompts.count; i++) {
        const struct romfs_prompt *p = &fs->prompts[i];
        if (p->name.len == n && memcmp(romfs_at(fs, p->name), name, n) == 0) {
            return p;
        }
    }
    return NULL;
}
