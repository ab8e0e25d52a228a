/* cmd_sign.c -- `skillrom sign`: an image becomes a release, which devices accept as an update. */
#include <stdio.h>

#include "base/rom_file.h"
#include "cli/commands.h"
#include "console.h"
#include "sign/release_file.h"

struct call {
    struct release_options release;
    const char *output;
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TEXT("-o, --output", "FILE.rom", struct call, output, "the release"),
    RELEASE_ROWS(struct call, release),
};
/* clang-format on */

static int sign_main(int argc, char **argv)
{
    struct call call = {.output = NULL};
    struct buf release = {0};
    struct romfs fs;

    if (host_command_read(&cmd_sign, &call, argc, argv) < 0) {
        return 2;
    }
    if (call.output == NULL) {
        return host_usage_error("no output is named; add -o FILE.rom");
    }
    if (release_check(&call.release) != 0) {
        return 2;
    }
    if (!rom_file_open(argv[1], &fs) || !release_make(&release, &fs, &call.release) ||
        !rom_file_write(call.output, release.p, release.n)) {
        return 1;
    }
    if (!host_console.quiet) {
        printf("%s: release %u of %s, %u bytes, signed with key %u\n", call.output, (unsigned)call.release.number,
               call.release.product, (unsigned)release.n, (unsigned)call.release.key_index);
    }
    return 0;
}

const struct host_command cmd_sign = {
    .name = "sign",
    .run = sign_main,
    .group = "Image",
    .summary = "make a release of an image, for `skillrom update`",
    .usage = "IMAGE.rom --key FILE.pem --product NAME --number N -o RELEASE.rom [options]",
    .about =
        "Writes 128 signed bytes, then the image. A release may be signed again, with another number or key. The same image, options "
        "and key give the same bytes.",
    HOST_ROWS(rows),
    .examples = {{"skillrom sign desk-lamp.rom --key lamp.pem --product lamp --number 2 -o lamp-2.rom",
                  "sign release 2"},
                 {"skillrom sign new.rom --key lamp.pem --product lamp --number 3 --min-key 1 -o lamp-3.rom",
                  "also retire key 0"}},
    .operands = {"IMAGE.rom"},
    .least = 1,
    .most = 1,
};
