/* record.c -- see record.h. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "image/image.h"
#include "romfs.h"

static void add(struct buf *b, const struct romfs *fs, struct romfs_text text)
{
    buf_add(b, romfs_at(fs, text), text.len);
}

static void add_files(struct buf *b, const struct romfs *fs, const struct romfs_skill *s)
{
    static const char *const kinds[] = {"reference", "asset", "script"};

    for (uint32_t i = 0; i < s->file_count; i++) {
        const struct romfs_file *file = &fs->files[s->first_file + i];
        buf_puts(b, i > 0 ? " " : "");
        add(b, fs, file->path);
        buf_printf(b, ":%s:", kinds[file->kind]);
        add(b, fs, file->about);
        if (file->title.len > 0) {
            buf_puts(b, "(");
            add(b, fs, file->title);
            buf_puts(b, ")");
        }
        if (file->alias.len > 0) {
            buf_puts(b, "@");
            add(b, fs, file->alias);
        }
        buf_puts(b, (file->flags & ROMFS_REQUIRED) != 0 ? "!" : "");
        if (file->tool != ROMFS_NONE) {
            buf_puts(b, "=");
            add(b, fs, fs->tools[file->tool].name);
        }
    }
}

static void add_args(struct buf *b, const struct romfs *fs, const struct romfs_skill *s)
{
    for (uint32_t i = 0; i < s->arg_count; i++) {
        const struct romfs_arg *arg = &fs->args[s->first_arg + i];
        buf_puts(b, i > 0 ? " " : "");
        add(b, fs, arg->name);
        buf_puts(b, arg->required != 0 ? "!" : arg->value.len > 0 ? "=" : "");
        add(b, fs, arg->value);
    }
}

static void add_body(struct buf *b, const struct romfs *fs, const struct romfs_skill *s)
{
    for (uint32_t i = 0; i < s->body_count; i++) {
        const struct romfs_body_part *part = &fs->bodies[s->first_body + i];
        buf_add(b, fs->image + fs->nodes[s->node].data + part->off, part->len); /* stored as it is */
        if (part->arg != ROMFS_NONE) {
            buf_puts(b, "<");
            add(b, fs, fs->args[s->first_arg + part->arg].name);
            buf_puts(b, ">");
        }
    }
}

static void add_links(struct buf *b, const struct romfs *fs, const struct romfs_skill *s, const char *key)
{
    uint32_t at = s->first_link, n = s->tool_links;
    char kind = key[0]; /* t, p or s */

    if (kind != 't') {
        at += n;
        n = s->prompt_links;
    }
    if (kind == 's') {
        at += n;
        n = s->skill_links;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t link = fs->links[at + i];
        buf_puts(b, i > 0 ? " " : "");
        add(b, fs, kind == 't' ? fs->tools[link].name : kind == 'p' ? fs->prompts[link].name : fs->skills[link].path);
    }
}

static bool add_of_device(struct buf *b, const struct romfs *fs, const char *key)
{
    const struct romfs_header *h = fs->header;

    if (strcmp(key, "flags-of-device") == 0) {
        buf_puts(b, (h->flags & ROMFS_NO_SKILL_TOOLS) != 0 ? "no-tools" : "");
        buf_puts(b, (h->flags & ROMFS_NO_SKILL_PROMPTS) != 0 ? "no-prompts" : "");
    } else if (strcmp(key, "listed-tools") == 0) {
        for (uint32_t i = 0; i < h->tools.count; i++) {
            if ((fs->tools[i].flags & ROMFS_SCOPED) == 0) {
                buf_puts(b, b->n > 0 ? " " : "");
                add(b, fs, fs->tools[i].name);
            }
        }
    } else if (strcmp(key, "listed-prompts") == 0) {
        for (uint32_t i = 0; i < h->prompts.count; i++) {
            if ((fs->prompts[i].flags & ROMFS_SCOPED) == 0) {
                buf_puts(b, b->n > 0 ? " " : "");
                add(b, fs, fs->prompts[i].name);
            }
        }
    } else if (strcmp(key, "base") == 0) {
        add(b, fs, h->base);
    } else if (strcmp(key, "templates") == 0) {
        add(b, fs, h->templates);
    } else if (strcmp(key, "index-templates") == 0) {
        add(b, fs, h->index_templates);
    } else {
        return false;
    }
    return true;
}

static bool add_text_of(struct buf *b, const struct romfs *fs, const struct romfs_skill *s, const char *key)
{
    const struct {
        const char *key;
        struct romfs_text text;
    } texts[] = {{"lean", s->lean},          {"prompt", s->prompt},     {"version", s->version},
                 {"tags", s->tags},          {"metadata", s->metadata}, {"dependencies", s->dependencies},
                 {"resource", s->extra},     {"entry", s->entry},       {"frontmatter", s->frontmatter},
                 {"resources", s->resources}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].key, key) == 0) {
            add(b, fs, texts[i].text);
            return true;
        }
    }
    return false;
}

char *record_of(const struct device *device, const char *key)
{
    struct image_options raw = {.raw_text = true};
    struct diag diag = {.out = stderr};
    struct buf image = {0}, b = {0};
    struct romfs fs;

    if (!image_build(device, &raw, &diag, &image) || romfs_mount(&fs, image.p, image.n) != ROMFS_OK) {
        return xstrdup("(no image)");
    }
    const struct romfs_skill *s = &fs.skills[0];
    if (add_of_device(&b, &fs, key) || add_text_of(&b, &fs, s, key)) {
        return buf_str(&b);
    }
    if (strcmp(key, "flags") == 0) {
        buf_puts(&b, (s->flags & ROMFS_DYNAMIC) != 0 ? "dynamic" : "");
        buf_puts(&b, (s->flags & ROMFS_ARCHIVED) != 0 ? "archived" : "");
        buf_puts(&b, (s->flags & ROMFS_NO_ARCHIVE) != 0 ? "unarchivable" : "");
    } else if (strcmp(key, "files") == 0) {
        add_files(&b, &fs, s);
    } else if (strcmp(key, "args") == 0) {
        add_args(&b, &fs, s);
    } else if (strcmp(key, "body") == 0) {
        add_body(&b, &fs, s);
    } else {
        add_links(&b, &fs, s, key);
    }
    return buf_str(&b);
}
