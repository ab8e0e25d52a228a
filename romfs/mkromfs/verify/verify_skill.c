/* verify_skill.c -- a skill's records against each other and against the files.
 *
 * An entry is checked by writing its `resources` again from the node table: the text must be the same, byte for byte,
 * because there is one way to write it. Archives are checked by generating them once more. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "base/uri_path.h"
#include "image/archives.h"
#include "image/entry.h"
#include "image/text_facts.h"
#include "verify/content.h"
#include "verify/verify.h"
#include "verify/walk.h"

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

static void add_text(struct buf *b, const struct romfs *fs, struct romfs_text text)
{
    buf_add(b, romfs_at(fs, text), text.len);
}

static bool text_is(const struct romfs *fs, struct romfs_text text, const void *bytes, size_t n)
{
    return text.len == n && memcmp(romfs_at(fs, text), bytes, n) == 0;
}

/* ---- The entry ---- */

/* The entry put together from its parts, with `resources` regenerated. */
static struct buf entry_again(const struct romfs *fs, const struct romfs_skill *skill, const struct listed_file *files,
                              size_t count)
{
    struct romfs_text base = fs->header->base;
    struct buf b = {0};

    buf_puts(&b, "{\"uri\":\"");
    add_text(&b, fs, base);
    add_text(&b, fs, fs->nodes[skill->node].path);
    buf_puts(&b, "\",\"frontmatter\":");
    add_text(&b, fs, skill->frontmatter);
    buf_puts(&b, ",\"resources\":");
    for (size_t i = 0; i < count && (skill->flags & ROMFS_DYNAMIC) == 0; i++) {
        const struct romfs_node *file = files[i].node;
        buf_puts(&b, i > 0 ? "," : "[");
        entry_resource(&b, romfs_at(fs, base), base.len, romfs_at(fs, file->path), file->path.len,
                       fs->image + file->digest, file->size);
    }
    buf_puts(&b, (skill->flags & ROMFS_DYNAMIC) != 0 ? "\"dynamic\"," : "],");
    add_text(&b, fs, skill->lean);
    buf_puts(&b, "}");
    return b;
}

static bool is_inside(struct romfs_text part, struct romfs_text whole)
{
    return part.len == 0 ||
           (part.off >= whole.off && part.len <= whole.len && part.off - whole.off <= whole.len - part.len);
}

static void check_entry(struct verify *v, const struct romfs_skill *skill, const struct listed_file *files,
                        size_t count)
{
    const struct romfs_text parts[] = {skill->frontmatter, skill->resources,   skill->lean,
                                       skill->name,        skill->description, skill->prompt,
                                       skill->version,     skill->tags,        skill->dependencies};
    struct buf again = entry_again(v->fs, skill, files, count);

    if (!text_is(v->fs, skill->entry, again.p, again.n)) {
        verify_problem(v, skill->path, "the skill's entry does not name exactly its files, digests and sizes");
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (!is_inside(parts[i], skill->entry)) {
            verify_problem(v, skill->path, "a part of the skill's entry is outside of it");
        }
    }
    free(again.p);
}

/* ---- Files, instructions, archives ---- */

static void check_files(struct verify *v, const struct romfs_skill *skill, const struct listed_file *files,
                        size_t count)
{
    bool same = skill->file_count + 1u == count;

    for (uint32_t i = 0; same && i < skill->file_count; i++) {
        const struct romfs_file *file = &v->fs->files[skill->first_file + i];
        const struct listed_file *listed = &files[i + 1];
        char *quoted = json_quoted(listed->path, strlen(listed->path));
        same = &v->fs->nodes[file->node] == listed->node &&
               text_is(v->fs, file->path, quoted + 1, strlen(quoted) - 2) && file->about.len > 2;
        free(quoted);
    }
    if (!same) {
        verify_problem(v, skill->path, "the skill's files are not those below its directory");
    }
}

/* The bytes that stretches of a file count: see romfs_length. False: it is damaged, which verify.c has reported. */
static bool bytes_read_as(const struct romfs *fs, const struct romfs_node *file, struct buf *text)
{
    struct content content;
    const uint8_t *bytes;
    size_t n;

    for (content_open(&content, fs, file); (n = content_next(&content, &bytes)) > 0;) {
        buf_add(text, bytes, n);
    }
    bool whole = content_whole(&content);
    content_close(&content);
    if ((file->flags & ROMFS_ESCAPED) != 0) {
        text->n = 0;
        buf_add(text, fs->image + file->data, file->stored);
    }
    return whole;
}

