/* summary_json.c -- `skillrom info --json`: what summary.c and summary_skill.c print for people, as one JSON object. */
#include "archive.h"
#include "base/buf.h"
#include "base/json_out.h"
#include "cli/summary.h"
#include "sha256.h"

static void add_plain(struct buf *b, const struct romfs *fs, const char *before, struct romfs_text text)
{
    buf_puts(b, before);
    json_string(b, romfs_at(fs, text), text.len);
}

/* Text that the image holds as the inside of a JSON string. */
static void add_inside(struct buf *b, const struct romfs *fs, const char *before, struct romfs_text text)
{
    buf_puts(b, before);
    buf_puts(b, "\"");
    buf_add(b, romfs_at(fs, text), text.len);
    buf_puts(b, "\"");
}

static void add_bool(struct buf *b, const char *before, bool is)
{
    buf_puts(b, before);
    buf_puts(b, is ? "true" : "false");
}

static void add_arguments(struct buf *b, const struct romfs *fs, const struct romfs_skill *skill)
{
    buf_puts(b, ",\"arguments\":[");
    for (uint32_t i = 0; i < skill->arg_count; i++) {
        const struct romfs_arg *arg = &fs->args[skill->first_arg + i];
        add_plain(b, fs, i > 0 ? ",{\"name\":" : "{\"name\":", arg->name);
        add_bool(b, ",\"required\":", arg->required != 0);
        if (arg->value.len > 0) {
            add_inside(b, fs, ",\"default\":", arg->value);
        }
        buf_puts(b, "}");
    }
    buf_puts(b, "]");
}

static void add_scripts(struct buf *b, const struct romfs *fs, const struct romfs_skill *skill)
{
    const char *before = "{\"path\":";

    buf_puts(b, ",\"scripts\":[");
    for (uint32_t i = 0; i < skill->file_count; i++) {
        const struct romfs_file *file = &fs->files[skill->first_file + i];
        if (file->kind == ROMFS_SCRIPT) {
            add_inside(b, fs, before, file->path);
            add_plain(b, fs, ",\"tool\":", fs->tools[file->tool].name);
            buf_puts(b, "}");
            before = ",{\"path\":";
        }
    }
    buf_puts(b, "]");
}

/* What the skill's links lead to: tools first, then prompts, then skills. */
static void add_links(struct buf *b, const struct romfs *fs, const struct romfs_skill *skill)
{
    const uint32_t *link = &fs->links[skill->first_link];

    buf_puts(b, ",\"tools\":[");
    for (uint32_t i = 0; i < skill->tool_links; i++) {
        add_plain(b, fs, i > 0 ? "," : "", fs->tools[*link++].name);
    }
    buf_puts(b, "],\"prompts\":[");
    for (uint32_t i = 0; i < skill->prompt_links; i++) {
        add_plain(b, fs, i > 0 ? "," : "", fs->prompts[*link++].name);
    }
    buf_puts(b, "],\"subSkills\":[");
    for (uint32_t i = 0; i < skill->skill_links; i++) {
        add_plain(b, fs, i > 0 ? "," : "", fs->skills[*link++].path);
    }
    buf_puts(b, "]");
}

static void add_skill(struct buf *b, const struct romfs *fs, uint32_t index)
{
    const struct romfs_skill *skill = &fs->skills[index];

    add_plain(b, fs, "{\"path\":", skill->path);
    add_bool(b, ",\"listed\":", index < fs->header->listed);
    add_bool(b, ",\"dynamic\":", (skill->flags & ROMFS_DYNAMIC) != 0);
    add_bool(b, ",\"archived\":", (skill->flags & ROMFS_ARCHIVED) != 0);
    add_arguments(b, fs, skill);
    add_scripts(b, fs, skill);
    add_links(b, fs, skill);
    if ((skill->flags & ROMFS_NO_ARCHIVE) == 0) {
        buf_printf(b, ",\"archives\":{\"zip\":%llu,\"tarGz\":%llu}",
                   (unsigned long long)romfs_archive_size(fs, index, ROMFS_ZIP),
                   (unsigned long long)romfs_archive_size(fs, index, ROMFS_TAR_GZ));
    }
    buf_puts(b, "}");
}

