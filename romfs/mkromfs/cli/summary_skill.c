/* summary_skill.c -- the skills of an image, with what the dialects offer of them: arguments,
 * scripts, scoped tools and prompts, sub-skills, archives. See summary.h. */
#include <string.h>

#include "archive.h"
#include "base/screen.h"
#include "cli/summary.h"

static void print_text(FILE *out, const struct romfs *fs, struct romfs_text text)
{
    screen_text(out, romfs_at(fs, text), text.len);
}

/* Starts a line of details on its first item, goes on with a comma on the others. */
static void next_item(FILE *out, const char *what, uint32_t i)
{
    if (i == 0) {
        fprintf(out, "%14s%-10s ", "", what);
    } else {
        fputs(", ", out);
    }
}

static void print_arguments(FILE *out, const struct romfs *fs, const struct romfs_skill *skill)
{
    for (uint32_t i = 0; i < skill->arg_count; i++) {
        const struct romfs_arg *arg = &fs->args[skill->first_arg + i];
        next_item(out, "arguments", i);
        print_text(out, fs, arg->name);
        fputs(arg->required != 0 ? "!" : "", out);
        if (arg->value.len > 0) {
            fputs(" = ", out);
            print_text(out, fs, arg->value);
        }
    }
    fputs(skill->arg_count > 0 ? "\n" : "", out);
}

static void print_scripts(FILE *out, const struct romfs *fs, const struct romfs_skill *skill)
{
    for (uint32_t i = 0; i < skill->file_count; i++) {
        const struct romfs_file *file = &fs->files[skill->first_file + i];
        if (file->kind == ROMFS_SCRIPT) {
            next_item(out, "script", 0);
            print_text(out, fs, file->path);
            fputs(", run by ", out);
            print_text(out, fs, fs->tools[file->tool].name);
            fputc('\n', out);
        }
    }
}

/* Prints the links from *at on, which `name_of` can name; *at moves past them. */
static void print_links(FILE *out, const struct romfs *fs, const char *what, uint32_t *at, uint32_t count,
                        struct romfs_text (*name_of)(const struct romfs *fs, uint32_t index))
{
    for (uint32_t i = 0; i < count; i++) {
        next_item(out, what, i);
        print_text(out, fs, name_of(fs, fs->links[(*at)++]));
    }
    fputs(count > 0 ? "\n" : "", out);
}

static struct romfs_text tool_name(const struct romfs *fs, uint32_t index)
{
    return fs->tools[index].name;
}

static struct romfs_text prompt_name(const struct romfs *fs, uint32_t index)
{
    return fs->prompts[index].name;
}

static struct romfs_text skill_path(const struct romfs *fs, uint32_t index)
{
    return fs->skills[index].path;
}

static void print_details(FILE *out, const struct romfs *fs, uint32_t index)
{
    const struct romfs_skill *skill = &fs->skills[index];
    uint32_t link = skill->first_link;

    print_arguments(out, fs, skill);
    print_scripts(out, fs, skill);
    print_links(out, fs, "tools", &link, skill->tool_links, tool_name);
    print_links(out, fs, "prompts", &link, skill->prompt_links, prompt_name);
    print_links(out, fs, "sub-skills", &link, skill->skill_links, skill_path);
    next_item(out, "archives", 0);
    if ((skill->flags & ROMFS_NO_ARCHIVE) != 0) {
        fputs("none, a path is too long\n", out);
        return;
    }
    fprintf(out, ".zip %s bytes, ", screen_number(romfs_archive_size(fs, index, ROMFS_ZIP)));
    fprintf(out, ".tar.gz %s bytes\n", screen_number(romfs_archive_size(fs, index, ROMFS_TAR_GZ)));
}

void summary_print_skills(FILE *out, const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->skills.count; i++) {
        const struct romfs_skill *skill = &fs->skills[i];
        fprintf(out, "  %-9s ", i == 0 ? "skills" : "");
        print_text(out, fs, skill->path);
        fputs(i < fs->header->listed ? "" : " (unlisted)", out);
        fputs((skill->flags & ROMFS_DYNAMIC) != 0 ? " (dynamic)" : "", out);
        fputs((skill->flags & ROMFS_ARCHIVED) != 0 ? " (offered as archive)" : "", out);
        fputc('\n', out);
        print_details(out, fs, i);
    }
}
