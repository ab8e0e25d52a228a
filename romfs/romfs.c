/* romfs.c -- mount and look-up. See romfs.h for the contract, FORMAT.md for the bytes.
 *
 * Mounting is where doubt lives: every number of the image is hostile until it
 * has been compared with the image's size. Invariants after ROMFS_OK:
 *   (1) every table lies inside [0, meta_size) at a multiple of four
 *   (2) every romfs_text lies inside [0, meta_size)
 *   (3) every file's stored bytes lie inside [meta_size, size)
 *   (4) every index names a record that exists, or is ROMFS_NONE
 *   (5) nodes, tools and prompts are sorted without duplicates
 *   (6) a directory's children are exactly the nodes it counts, and lie below it */
#include "romfs.h"

#include <string.h>

/* Four bits at a time: 64 bytes of table instead of 1 KB, quick enough for a
 * check that runs once. */
uint32_t romfs_crc32(uint32_t crc, const void *bytes, size_t n)
{
    static const uint32_t step[16] = {
        0x00000000u, 0x1DB71064u, 0x3B6E20C8u, 0x26D930ACu, 0x76DC4190u, 0x6B6B51F4u, 0x4DB26158u, 0x5005713Cu,
        0xEDB88320u, 0xF00F9344u, 0xD6D6A3E8u, 0xCB61B38Cu, 0x9B64C2B0u, 0x86D3D2D4u, 0xA00AE278u, 0xBDBDF21Cu,
    };
    const uint8_t *p = bytes;
    crc = ~crc;
    while (n-- > 0) {
        crc ^= *p++;
        crc = (crc >> 4) ^ step[crc & 15u];
        crc = (crc >> 4) ^ step[crc & 15u];
    }
    return ~crc;
}

static int bytes_order(const char *a, size_t a_len, const char *b, size_t b_len)
{
    size_t n = a_len < b_len ? a_len : b_len;
    int order = n > 0 ? memcmp(a, b, n) : 0;
    if (order != 0) {
        return order;
    }
    return (a_len > b_len) - (a_len < b_len);
}

/* How many bytes of the path belong to the parent directory, the slash not counted. */
static size_t parent_len(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    return n > 0 ? n - 1 : 0;
}

/* Where the last segment starts. */
static size_t leaf_at(const char *path, size_t n)
{
    while (n > 0 && path[n - 1] != '/') {
        n--;
    }
    return n;
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

/* The tables and the texts in their records: the same two questions for each. Every
 * field is a word, so places are counted in words. */
static const struct {
    uint8_t table;      /* of the struct romfs_table in the header */
    uint8_t record;     /* size of a record */
    uint8_t first_text; /* of the first struct romfs_text in a record */
    uint8_t texts;      /* how many there are, one behind the other */
} tables[] = {
#define WORDS(bytes) ((uint8_t)((bytes) / 4))
#define TABLE(name, type, text, count)                                                                                 \
    {WORDS(offsetof(struct romfs_header, name)), WORDS(sizeof(struct type)), WORDS(offsetof(struct type, text)), count}
    TABLE(nodes, romfs_node, path, 3),
    TABLE(skills, romfs_skill, entry, 4),
    TABLE(tools, romfs_tool, name, 2),
    TABLE(prompts, romfs_prompt, name, 3),
    TABLE(prompt_args, romfs_prompt_arg, name, 1),
    TABLE(prompt_parts, romfs_prompt_part, text, 1),
};

/* (2), for `count` texts that lie one behind the other. */
static bool texts_fit(const struct romfs_header *h, const uint32_t *words, unsigned count)
{
    for (; count > 0; count--, words += 2) {
        if (words[0] > h->meta_size || words[1] > h->meta_size - words[0]) {
            return false;
        }
    }
    return true;
}

/* (1) and (2) for every table. */
static int check_tables(const struct romfs_header *h)
{
    const uint32_t *words = (const void *)h;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        uint32_t off = words[tables[i].table], count = words[tables[i].table + 1];
        if (off % 4 != 0 || off > h->meta_size || count > (h->meta_size - off) / (tables[i].record * 4u)) {
            return ROMFS_ERR_TABLE;
        }
        const uint32_t *record = words + off / 4 + tables[i].first_text;
        for (; count > 0; count--, record += tables[i].record) {
            if (!texts_fit(h, record, tables[i].texts)) {
                return ROMFS_ERR_TEXT;
            }
        }
    }
    return texts_fit(h, words + offsetof(struct romfs_header, base) / 4, 4) ? ROMFS_OK : ROMFS_ERR_TEXT;
}

