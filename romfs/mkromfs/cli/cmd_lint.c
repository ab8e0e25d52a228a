/* cmd_lint.c -- `skillrom lint`: what a compiler would say about folders of skills.
 * The findings are the result, so they go to stdout. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/screen.h"
#include "cli/commands.h"
#include "cli/costs.h"
#include "cli/pack.h"
#include "image/image.h"
#include "load/fix.h"
#include "verify/budget.h"

/* The folder to check: for a SKILL.md the one that contains it. NULL, after a message, for any other file. A missing
 * path is reported when loading. */
static const char *folder_of(const char *operand)
{
    const char *slash = strrchr(operand, '/');
    struct stat st;

    if (stat(operand, &st) != 0 || S_ISDIR(st.st_mode)) {
        return operand;
    }
    if (strcmp(slash != NULL ? slash + 1 : operand, "SKILL.md") != 0) {
        fprintf(stderr, "skillrom: %s: neither a folder nor a SKILL.md; lint the folder it belongs to\n", operand);
        return NULL;
    }
    return slash == NULL ? "." : slash == operand ? "/" : xstrndup(operand, (size_t)(slash - operand));
}

struct call {
    struct load_options load;
    bool json;
    bool budget; /* print what it costs */
    bool fix;
};

/* What a run over all folders adds up to. */
struct tally {
    size_t skills;
    size_t fixable; /* by --fix */
    bool failed;    /* to write */
};

/* Building finds what checking single skills cannot: two of them using the same path, and what the image costs. */
static bool lint(const char *operand, const struct call *call, struct diag *diag, struct tally *tally)
{
    const char *dir = folder_of(operand);
    const struct image_options raw = {.take = true};
    const struct check check = {.diag = diag, .path = dir, .rule_ids = true};
    unsigned errors_before = diag->errors;
    struct device device;
    struct buf image = {0};
    struct romfs fs;

    if (dir != NULL) {
        tally->fixable += fix_folder(dir, !call->fix ? NULL : call->json ? stderr : stdout, &tally->failed);
    }
    memset(&device, 0, sizeof device);
    bool well = dir != NULL && load_device(dir, &call->load, diag, &device) &&
                image_build(&device, &raw, diag, &image) && romfs_mount(&fs, image.p, image.n) == ROMFS_OK;
    tally->skills += device.skill_count;
    if (!well) {
        return false;
    }
    budget_check(&check, &fs, &device, false);
    if (call->budget) {
        budget_advise(&check, &fs, &device);
        (diag->json ? costs_print_json : costs_print)(stdout, &fs, &device);
    }
    return diag->errors == errors_before;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--strict", struct call, load.strict, "what is only discouraged is an error: for publishing"),
    HOST_FLAG("--json", struct call, json, "one JSON object per line; the counts go to stderr"),
    HOST_FLAG("--budget", struct call, budget, "what an agent loads, always, with each skill and with each file: tokens (an "
        "estimate), bytes on the wire, seconds at 115200 baud"),
    HOST_FLAG("--fix", struct call, fix, "first mend what is mechanical, each file as a whole: the spelling of SKILL.md, line "
        "ends, fences, JSON as frontmatter, missing quotes, capitals and underscores in names"),
    HOST_FLAG("--allow-oversize", struct call, load.allow_oversize,
        "more than 512 files or 16 MiB in a skill is only a warning"),
    HOST_TAKE_IN("--base", "URI", struct call, load.base, pack_take_base, "what URIs begin with, as for pack"),
};
/* clang-format on */

static int run(int argc, char **argv)
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
        well &= lint(argv[i], &call, &diag, &tally) && !tally.failed;
    }
    screen_progress_end();
    diag_end(&diag);
    pack_print_counts(diag.json ? stderr : stdout, tally.skills, &diag);
    if (tally.fixable > 0 && !call.fix && !call.json) {
        printf("`skillrom lint --fix` mends %zu skill%s\n", tally.fixable, screen_plural(tally.fixable));
    }
    return well ? 0 : 1;
}

const struct host_command cmd_lint = {
    .name = "lint",
    .run = run,
    .summary = "check folders of skills",
    .usage = "DIR|SKILL.md ... [options]",
    .about =
        "Checks each device folder, folder of skills, or skill whose SKILL.md is named, and prints each finding as "
        "path:line:col: error: text [rule]. Exits with 1 if there is an error.",
    HOST_ROWS(rows),
    .operands = "DIR or SKILL.md",
    .least = 1,
    .most = HOST_ANY_NUMBER,
};
