/* cmd_pack.c -- `skillrom pack`: a folder becomes an image file, C source, or both. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "c_output.h"
#include "commands.h"
#include "header.h"
#include "pack.h"
#include "rom_file.h"
#include "screen.h"
#include "summary.h"

struct request {
    struct pack_options pack;
    bool compress;
    const char *window;
    const char *rom;
    const char *c_file;
    const char *symbol;
    const char *header;
    const char *dir;
};

/* 0, or 2 after a message. */
static int read_call(struct request *r, int argc, char **argv)
{
    const struct arg table[] = {
        {"-o", ARG_VALUE, NULL, &r->rom},
        {"--c", ARG_VALUE, NULL, &r->c_file},
        {"--name", ARG_VALUE, NULL, &r->symbol},
        {"--header", ARG_VALUE, NULL, &r->header},
        {"--strict", ARG_FLAG, &r->pack.load.strict, NULL},
        {"--allow-oversize", ARG_FLAG, &r->pack.load.allow_oversize, NULL},
        {"--base", ARG_VALUE, NULL, &r->pack.load.base},
        {"--compress", ARG_OPTIONAL, &r->compress, &r->window},
    };
    const struct args args = {"pack", table, sizeof table / sizeof table[0], 1, 1, "DIR"};

    if (args_parse(&args, argc, argv, &r->dir) < 0) {
        return 2;
    }
    if (r->rom == NULL && r->c_file == NULL && r->header == NULL) {
        return args_misuse("pack", "say what to write: -o FILE.rom, --c FILE.c, or --header FILE.h");
    }
    if (r->c_file != NULL &&
        (strlen(r->c_file) < 3 || strcmp(r->c_file + strlen(r->c_file) - 2, ".c") != 0)) {
        return args_misuse("pack", "--c '%s': the name must end in .c; the header goes beside it", r->c_file);
    }
    if (!c_output_is_symbol(r->symbol)) {
        return args_misuse("pack", "--name '%s' is not a C identifier", r->symbol);
    }
    if (!pack_base_is_sound(r->pack.load.base)) {
        return args_misuse("pack", PACK_BASE_WRONG, r->pack.load.base);
    }
    if (r->compress && (r->pack.image.window = pack_window(r->window)) == 0) {
        return args_misuse("pack", "--compress=%s: the window is a power of two from %u to %u", r->window,
                           ROMFS_WINDOW_MIN, ROMFS_WINDOW_MAX);
    }
    return 0;
}

/* X.c and X.h. */
static bool write_c(const struct request *r, const struct romfs *fs)
{
    struct buf source = {0}, header = {0};
    char *header_path = xstrdup(r->c_file);
    header_path[strlen(header_path) - 1] = 'h';
    const char *slash = strrchr(header_path, '/');

    c_output_source(&source, fs, r->symbol, slash != NULL ? slash + 1 : header_path);
    c_output_header(&header, fs, r->symbol);
    return rom_file_write(r->c_file, source.p, source.n) && rom_file_write(header_path, header.p, header.n);
}

static bool write_header(const char *path, const struct device *device)
{
    struct buf header = {0};

    header_write(&header, device);
    return rom_file_write(path, header.p, header.n);
}

static void print_outcome(const struct request *r, const struct romfs *fs)
{
    const char *const written[] = {r->rom, r->c_file, r->header};
    const char *between = "";

    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        if (written[i] != NULL) {
            printf("%s%s", between, written[i]);
            between = " and ";
        }
    }
    printf(": ");
    summary_print(stdout, fs);
}

int cmd_pack(int argc, char **argv)
{
    struct request r = {.symbol = "skills_image"};
    struct diag diag = {.out = stderr, .colour = screen_has_colour(stderr)};
    struct buf image = {0};
    struct device device;
    struct romfs fs;

    if (read_call(&r, argc, argv) != 0) {
        return 2;
    }
    if (!pack_device(r.dir, &r.pack, &diag, &device, &image, &fs)) {
        fprintf(stderr, "skillrom: nothing written: %u error%s, %u warning%s\n", diag.errors,
                screen_plural(diag.errors), diag.warnings, screen_plural(diag.warnings));
        return 1;
    }
    if ((r.rom != NULL && !rom_file_write(r.rom, image.p, image.n)) ||
        (r.c_file != NULL && !write_c(&r, &fs)) || (r.header != NULL && !write_header(r.header, &device))) {
        return 1;
    }
    print_outcome(&r, &fs);
    return 0;
}
