/* verify.c -- reads an image to the last byte. See verify.h; verify_skill.c checks what belongs to a skill. */
#include "verify/verify.h"

#include <string.h>

#include "base/screen.h"
#include "digest.h"
#include "image/deflate.h"
#include "image/text_facts.h"
#include "sha256.h"
#include "verify/content.h"

void verify_problem(struct verify *v, struct romfs_text path, const char *what)
{
    screen_progress_end();
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
    if (!romfs_is_intact(v->fs)) {
        verify_problem(v, (struct romfs_text){0, 0}, "the image's digest does not match its bytes");
    }
}

static void check_file(struct verify *v, const struct romfs_node *file)
{
    struct content content;
    struct text_facts facts = {0};
    struct romfs_sha256 hash;
    uint8_t digest[ROMFS_SHA256_SIZE];
    uint32_t crc = 0;
    const uint8_t *bytes;
    size_t n;

    romfs_sha256_start(&hash);
    for (content_open(&content, v->fs, file); (n = content_next(&content, &bytes)) > 0;) {
        romfs_sha256_add(&hash, bytes, n);
        text_facts_add(&facts, bytes, n);
        crc = romfs_crc32(crc, bytes, n);
    }
    bool whole = content_whole(&content);
    content_close(&content);
    romfs_sha256_finish(&hash, digest);
    if (!whole) {
        verify_problem(v, file->path, "the stored content is damaged, or not as long as its record says");
    } else if (memcmp(digest, v->fs->image + file->digest, sizeof digest) != 0) {
        verify_problem(v, file->path, "the content does not match its digest");
    } else if (crc != file->crc) {
        verify_problem(v, file->path, "the content does not match its CRC");
    }
    if ((file->flags & ROMFS_DEFLATE) != 0 && !deflate_can_be_spliced(v->fs->image + file->data, file->stored)) {
        verify_problem(v, file->path, "the compressed content does not end as archives require");
    }
    bool is_text = (file->flags & ROMFS_TEXT) != 0;
    if (is_text && !text_facts_is_text(&facts)) {
        verify_problem(v, file->path, "marked as text, but not UTF-8 without NUL");
    }
    if (is_text && facts.json_size != file->json_size) {
        verify_problem(v, file->path, "the recorded size of its JSON form is wrong");
    }
}

unsigned verify_image(const struct romfs *fs, const char *name, FILE *out)
{
    struct verify v = {.fs = fs, .name = name, .out = out};

    check_image_digest(&v);
    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        if ((fs->nodes[i].flags & ROMFS_DIR) == 0) {
            screen_progress("verifying", "files");
            check_file(&v, &fs->nodes[i]);
        }
    }
    if (romfs_find_panel(fs) != NULL) {
        check_file(&v, &romfs_find_panel(fs)->file);
    }
    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        screen_progress("verifying archives of", "skills");
        verify_skill(&v, i);
    }
    screen_progress_end();
    return v.problems;
}
