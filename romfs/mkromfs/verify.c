/* verify.c -- reads an image to the last byte. See verify.h.
 *
 * An entry is checked by writing its `resources` again from the node table: the
 * text must be the same, byte for byte, because there is one way to write it. */
#include "verify.h"

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "entry.h"
#include "screen.h"
#include "sha256.h"
#include "text_facts.h"
#include "uri_path.h"
#include "walk.h"

struct verify {
    const struct romfs *fs;
    const char *name;
    FILE *out;
    unsigned problems;
};

/* `path` may be empty: the problem is the image's. */
static void problem(struct verify *v, struct romfs_text path, const char *what)
{
    fprintf(v->out, "%s: ", v->name);
    if (path.len > 0) {
        screen_text(v->out, romfs_at(v->fs, path), path.len);
        fputs(": ", v->out);
    }
    fprintf(v->out, "%s\n", what);
    v->problems++;
}

static void check_image_digest(struct verify *v)
{
    const struct romfs_header *h = v->fs->header;
    size_t from = offsetof(struct romfs_header, window);
    uint8_t digest[SHA256_SIZE];

    sha256_of(v->fs->image + from, h->size - from, digest);
    if (memcmp(digest, h->digest, sizeof digest) != 0) {
        problem(v, (struct romfs_text){0, 0}, "the image's digest does not match its bytes");
    }
}

static void check_file(struct verify *v, const struct romfs_node *file)
{
    struct content content;
    struct text_facts facts = {0};
    struct sha256 hash;
    uint8_t digest[SHA256_SIZE];
    const uint8_t *bytes;
    size_t n;

    sha256_start(&hash);
    for (content_open(&content, v->fs, file); (n = content_next(&content, &bytes)) > 0;) {
        sha256_add(&hash, bytes, n);
        text_facts_add(&facts, bytes, n);
    }
    bool whole = content_whole(&content);
    content_close(&content);
    sha256_finish(&hash, digest);
    if (!whole) {
        problem(v, file->path, "the compressed content is damaged or shorter than its record says");
    } else if (memcmp(digest, v->fs->image + file->digest, sizeof digest) != 0) {
        problem(v, file->path, "the content does not match its digest");
    }
    bool is_text = (file->flags & ROMFS_TEXT) != 0;
    if (is_text && !text_facts_is_text(&facts)) {
        problem(v, file->path, "marked as text, but not UTF-8 without NUL");
    }
    if (is_text && facts.json_size != file->json_size) {
        problem(v, file->path, "the recorded size of its JSON form is wrong");
    }
}

/* ---- Entries ---- */

/* A file of a skill with its path inside the skill as on disk, which decides the order. */
struct listed_file {
    const struct romfs_node *node;
    char *path;
};

static int listed_order(const void *a, const void *b)
{
    const struct listed_file *left = a, *right = b;
    bool left_first = strcmp(left->path, "SKILL.md") == 0, right_first = strcmp(right->path, "SKILL.md") == 0;

    if (left_first != right_first) {
        return left_first ? -1 : 1;
    }
    return strcmp(left->path, right->path);
}

/* All files below a skill's root directory, as its entry lists them. */
static struct listed_file *files_below(const struct romfs *fs, const struct romfs_node *root, size_t *count)
{
    struct listed_file *files = NULL;
    size_t room = 0;
    struct walk walk;
    const struct romfs_node *node;

    *count = 0;
    for (walk_start(&walk, fs, root); (node = walk_next(&walk)) != NULL;) {
        if ((node->flags & ROMFS_DIR) != 0) {
            continue;
        }
        if (*count == room) {
            room = room > 0 ? room * 2 : 16;
            files = xrealloc(files, room * sizeof *files);
        }
        size_t skip = root->path.len + 1u;
        files[*count].node = node;
        files[(*count)++].path = uri_path_decode(romfs_at(fs, node->path) + skip, node->path.len - skip);
    }
    if (*count > 0) {
        qsort(files, *count, sizeof *files, listed_order);
    }
    return files;
}

/* `{"uri":"skill://a/SKILL.md","frontmatter":{`, which an entry must start with. */
static struct buf entry_head(const struct romfs *fs, struct romfs_text path)
{
    struct buf head = {0};

    buf_puts(&head, "{\"uri\":\"");
    buf_add(&head, romfs_at(fs, fs->header->base), fs->header->base.len);
    buf_add(&head, romfs_at(fs, path), path.len);
    buf_puts(&head, "\",\"frontmatter\":{");
    return head;
}

/* `,"resources":[..]}`, which it must end with. */
static struct buf entry_tail(const struct romfs *fs, const struct romfs_node *root)
{
    struct romfs_text base = fs->header->base;
    struct buf tail = {0};
    size_t count;
    struct listed_file *files = files_below(fs, root, &count);

    buf_puts(&tail, ",\"resources\":[");
    for (size_t i = 0; i < count; i++) {
        const struct romfs_node *file = files[i].node;
        buf_puts(&tail, i > 0 ? "," : "");
        entry_resource(&tail, romfs_at(fs, base), base.len, romfs_at(fs, file->path), file->path.len,
                       fs->image + file->digest, file->size);
        free(files[i].path);
    }
    free(files);
    buf_puts(&tail, "]}");
    return tail;
}

static bool is_inside(struct romfs_text part, struct romfs_text whole)
{
    return part.off >= whole.off && part.len <= whole.len && part.off - whole.off <= whole.len - part.len;
}

static void check_skill(struct verify *v, const struct romfs_skill *skill)
{
    static const char manifest[] = "/SKILL.md";
    const size_t manifest_len = sizeof manifest - 1;
    const struct romfs *fs = v->fs;
    struct romfs_text path = fs->nodes[skill->node].path, entry = skill->entry;
    const struct romfs_node *root = NULL;

    if (path.len > manifest_len &&
        memcmp(romfs_at(fs, path) + path.len - manifest_len, manifest, manifest_len) == 0) {
        root = romfs_find(fs, romfs_at(fs, path), path.len - manifest_len);
    }
    if (root == NULL || (root->flags & ROMFS_DIR) == 0 || root->skill != fs->nodes[skill->node].skill) {
        problem(v, path, "a skill needs a SKILL.md in a directory that belongs to it");
        return;
    }
    struct buf head = entry_head(fs, path), tail = entry_tail(fs, root);
    const char *text = romfs_at(fs, entry);
    if (entry.len < head.n + tail.n || memcmp(text, head.p, head.n) != 0 ||
        memcmp(text + entry.len - tail.n, tail.p, tail.n) != 0) {
        problem(v, path, "the skill's entry does not name exactly its files, digests and sizes");
    }
    if (!is_inside(skill->name, entry) || !is_inside(skill->description, entry)) {
        problem(v, path, "the skill's name or description lies outside its entry");
    }
    free(head.p);
    free(tail.p);
}

unsigned verify_image(const struct romfs *fs, const char *name, FILE *out)
{
    struct verify v = {.fs = fs, .name = name, .out = out};

    check_image_digest(&v);
    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        if ((fs->nodes[i].flags & ROMFS_DIR) == 0) {
            check_file(&v, &fs->nodes[i]);
        }
    }
    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        check_skill(&v, &fs->skills[i]);
    }
    return v.problems;
}
