/* cmd_lint.c -- `skillrom lint`: what a compiler would say about folders of skills.
 * The findings are the result, so they go to stdout. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/args.h"
#include "base/buf.h"
#include "cli/commands.h"
#include "image/image.h"
#include "cli/pack.h"
#include "base/screen.h"

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

/* Building finds what checking single skills cannot: two of them using the same path. */
static bool lint(const char *operand, const struct load_options *load, struct diag *diag, size_t *skills)
{
    const char *dir = folder_of(operand);
    const struct image_options raw = {0};
    struct device device;
    struct buf image = {0};

    memset(&device, 0, sizeof device);
    bool well = dir != NULL && load_device(dir, load, diag, &device) && image_build(&device, &raw, diag, &image);
    *skills += device.skill_count;
    return well;
}

int cmd_lint(int argc, char **argv)
{
    struct load_options load = {0};
    struct diag diag = {.out = stdout};
    const struct arg table[] = {
        {"--strict", ARG_FLAG, &load.strict, NULL},
        {"--allow-oversize", ARG_FLAG, &load.allow_oversize, NULL},
        {"--base", ARG_VALUE, NULL, &load.base},
        {"--json", ARG_FLAG, &diag.json, NULL},
    };
    const struct args args = {"lint", table, sizeof table / sizeof table[0], 1, argc, "DIR or SKILL.md"};
    const char **operands = xmalloc((size_t)argc * sizeof *operands);
    int count = args_parse(&args, argc, argv, operands);
    size_t skills = 0;
    bool well = true;

    if (count < 0) {
        return 2;
    }
    if (!pack_base_is_sound(load.base)) {
        return args_misuse("lint", PACK_BASE_WRONG, load.base);
    }
    diag.colour = !diag.json && screen_has_colour(stdout);
    for (int i = 0; i < count; i++) {
        well &= lint(operands[i], &load, &diag, &skills);
    }
    pack_print_counts(diag.json ? stderr : stdout, skills, &diag);
    return well ? 0 : 1;
}
