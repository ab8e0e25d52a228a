/* cmd_new.c -- `skillrom new`: a skill to start from. It packs as it is; what the author has to replace is in
 * sentences that lint recognises (new_skill.h). Choosing a licence is left to the author. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/scalar.h"
#include "base/scan.h"
#include "cli/commands.h"
#include "cli/new_device.h"
#include "cli/new_files.h"
#include "console.h"
#include "load/new_skill.h"

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

static int new_skill(const char *dir, const char *name)
{
    /* `name: 123` would be a number in YAML. */
    const char *value = scalar_always_string(name) ? name : xasprintf("\"%s\"", name);
    const struct new_file files[] = {
        {"SKILL.md", xasprintf(manifest, value, title_of(name))},
        {"references/details.md", details},
    };
    const char *root = path_join(dir, name);

    if (!new_files_write(dir, name, files, sizeof files / sizeof files[0])) {
        return 1;
    }
    if (host_console.quiet) {
        return 0;
    }
    printf("\nnext:\n"
           "  edit %s/SKILL.md; its description decides when an agent opens it\n"
           "  skillrom lint --strict %s   shows what is left to write\n"
           "  skillrom serve %s\n",
           root, root, root);
    return 0;
}

struct call {
    bool device;
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--device", struct call, device, "create a whole device that builds and runs as it is: device.json, a skill with a "
        "transcript, a tool and a resource with their C, main.c and a Makefile for PC and boards"),
};
/* clang-format on */

static int new_main(int argc, char **argv)
{
    struct call call = {.device = false};
    int count = host_command_read(&cmd_new, &call, argc, argv);

    if (count < 0) {
        return 2;
    }
    const char *name = argv[1], *dir = count > 1 ? argv[2] : ".";
    if (!is_skill_name(name)) {
        return host_usage_error("name '%s': use a-z, 0-9 and single hyphens between them, at most 64 characters", name);
    }
    return call.device ? new_device(dir, name) : new_skill(dir, name);
}

const struct host_command cmd_new = {
    .name = "new",
    .run = new_main,
    .group = "Author",
    .summary = "create a skill or a device to start from",
    .usage = "NAME [DIR] [--device]",
    .about =
        "Creates DIR/NAME (./NAME without DIR) with a SKILL.md and a references folder, and DIR itself if it does not exist. "
        "NAME is a-z, 0-9 and single hyphens. Overwrites nothing. `skillrom lint --strict` shows what is left to write.",
    HOST_ROWS(rows),
    .examples = {{"skillrom new --device desk-lamp", "create a device in ./desk-lamp"},
                 {"skillrom new clean-lamp desk-lamp/skills", "create one more skill in its folder"}},
    .operands = {"NAME"},
    .least = 1,
    .most = 2,
};