static bool window_is_sound(uint32_t window)
{
    return window == 0 ||
           (window >= ROMFS_WINDOW_MIN && window <= ROMFS_WINDOW_MAX && (window & (window - 1u)) == 0);
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
    if (h->nodes.count == 0 || h->listed > h->skills.count) {
        return ROMFS_ERR_TABLE;
    }
    return window_is_sound(h->window) ? check_tables(h) : ROMFS_ERR_WINDOW;
}

/* (6): the children a directory counts all have it as their parent. */
static bool children_are_its_own(const struct romfs *fs, const struct romfs_node *dir)
{
    uint32_t count = fs->header->nodes.count;
    if (dir->data > count || dir->stored > count - dir->data || (dir->stored > 0 && dir->data == 0)) {
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

static bool file_is_sound(const struct romfs_header *h, const struct romfs_node *f)
{
    bool stored_fits = f->data >= h->meta_size && f->data <= h->size && f->stored <= h->size - f->data; /* (3) */
    bool digest_fits = f->digest <= h->meta_size && ROMFS_DIGEST_SIZE <= h->meta_size - f->digest;
    bool deflated = (f->flags & ROMFS_DEFLATE) != 0, text = (f->flags & ROMFS_TEXT) != 0;
    bool lengths_agree = f->size <= ROMFS_FILE_MAX &&
                         (!text || (f->json_size >= f->size && f->json_size / 6u <= f->size));
    return stored_fits && digest_fits && lengths_agree && (deflated ? h->window != 0 : f->stored == f->size);
}

static int check_node(const struct romfs *fs, uint32_t i)
{
    const struct romfs_header *h = fs->header;
    const struct romfs_node *node = &fs->nodes[i];
    bool is_dir = (node->flags & ROMFS_DIR) != 0;
    if (node->skill != ROMFS_NONE && node->skill >= h->skills.count) { /* (4) */
        return ROMFS_ERR_NODE;
    }
    if (i == 0) {
        return is_dir && node->path.len == 0 ? ROMFS_OK : ROMFS_ERR_NODE;
    }
    if (node->path.len == 0 || (!is_dir && !file_is_sound(h, node))) {
        return ROMFS_ERR_NODE;
    }
    const struct romfs_node *before = node - 1;
    bool sorted = i == 1 || romfs_path_order(romfs_at(fs, before->path), before->path.len, romfs_at(fs, node->path),
                                             node->path.len) < 0; /* (5) */
    return sorted ? ROMFS_OK : ROMFS_ERR_ORDER;
}

static int check_nodes(const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        int error = check_node(fs, i);
        if (error != ROMFS_OK) {
            return error;
        }
    }
    uint32_t orphans = fs->header->nodes.count - 1; /* all but the root */
    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
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

static int check_skills(const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    for (uint32_t i = 0; i < h->skills.count; i++) {
        const struct romfs_skill *s = &fs->skills[i];
        if (s->node >= h->nodes.count || (fs->nodes[s->node].flags & ROMFS_DIR) != 0 || fs->nodes[s->node].skill != i) {
            return ROMFS_ERR_SKILL;
        }
        /* A page of listed entries is sent as one run, so they must follow each other. */
        if (i > 0 && i < h->listed && s->entry.off != s[-1].entry.off + s[-1].entry.len + 1u) {
            return ROMFS_ERR_SKILL;
        }
    }
    return ROMFS_OK;
}

static int check_tools(const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    for (uint32_t i = 0; i < h->tools.count; i++) {
        const struct romfs_tool *t = &fs->tools[i];
        if (i > 0 && bytes_order(romfs_at(fs, t[-1].name), t[-1].name.len, romfs_at(fs, t->name), t->name.len) >= 0) {
            return ROMFS_ERR_ORDER;
        }
    }
    return ROMFS_OK;
}

static int check_prompt(const struct romfs *fs, uint32_t i)
{
    const struct romfs_header *h = fs->header;
    const struct romfs_prompt *p = &fs->prompts[i];
    if (i > 0 && bytes_order(romfs_at(fs, p[-1].name), p[-1].name.len, romfs_at(fs, p->name), p->name.len) >= 0) {
        return ROMFS_ERR_ORDER;
    }
    if (p->first_arg > h->prompt_args.count || p->arg_count > h->prompt_args.count - p->first_arg ||
        p->first_part > h->prompt_parts.count || p->part_count > h->prompt_parts.count - p->first_part) {
        return ROMFS_ERR_PROMPT;
    }
    for (uint32_t k = 0; k < p->part_count; k++) {
        uint32_t arg = fs->prompt_parts[p->first_part + k].arg;
        if (arg != ROMFS_NONE && arg >= p->arg_count) {
            return ROMFS_ERR_PROMPT;
        }
    }
    return ROMFS_OK;
}

static int check_prompts(const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->prompts.count; i++) {
        int error = check_prompt(fs, i);
        if (error != ROMFS_OK) {
            return error;
        }
    }
    return ROMFS_OK;
}

int romfs_mount(struct romfs *fs, const void *image, size_t n)
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
    fs->tools = (const void *)(bytes + h->tools.off);
    fs->prompts = (const void *)(bytes + h->prompts.off);
    fs->prompt_args = (const void *)(bytes + h->prompt_args.off);
    fs->prompt_parts = (const void *)(bytes + h->prompt_parts.off);
    if ((error = check_nodes(fs)) != ROMFS_OK || (error = check_skills(fs)) != ROMFS_OK ||
        (error = check_tools(fs)) != ROMFS_OK) {
        return error;
    }
    return check_prompts(fs);
}

