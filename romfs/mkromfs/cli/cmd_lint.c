/* cmd_lint.c -- `skillrom lint`: what a compiler would say about a folder of skills.
 * The findings are the result, so they go to stdout. */
#include <stdio.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "image/image.h"
#include "cli/pack.h"
#include "base/screen.h"

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
    const struct args args = {"lint", table, sizeof table / sizeof table[0], 1, 1, "DIR"};
    struct image_options raw = {0};
    struct device device;
    struct buf image = {0};
    const char *dir;

    if (args_parse(&args, argc, argv, &dir) < 0) {
        return 2;
    }
    if (!pack_base_is_sound(load.base)) {
        return args_misuse("lint", PACK_BASE_WRONG, load.base);
    }
    diag.colour = !diag.json && screen_has_colour(stdout);
    memset(&device, 0, sizeof device);
    /* Building shows what no single skill can: two of them wanting the same path. */
    bool well = load_device(dir, &load, &diag, &device) && image_build(&device, &raw, &diag, &image);
    pack_print_counts(diag.json ? stderr : stdout, device.skill_count, &diag);
    return well ? 0 : 1;
}