static void add_named(struct buf *b, const struct romfs *fs, uint32_t i, struct romfs_text name, uint32_t flags)
{
    add_plain(b, fs, i > 0 ? ",{\"name\":" : "{\"name\":", name);
    add_bool(b, ",\"scoped\":", (flags & ROMFS_SCOPED) != 0);
    buf_puts(b, "}");
}

static void add_costs(struct buf *b, const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    struct summary_totals t = summary_count(fs);
    char build[17], interface[2 * ROMFS_INTERFACE_SIZE + 1];

    romfs_sha256_hex(h->digest, 8, build);
    romfs_sha256_hex(h->interface_id, ROMFS_INTERFACE_SIZE, interface);
    buf_printf(b, ",\"interface\":\"%s\"", interface);
    buf_printf(b, ",\"build\":\"%s\",\"format\":%u,\"window\":%u,\"files\":%u,\"deflated\":%u", build, h->version,
               h->window, t.files, t.deflated);
    buf_printf(b, ",\"bytes\":{\"content\":%llu,\"stored\":%llu,\"overhead\":%u,\"image\":%u}",
               (unsigned long long)t.content, (unsigned long long)t.stored, h->meta_size, h->size);
}

/* Fields of a release, after those of its image. */
static void add_release(struct buf *b, const struct romfs_release *r)
{
    char product[2 * ROMFS_RELEASE_PRODUCT_SIZE + 1];

    romfs_sha256_hex(r->product, ROMFS_RELEASE_PRODUCT_SIZE, product);
    buf_printf(b, ",\"release\":{\"number\":%u,\"product\":\"%s\",\"key\":%u,\"minKey\":%u}", (unsigned)r->number,
               product, r->key, r->min_key);
}

void summary_print_json(FILE *out, const struct romfs *fs, const struct romfs_release *release)
{
    const struct romfs_header *h = fs->header;
    struct buf b = {0};

    buf_puts(&b, "{\"device\":");
    buf_add(&b, romfs_at(fs, h->server_info), h->server_info.len);
    add_costs(&b, fs);
    add_plain(&b, fs, ",\"base\":", h->base);
    add_bool(&b, ",\"skillTools\":", h->skills.count > 0 && (h->flags & ROMFS_NO_SKILL_TOOLS) == 0);
    add_bool(&b, ",\"skillPrompts\":", h->skills.count > 0 && (h->flags & ROMFS_NO_SKILL_PROMPTS) == 0);
    if (romfs_find_panel(fs) != NULL) {
        add_plain(&b, fs, ",\"panel\":{\"uri\":", romfs_find_panel(fs)->file.path);
        buf_printf(&b, ",\"size\":%u,\"stored\":%u}", romfs_find_panel(fs)->file.size,
                   romfs_find_panel(fs)->file.stored);
    }
    buf_puts(&b, ",\"skills\":[");
    for (uint32_t i = 0; i < h->skills.count; i++) {
        buf_puts(&b, i > 0 ? "," : "");
        add_skill(&b, fs, i);
    }
    buf_puts(&b, "],\"tools\":[");
    for (uint32_t i = 0; i < h->tools.count; i++) {
        add_named(&b, fs, i, fs->tools[i].name, fs->tools[i].flags);
    }
    buf_puts(&b, "],\"prompts\":[");
    for (uint32_t i = 0; i < h->prompts.count; i++) {
        add_named(&b, fs, i, fs->prompts[i].name, fs->prompts[i].flags);
    }
    buf_puts(&b, "]");
    if (release != NULL) {
        add_release(&b, release);
    }
    fprintf(out, "%s}\n", buf_str(&b));
}
