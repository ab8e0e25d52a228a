/* cmd_pack.c -- `skillrom pack`: a folder becomes an image file, C source, or both. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args.h"
#include "header/c_output.h"
#include "cli/commands.h"
#include "header/header.h"
#include "cli/pack.h"
#include "base/rom_file.h"
#include "base/screen.h"
#include "cli/summary.h"

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

/* What is written; NULL for what is not requested. */
enum { OUT_ROM, OUT_C, OUT_C_HEADER, OUT_HEADER, OUTS = PACK_OUTPUTS };

/* True for "-": what would be a file goes to stdout. */
static bool is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static void paths_of(const struct request *r, const char *paths[OUTS])
{
    paths[OUT_ROM] = is_stdout(r->rom) ? NULL : r->rom;
    paths[OUT_C] = r->c_file;
    paths[OUT_C_HEADER] = NULL;
    paths[OUT_HEADER] = is_stdout(r->header) ? NULL : r->header;
    if (r->c_file != NULL) {
        char *beside = xstrdup(r->c_file);
        beside[strlen(beside) - 1] = 'h';
        paths[OUT_C_HEADER] = beside;
    }
}

/* Refuses two outputs to one file, where only the last would survive. Returns 0, or 2 after a message. */
static int check_paths(struct request *r)
{
    static const char *const options[OUTS] = {"-o", "--c", "the header of --c", "--header"};
    const char *paths[OUTS];

    if (is_stdout(r->rom) && is_stdout(r->header)) {
        return args_misuse("pack", "-o and --header would both be written to stdout");
    }
    if (is_stdout(r->rom) && isatty(STDOUT_FILENO)) {
        return args_misuse("pack", "will not write an image to a terminal; use -o - with a pipe or a file");
    }
    paths_of(r, paths);
    for (size_t i = 1; i < OUTS; i++) {
        for (size_t k = 0; k < i; k++) {
            if (paths[i] != NULL && paths[k] != NULL && rom_file_is_same(paths[k], paths[i])) {
                return args_misuse("pack", "%s and %s would both be written to '%s'", options[k], options[i], paths[i]);
            }
        }
    }
    for (size_t i = 0; i < OUTS; i++) {
        if (paths[i] != NULL) {
            r->pack.outputs[r->pack.output_count++] = paths[i];
        }
    }
    return 0;
}

/* 0, or 2 after a message. */
static int read_call(struct request *r, int argc, char **argv)
{
    const struct arg table[] = {
        {"-o", ARG_VALUE, NULL, &r->rom},
        {"--c", ARG_VALUE, NULL, &r->c_file},
        {"--name", ARG_VALUE, NULL, &r->symbol},
        {"--header", ARG_VALUE, NULL, &r->header},
        {"--strict", ARG_FLAG, &r->pack.load.strict, NULL},
        {"--skip-bad", ARG_FLAG, &r->pack.skip_bad, NULL},
        {"--allow-oversize", ARG_FLAG, &r->pack.load.allow_oversize, NULL},
        {"--base", ARG_VALUE, NULL, &r->pack.load.base},
        {"--compress", ARG_OPTIONAL, &r->compress, &r->window},
        {"--raw-text", ARG_FLAG, &r->pack.image.raw_text, NULL},
    };
    const struct args args = {"pack", table, sizeof table / sizeof table[0], 1, 1, "DIR"};

    if (args_parse(&args, argc, argv, &r->dir) < 0) {
        return 2;
    }
    if (r->rom == NULL && r->c_file == NULL && r->header == NULL) {
        return args_misuse("pack", "say what to write: -o FILE.rom, --c FILE.c, or --header FILE.h");
    }
    if (r->c_file != NULL && (strlen(r->c_file) < 3 || strcmp(r->c_file + strlen(r->c_file) - 2, ".c") != 0)) {
        return args_misuse("pack", "--c '%s': the name must end in .c; the header goes beside it", r->c_file);
    }
    if (!c_output_is_symbol(r->symbol)) {
        return args_misuse("pack", "--name '%s' is not a usable C identifier", r->symbol);
    }
    if (!pack_base_is_sound(r->pack.load.base)) {
        return args_misuse("pack", PACK_BASE_WRONG, r->pack.load.base);
    }
    if (r->compress && (r->pack.image.window = pack_window(r->window)) == 0) {
        return args_misuse("pack", "--compress=%s: the window is a power of two from %u to %u", r->window,
                           ROMFS_WINDOW_MIN, ROMFS_WINDOW_MAX);
    }
    return check_paths(r);
}

/* All of them or, as far as the disk allows, none. */
static bool write_outputs(const struct request *r, const struct device *device, const struct romfs *fs,
                          const struct buf *image)
{
    const char *paths[OUTS];
    struct buf texts[OUTS] = {[OUT_ROM] = *image};
    struct rom_file files[OUTS];
    size_t count = 0;

    paths_of(r, paths);
    if (r->c_file != NULL) {
        const char *slash = strrchr(paths[OUT_C_HEADER], '/');
        c_output_source(&texts[OUT_C], fs, r->symbol, slash != NULL ? slash + 1 : paths[OUT_C_HEADER]);
        c_output_header(&texts[OUT_C_HEADER], fs, r->symbol);
    }
    if (r->header != NULL) {
        header_write(&texts[OUT_HEADER], device);
    }
    for (size_t i = 0; i < OUTS; i++) {
        if (paths[i] != NULL) {
            files[count++] = (struct rom_file){.path = paths[i], .bytes = texts[i].p, .n = texts[i].n};
        }
    }
    if (!rom_file_write_all(files, count)) {
        return false;
    }
    if (is_stdout(r->rom) || is_stdout(r->header)) { /* main.c notices if it cannot be written */
        const struct buf *text = &texts[is_stdout(r->rom) ? OUT_ROM : OUT_HEADER];
        fwrite(text->p, 1, text->n, stdout);
    }
    return true;
}

static void print_outcome(const struct request *r, const struct romfs *fs)
{
    const char *const written[] = {r->rom, r->c_file, r->header};
    const char *between = "";
    FILE *out = is_stdout(r->rom) || is_stdout(r->header) ? stderr : stdout;

    for (size_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        if (written[i] != NULL) {
            fprintf(out, "%s%s", between, is_stdout(written[i]) ? "stdout" : written[i]);
            between = " and ";
        }
    }
    fprintf(out, ": ");
    summary_print(out, fs);
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
    if (!write_outputs(&r, &device, &fs, &image)) {
        return 1;
    }
    print_outcome(&r, &fs);
    pack_print_left(&device);
    return 0;
}
