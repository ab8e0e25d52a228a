/* costs.c -- what an image costs its readers, as a table or as JSON. See costs.h. */
#include "cli/costs.h"

#include <string.h>

#include "base/json_out.h"
#include "base/screen.h"
#include "verify/budget.h"

#define NAME_WIDTH 44

static void print_row(FILE *out, const char *indent, const char *name, size_t n, struct cost cost)
{
    int pad = NAME_WIDTH - (int)strlen(indent) - (int)n;

    fputs(indent, out);
    screen_text(out, name, n);
    fprintf(out, "%*s %9s %11s %12.2f\n", pad > 0 ? pad : 0, "", screen_number(cost.tokens), screen_number(cost.wire),
            (double)cost.wire / BUDGET_LINE_SPEED);
}

static void print_line(FILE *out, const char *name, struct cost cost)
{
    print_row(out, "  ", name, strlen(name), cost);
}

static void print_skill(FILE *out, const struct romfs *fs, const struct romfs_skill *skill)
{
    print_row(out, "  ", romfs_at(fs, skill->path), skill->path.len, budget_file(fs, &fs->nodes[skill->node]));
    for (uint32_t i = 0; i < skill->file_count; i++) {
        const struct romfs_file *file = &fs->files[skill->first_file + i];
        print_row(out, "    ", romfs_at(fs, file->path), file->path.len, budget_file(fs, &fs->nodes[file->node]));
    }
}

void costs_print(FILE *out, const struct romfs *fs, const struct device *device)
{
    struct budget b;
    char tools[48], skills[48];

    budget_measure(fs, &b);
    snprintf(tools, sizeof tools, "%u tool%s (tools/list)", b.tool_count, screen_plural(b.tool_count));
    snprintf(skills, sizeof skills, "%u description%s (skills/list)", fs->header->listed,
             screen_plural(fs->header->listed));
    fprintf(out, "%-*s %9s %11s %12s\n", NAME_WIDTH, device->name, "tokens", "wire bytes", "s at 115200");
    fputs("always loaded\n", out);
    print_line(out, "instructions (initialize)", b.instructions);
    print_line(out, tools, b.tools);
    print_line(out, skills, b.skills);
    print_line(out, "together", budget_always(&b));
    if (fs->header->skills.count > 0) {
        fputs("when a skill is used: its SKILL.md; below it each file that is read\n", out);
    }
    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        print_skill(out, fs, &fs->skills[i]);
    }
    fputs("Tokens are an estimate, bytes / 4.3, good to about 18 %. Wire bytes are the response's on a line.\n", out);
}

static void add_cost(struct buf *b, const char *name, struct cost cost)
{
    buf_printf(b, "\"%s\":{\"tokens\":%llu,\"wireBytes\":%llu}", name, (unsigned long long)cost.tokens,
               (unsigned long long)cost.wire);
}

static void add_node(struct buf *b, const struct romfs *fs, const struct romfs_node *node)
{
    struct cost cost = budget_file(fs, node);

    buf_puts(b, "{\"uri\":\"");
    buf_add(b, romfs_at(fs, fs->header->base), fs->header->base.len);
    buf_add(b, romfs_at(fs, node->path), node->path.len);
    buf_printf(b, "\",\"tokens\":%llu,\"wireBytes\":%llu}", (unsigned long long)cost.tokens,
               (unsigned long long)cost.wire);
}

void costs_print_json(FILE *out, const struct romfs *fs, const struct device *device)
{
    struct buf line = {0};
    struct budget b;
    const char *between = "";

    budget_measure(fs, &b);
    buf_puts(&line, "{\"budget\":{\"device\":");
    json_string(&line, device->name, strlen(device->name));
    buf_puts(&line, ",");
    add_cost(&line, "instructions", b.instructions);
    buf_puts(&line, ",");
    add_cost(&line, "tools", b.tools);
    buf_puts(&line, ",");
    add_cost(&line, "skills", b.skills);
    buf_puts(&line, ",");
    add_cost(&line, "always", budget_always(&b));
    buf_printf(&line, ",\"imageBytes\":%u,\"files\":[", fs->header->size);
    for (uint32_t i = 0; i < fs->header->nodes.count; i++) {
        if ((fs->nodes[i].flags & ROMFS_DIR) == 0) {
            buf_puts(&line, between);
            add_node(&line, fs, &fs->nodes[i]);
            between = ",";
        }
    }
    fprintf(out, "%s]}}\n", buf_str(&line));
}