const char *romfs_reason(int error)
{
    switch (error) {
    case ROMFS_OK: return "the image is sound";
    case ROMFS_ERR_SHORT: return "the image is cut short";
    case ROMFS_ERR_ALIGN: return "the image must start at a multiple of four";
    case ROMFS_ERR_MAGIC: return "this is not a skill image";
    case ROMFS_ERR_VERSION: return "the image was written for another version of the format";
    case ROMFS_ERR_CHECKSUM: return "the image is damaged: its checksum does not match";
    case ROMFS_ERR_TABLE: return "a table lies outside the image";
    case ROMFS_ERR_TEXT: return "a text lies outside the image";
    case ROMFS_ERR_NODE: return "a file record contradicts itself";
    case ROMFS_ERR_ORDER: return "a table is not sorted";
    case ROMFS_ERR_SKILL: return "a skill record contradicts itself";
    case ROMFS_ERR_PROMPT: return "a prompt record contradicts itself";
    case ROMFS_ERR_WINDOW: return "the image needs a deflate window that this build does not have";
    default: return "unknown error";
    }
}

/* ---- Look-up ---- */

const struct romfs_node *romfs_find(const struct romfs *fs, const char *path, size_t n)
{
    if (n == 0) {
        return &fs->nodes[0];
    }
    uint32_t low = 1, high = fs->header->nodes.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct romfs_node *node = &fs->nodes[middle];
        int order = romfs_path_order(romfs_at(fs, node->path), node->path.len, path, n);
        if (order == 0) { /* "/a" has the parent and leaf of "a", but is no path */
            return node->path.len == n ? node : NULL;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
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