/* True when a stretch can stand in a JSON string and is as long there as its record says. */
static bool stretch_is_sound(const uint8_t *bytes, const struct romfs_body_part *part, bool escaped)
{
    struct text_facts facts = {0};
    struct romfs_unescape text;
    const uint8_t *run = bytes + part->off;
    size_t n;

    if (!escaped) {
        text_facts_add(&facts, run, part->len);
        return text_facts_is_text(&facts) && facts.json_size == part->json_size;
    }
    for (romfs_unescape_start(&text, run, part->len); (n = romfs_unescape_next(&text, part->len, &run)) > 0;) {
        text_facts_add(&facts, run, n);
    }
    return romfs_unescape_whole(&text) && text_facts_is_text(&facts) && facts.json_size == part->json_size;
}

static void check_body(struct verify *v, const struct romfs_skill *skill)
{
    const struct romfs_node *file = &v->fs->nodes[skill->node];
    struct buf text = {0};
    bool whole = bytes_read_as(v->fs, file, &text), escaped = (file->flags & ROMFS_ESCAPED) != 0;

    for (uint32_t i = 0; whole && i < skill->body_count; i++) {
        const struct romfs_body_part *part = &v->fs->bodies[skill->first_body + i];
        if (!stretch_is_sound(text.p, part, escaped)) {
            verify_problem(v, skill->path, "the recorded size of its instructions as JSON is wrong");
        }
    }
    free(text.p);
}

static void check_archives(struct verify *v, uint32_t index)
{
    const struct romfs_skill *skill = &v->fs->skills[index];
    const uint32_t recorded[] = {[ROMFS_ZIP] = skill->zip_digest, [ROMFS_TAR_GZ] = skill->tgz_digest};
    uint8_t digest[ROMFS_SHA256_SIZE];
    uint32_t crc;

    for (unsigned kind = ROMFS_ZIP; kind <= ROMFS_TAR_GZ; kind++) {
        archives_digest(v->fs, index, kind, digest);
        if (memcmp(digest, v->fs->image + recorded[kind], sizeof digest) != 0) {
            verify_problem(v, skill->path, "an archive of the skill does not match its digest");
        }
    }
    if (!archives_tar_crc(v->fs, index, &crc) || crc != skill->tar_crc) {
        verify_problem(v, skill->path, "the skill's tar does not match its CRC");
    }
}

/* Paths ascend among the listed skills, and among the others. */
static bool is_in_order(const struct romfs *fs, uint32_t index)
{
    if (index == 0 || index == fs->header->listed) {
        return true;
    }
    struct romfs_text a = fs->skills[index - 1].path, b = fs->skills[index].path;
    return strcmp(uri_path_decode(romfs_at(fs, a), a.len), uri_path_decode(romfs_at(fs, b), b.len)) < 0;
}

void verify_skill(struct verify *v, uint32_t index)
{
    static const char manifest[] = "/SKILL.md";
    const struct romfs *fs = v->fs;
    const struct romfs_skill *skill = &fs->skills[index];
    struct romfs_text path = fs->nodes[skill->node].path;
    const struct romfs_node *root = romfs_find(fs, romfs_at(fs, skill->path), skill->path.len);
    size_t count;

    if (root == NULL || (root->flags & ROMFS_DIR) == 0 || root->skill != index ||
        path.len != skill->path.len + sizeof manifest - 1 ||
        memcmp(romfs_at(fs, path), romfs_at(fs, skill->path), skill->path.len) != 0 ||
        memcmp(romfs_at(fs, path) + skill->path.len, manifest, sizeof manifest - 1) != 0) {
        verify_problem(v, path, "a skill needs a SKILL.md in a directory that belongs to it");
        return;
    }
    if (!is_in_order(fs, index)) {
        verify_problem(v, path, "skills are not in the order of their paths");
    }
    struct listed_file *files = files_below(fs, root, &count);
    check_entry(v, skill, files, count);
    check_files(v, skill, files, count);
    check_body(v, skill);
    if ((skill->flags & ROMFS_NO_ARCHIVE) == 0) {
        check_archives(v, index);
    }
    for (size_t i = 0; i < count; i++) {
        free(files[i].path);
    }
    free(files);
}
