/* cmd_lint.c -- `skillrom lint`: checks folders of skills as a compiler checks sources.
 * The findings are the result, so they go to stdout. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/screen.h"
#include "cli/commands.h"
#include "cli/costs.h"
#include "cli/pack.h"
#include "console.h"
#include "image/image.h"
#include "load/fix.h"
#include "verify/budget.h"

/* The folder to check: for a SKILL.md the one that contains it. NULL, after a message, for any other file. A missing
 * path is reported when loading. */
static const char *folder_of(const char *operand, struct diag *diag)
{
    const char *slash = strrchr(operand, '/');
    struct stat st;

    if (stat(operand, &st) != 0 || S_ISDIR(st.st_mode)) {
        return operand;
    }
    if (strcmp(slash != NULL ? slash + 1 : operand, "SKILL.md") != 0) {
        diag_report(diag, SEVERITY_ERROR, operand, 0, 0, NULL,
                    "neither a folder nor a SKILL.md; lint the folder it belongs to");
        return NULL;
    }
    return slash == NULL ? "." : slash == operand ? "/" : xstrndup(operand, (size_t)(slash - operand));
}

struct call {
    struct load_options load;
    bool json;
    bool budget; /* print costs */
    bool fix;
};

/* Totals over all folders. */
struct tally {
    size_t skills;
    size_t fixable; /* by --fix */
    bool failed;    /* a file could not be written */
};

/* Building finds what checks of single skills cannot: two skills with the same path, and the costs of the image. Findings are held
 * until the folder is checked, so that they are printed by line. */
static bool lint_operand(const char *operand, const struct call *call, struct diag *diag, struct tally *tally)
{
    const struct image_options raw = {.take = true};
    struct diag held = {.hold = true};
    const char *dir = folder_of(operand, &held);
    const struct check check = {.diag = &held, .path = dir, .rule_ids = true};
    struct device device;
    struct buf image = {0};
    struct romfs fs;

    if (dir != NULL) {
        tally->fixable += fix_folder(dir, !call->fix ? NULL : call->json ? stderr : stdout, &tally->failed);
    }
    memset(&device, 0, sizeof device);
    bool well = dir != NULL && load_device(dir, &call->load, &held, &device) &&
                image_build(&device, &raw, &held, &image) && romfs_mount(&fs, image.p, image.n) == ROMFS_OK;
    tally->skills += device.place_count;
    if (well) {
        budget_check(&check, &fs, &device, false);
    }
    if (well && call->budget) {
        budget_advise(&check, &fs, &device);
    }
    diag_release(diag, &held);
    if (well && call->budget) {
        (diag->json ? costs_print_json : costs_print)(stdout, &fs, &device);
    }
    return well && held.errors == 0;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--strict", struct call, load.strict, "treat warnings as errors, for publishing"),
    HOST_FLAG("--json", struct call, json, "one JSON object per line; the counts go to stderr"),
    HOST_FLAG("--budget", struct call, budget, "print what an agent loads always, with each skill and with each file: tokens (an "
        "estimate), bytes on the wire, seconds at 115200 baud"),
    HOST_FLAG("--fix", struct call, fix, "first fix what needs no judgement: the spelling of SKILL.md, newlines, fences, JSON "
        "as frontmatter, missing quotes, capitals and underscores in names"),
    HOST_FLAG("--allow-oversize", struct call, load.allow_oversize,
        "accept more than 512 files or 16 MiB in a skill, with a warning"),
    HOST_TAKE_IN("--base", "URI", struct call, load.base, pack_take_base, "the beginning of all URIs, as for pack"),
};
/* clang-format on */

static int lint_main(int argc, char **argv)
{
    struct call call = {.json = false};
    struct diag diag = {.out = stdout, .places = true};
    int count = host_command_read(&cmd_lint, &call, argc, argv);
    struct tally tally = {0};
    bool well = true;

    if (count < 0) {
        return 2;
    }
    diag.json = call.json;
    diag.colour = !diag.json && screen_has_colour(stdout);
    for (int i = 1; i <= count; i++) {
        well &= lint_operand(argv[i], &call, &diag, &tally) && !tally.failed;
    }
    screen_progress_end();
    diag_end(&diag);
    if (!host_console.quiet) {
        pack_print_counts(diag.json ? stderr : stdout, tally.skills, &diag);
    }
    if (tally.fixable > 0 && !call.fix && !call.json && !host_console.quiet) {
        printf("`skillrom lint --fix` can fix %zu skill%s\n", tally.fixable, screen_plural(tally.fixable));
    }
    return well ? 0 : 1;
}

const struct host_command cmd_lint = {
    .name = "lint",
    .run = lint_main,
    .group = "Author",
    .summary = "check folders of skills",
    .usage = "DIR|SKILL.md ... [options]",
    .about =
        "Checks each device folder, folder of skills, or skill whose SKILL.md is named, and prints each finding as "
        "path:line:col: error: text [rule]. Exits with 1 if there is an error.",
    HOST_ROWS(rows),
    .examples = {{"skillrom lint desk-lamp", "check a device and its skills"},
                 {"skillrom lint --budget --strict desk-lamp", "show also what agents load, with warnings as errors"}},
    .operands = {"DIR or SKILL.md"},
    .least = 1,
    .most = HOST_ANY_NUMBER,
};
