/* cmd_new.c -- `skillrom new`: a skill to start from. It packs as it is; what the author has to replace is in
 * sentences that lint recognises (new_skill.h). Choosing a licence is left to the author. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/args.h"
#include "base/buf.h"
#include "cli/commands.h"
#include "load/new_skill.h"
#include "base/rom_file.h"
#include "base/scalar.h"

static const char manifest[] =
    "---\n"
    "name: %s\n"
    "description: " NEW_DESCRIPTION "\n"
    "metadata:\n"
    "  version: \"0.1.0\"\n"
    "---\n"
    "\n"
    "# %s\n"
    "\n" NEW_OPENING "\n"
    "\n"
    "1. " NEW_FIRST_STEP "\n"
    "2. " NEW_NEXT_STEP "\n"
    "\n"
    "Limits, tables and background are in [details](references/details.md); read it only when needed.\n";

static const char details[] = "# Details\n"
                              "\n" NEW_DETAILS " A reader fetches this file only when\n"
                              "SKILL.md points to it, so say there when it is worth reading.\n";

/* SK-V-52. */
static bool is_skill_name(const char *name)
{
    size_t n = strlen(name);

    if (n == 0 || n > 64 || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != n) {
        return false;
    }
    return name[0] != '-' && name[n - 1] != '-' && strstr(name, "--") == NULL;
}

/* "purge-line" as "Purge line". */
static char *title_of(const char *name)
{
    char *title = xstrdup(name);

    for (char *p = title; *p != '\0'; p++) {
        if (*p == '-') {
            *p = ' ';
        }
    }
    if (title[0] >= 'a' && title[0] <= 'z') {
        title[0] = (char)(title[0] - 'a' + 'A');
    }
    return title;
}

static bool make_dir(const char *path, bool may_exist)
{
    if (mkdir(path, 0777) == 0 || (may_exist && errno == EEXIST)) {
        return true;
    }
    fprintf(stderr, "skillrom: %s: %s\n", path, strerror(errno));
    return false;
}

static bool write_text(const char *path, const char *text)
{
    if (!rom_file_write(path, text, strlen(text))) {
        return false;
    }
    printf("created %s\n", path);
    return true;
}

int cmd_new(int argc, char **argv)
{
    const struct args args = {"new", NULL, 0, 1, 2, "NAME"};
    const char *operands[2] = {NULL, "."};
    struct stat st;

    if (args_parse(&args, argc, argv, operands) < 0) {
        return 2;
    }
    const char *name = operands[0];
    if (!is_skill_name(name)) {
        return args_misuse("new", "name '%s': only a-z, 0-9 and single hyphens between them, at most 64", name);
    }
    char *root = strcmp(operands[1], ".") == 0 ? xstrdup(name) : xasprintf("%s/%s", operands[1], name);
    if (lstat(root, &st) == 0) {
        fprintf(stderr, "skillrom: %s already exists; choose another name or remove it first\n", root);
        return 1;
    }
    /* `name: 123` would be a number in YAML. */
    char *value = scalar_always_string(name) ? xstrdup(name) : xasprintf("\"%s\"", name);
    char *text = xasprintf(manifest, value, title_of(name));
    if (!make_dir(operands[1], true) || !make_dir(root, false) || !make_dir(xasprintf("%s/references", root), false) ||
        !write_text(xasprintf("%s/SKILL.md", root), text) ||
        !write_text(xasprintf("%s/references/details.md", root), details)) {
        return 1;
    }
    printf("\nnext:\n"
           "  edit %s/SKILL.md; the description decides when it is used\n"
           "  skillrom lint --strict %s   shows what is left to write\n"
           "  skillrom serve %s\n",
           root, root, root);
    return 0;
}
