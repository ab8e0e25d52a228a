/* summary.c -- what an image holds and what it costs. See summary.h. Everything is
 * read from the mounted image, so `pack` and `info` cannot disagree. */
#include "cli/summary.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/screen.h"
#include "sha256.h"

#define LARGEST 5

struct summary_totals summary_count(const struct romfs *fs)
{
    struct summary_totals t = {0};

    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        if ((node->flags & ROMFS_DIR) == 0) {
            t.files++;
            t.content += node->size;
            t.deflated += (node->flags & ROMFS_DEFLATE) != 0;
        }
    }
    if (romfs_find_panel(fs) != NULL) {
        const struct romfs_node *panel = &romfs_find_panel(fs)->file;
        t.files++;
        t.content += panel->size;
        t.deflated += (panel->flags & ROMFS_DEFLATE) != 0;
    }
    t.stored = fs->header->size - fs->header->meta_size;
    return t;
}

static void print_row(FILE *out, const char *what, uint64_t bytes)
{
    fprintf(out, "  %-9s %14s bytes", what, screen_number(bytes));
}

static void print_costs(FILE *out, const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    struct summary_totals t = summary_count(fs);
    char build[17], interface[2 * ROMFS_INTERFACE_SIZE + 1];

    romfs_sha256_hex(h->digest, 8, build);
    print_row(out, "content", t.content);
    fprintf(out, "   %s file%s\n", screen_number(t.files), screen_plural(t.files));
    print_row(out, "stored", t.stored);
    if (t.content > 0) {
        fprintf(out, "   %.1f %% of the content", 100.0 * (double)t.stored / (double)t.content);
    }
    if (t.deflated > 0) {
        fprintf(out, ", %s file%s deflated, window %u", screen_number(t.deflated), screen_plural(t.deflated),
                h->window);
    }
    fputc('\n', out);
    if (romfs_find_panel(fs) != NULL) {
        print_row(out, "panel", romfs_find_panel(fs)->file.size);
        fputs("   ", out);
        screen_text(out, romfs_at(fs, romfs_find_panel(fs)->file.path), romfs_find_panel(fs)->file.path.len);
        fprintf(out, ", %s stored; --no-panel leaves it out\n", screen_number(romfs_find_panel(fs)->file.stored));
    }
    print_row(out, "overhead", h->meta_size);
    fprintf(out, "   tables, JSON and digests, %.1f %% of the image\n", 100.0 * (double)h->meta_size / (double)h->size);
    print_row(out, "image", h->size);
    fprintf(out, "   build %s", build);
    romfs_sha256_hex(h->interface_id, ROMFS_INTERFACE_SIZE, interface);
    fprintf(out, h->tools.count > 0 ? ", interface %s\n" : "\n", interface);
}

static void print_largest(FILE *out, const struct romfs *fs)
{
    const struct romfs_node *largest[LARGEST] = {NULL};
    unsigned found = 0;

    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        if ((node->flags & ROMFS_DIR) != 0) {
            continue;
        }
        unsigned at = found;
        while (at > 0 && largest[at - 1]->size < node->size) {
            at--;
        }
        if (at == LARGEST) {
            continue;
        }
        found += found < LARGEST;
        memmove(&largest[at + 1], &largest[at], (found - at - 1) * sizeof largest[0]);
        largest[at] = node;
    }
    if (found < 2) {
        return; /* pointless if there is only one file */
    }
    fprintf(out, "largest files\n");
    for (unsigned i = 0; i < found; i++) {
        fprintf(out, "  %14s  ", screen_number(largest[i]->size));
        screen_text(out, romfs_at(fs, largest[i]->path), largest[i]->path.len);
        fputc('\n', out);
    }
}

static void print_counts(FILE *out, const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;

    fprintf(out, "%s skill%s", screen_number(h->skills.count), screen_plural(h->skills.count));
    if (h->listed < h->skills.count) {
        fprintf(out, " (%s unlisted)", screen_number(h->skills.count - h->listed));
    }
    fprintf(out, ", %s tool%s, %s prompt%s\n", screen_number(h->tools.count), screen_plural(h->tools.count),
            screen_number(h->prompts.count), screen_plural(h->prompts.count));
}

void summary_print(FILE *out, const struct romfs *fs)
{
    print_counts(out, fs);
    print_costs(out, fs);
    print_largest(out, fs);
}

/* ---- What the device is ---- */

/* Prints the inside of the string member `key` (`"name":"`) of a compact JSON object. */
static void print_member(FILE *out, const char *json, size_t n, const char *key)
{
    const char *end = json + n, *p = memmem(json, n, key, strlen(key));

    if (p == NULL) {
        return;
    }
    p += strlen(key);
    const char *start = p;
    while (p < end && *p != '"') {
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
    screen_text(out, start, (size_t)(p - start));
}

static void print_name(FILE *out, const struct romfs *fs, const char *what, struct romfs_text name, uint32_t flags)
{
    fprintf(out, "  %-9s ", what);
    screen_text(out, romfs_at(fs, name), name.len);
    fputs((flags & ROMFS_SCOPED) != 0 ? " (scoped)\n" : "\n", out);
}

void summary_print_all(FILE *out, const struct romfs *fs)
{
    const struct romfs_header *h = fs->header;
    const char *info = romfs_at(fs, h->server_info);

    print_member(out, info, h->server_info.len, "\"name\":\"");
    fputc(' ', out);
    print_member(out, info, h->server_info.len, "\"version\":\"");
    fprintf(out, ": ");
    print_counts(out, fs);
    print_costs(out, fs);
    fprintf(out, "  %-9s %u\n  %-9s ", "format", h->version, "base");
    screen_text(out, romfs_at(fs, h->base), h->base.len);
    fprintf(out, "\n  %-9s %u%s\n", "window", h->window, h->window > 0 ? " bytes" : " (nothing is compressed)");
    if (h->skills.count > 0) {
        fprintf(out, "  %-9s %s, %s\n", "offers",
                (h->flags & ROMFS_NO_SKILL_TOOLS) != 0 ? "no tools for skills" : "list_skills and read_skill",
                (h->flags & ROMFS_NO_SKILL_PROMPTS) != 0 ? "skills not offered as prompts" : "skills as prompts");
    }
    summary_print_skills(out, fs);
    for (uint32_t i = 0; i < h->tools.count; i++) {
        print_name(out, fs, i == 0 ? "tools" : "", fs->tools[i].name, fs->tools[i].flags);
    }
    for (uint32_t i = 0; i < h->prompts.count; i++) {
        print_name(out, fs, i == 0 ? "prompts" : "", fs->prompts[i].name, fs->prompts[i].flags);
    }
    print_largest(out, fs);
}
