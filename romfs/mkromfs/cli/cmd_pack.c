/* cmd_pack.c -- `skillrom pack`: a folder becomes an image file, C source, or both. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/rom_file.h"
#include "base/screen.h"
#include "cli/commands.h"
#include "cli/depfile.h"
#include "cli/pack.h"
#include "cli/summary.h"
#include "console.h"
#include "header/c_output.h"
#include "header/header.h"
#include "load/fix.h"
#include "sign/release_file.h"

struct request {
    struct pack_options pack;
    const char *rom;
    const char *c_file;
    const char *symbol;
    const char *header;
    const char *depfile;
    const char *release;
    struct release_options signing;
    const char *dir;
};

/* Output files; NULL for those that are not requested. */
enum { OUT_ROM, OUT_C, OUT_C_HEADER, OUT_HEADER, OUT_DEPFILE, OUT_RELEASE, OUTS = PACK_OUTPUTS };

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
    paths[OUT_DEPFILE] = r->depfile;
    paths[OUT_RELEASE] = r->release;
    if (r->c_file != NULL) {
        char *beside = xstrdup(r->c_file);
        beside[strlen(beside) - 1] = 'h';
        paths[OUT_C_HEADER] = beside;
    }
}

/* The output that a depfile is about. */
static const char *first_of(const char *const paths[OUTS])
{
    size_t i = 0;

    while (paths[i] == NULL) {
        i++;
    }
    return paths[i];
}

/* Refuses two outputs to one file, where only the last would survive. Returns 0, or 2 after a message. */
static int check_paths(struct request *r)
{
    static const char *const options[OUTS] = {"-o",       "--emit-c",  "the header of --emit-c",
                                              "--header", "--depfile", "--release"};
    const char *paths[OUTS];

    if (is_stdout(r->rom) && is_stdout(r->header)) {
        return host_usage_error("-o and --header would both be written to stdout");
    }
    if (is_stdout(r->rom) && isatty(STDOUT_FILENO)) {
        return host_usage_error("will not write an image to a terminal; use -o - with a pipe or a file");
    }
    paths_of(r, paths);
    for (size_t i = 1; i < OUTS; i++) {
        for (size_t k = 0; k < i; k++) {
            if (paths[i] != NULL && paths[k] != NULL && rom_file_is_same(paths[k], paths[i])) {
                return host_usage_error("%s and %s would both be written to '%s'", options[k], options[i], paths[i]);
            }
        }
    }
    if (r->depfile != NULL && !depfile_can_name(first_of(paths))) {
        return host_usage_error("--depfile: make and ninja cannot both read the name '%s'; choose another output",
                                excerpt_str(first_of(paths)));
    }
    for (size_t i = 0; i < OUTS; i++) {
        if (paths[i] != NULL) {
            r->pack.outputs[r->pack.output_count++] = paths[i];
        }
    }
    return 0;
}

/* clang-format off */
static const struct host_option rows[] = {
    HOST_TEXT("-o, --output", "FILE.rom", struct request, rom, "the image, for a flash partition or skillromd; - is stdout"),
    HOST_TEXT("--emit-c", "FILE.c", struct request, c_file, "the image as C source, and FILE.h beside it, for linking"),
    HOST_TEXT("--name", "SYMBOL", struct request, symbol, "name of the C array (skills_image)"),
    HOST_TEXT("--header", "FILE.h", struct request, header,
        "for each tool a struct of its arguments, the prototype of its handler, and the table that checks what a client sends; "
        "for each resource of the firmware its row. See core/skillrom.h. - is stdout"),
    HOST_TEXT("--release", "FILE.rom", struct request, release,
        "the image as a signed release, for `skillrom update`; needs --key, --product and --number, as `skillrom sign` does"),
    RELEASE_ROWS(struct request, signing),
    HOST_TEXT("--depfile", "FILE", struct request, depfile,
        "list the inputs, so that make, ninja and Meson pack again when one has changed"),
    HOST_TAKE_MAYBE_IN("--compress", "WINDOW", struct request, pack.image.window, pack_take_window,
        "deflate files that get smaller; a reader needs WINDOW bytes of RAM, a power of two from 256 to 32768 (32768)"),
    HOST_FLAG("--raw-text", struct request, pack.image.raw_text,
        "store text files as they are, not escaped for JSON: for firmware that reads them itself; sending them takes longer"),
    HOST_TAKE_IN("--base", "URI", struct request, pack.load.base, pack_take_base,
        "the beginning of all URIs, instead of skill://; such as plant://site/"),
    HOST_FLAG("--no-panel", struct request, pack.load.no_panel,
        "leave out the panel: for firmware without SKR_PANEL, as in profile tiny"),
    HOST_FLAG("--strict", struct request, pack.load.strict, "treat warnings as errors"),
    HOST_FLAG("--keep-going", struct request, pack.skip_bad,
        "leave out skills that have errors, and name them: for other people's folders"),
    HOST_FLAG("--allow-oversize", struct request, pack.load.allow_oversize,
        "accept more than 512 files or 16 MiB in a skill, with a warning"),
};
/* clang-format on */

/* 0, or 2 after a message. */
static int read_call(struct request *r, int argc, char **argv)
{
    if (host_command_read(&cmd_pack, r, argc, argv) < 0) {
        return 2;
    }
    r->dir = argv[1];
    if (r->rom == NULL && r->c_file == NULL && r->header == NULL && r->release == NULL) {
        return host_usage_error(
            "no output is named; add -o FILE.rom, --emit-c FILE.c, --header FILE.h, or --release FILE.rom");
    }
    if (r->release != NULL && release_check(&r->signing) != 0) {
        return 2;
    }
    if (r->c_file != NULL && (strlen(r->c_file) < 3 || strcmp(r->c_file + strlen(r->c_file) - 2, ".c") != 0)) {
        return host_usage_error("--emit-c '%s': the name must end in .c; the header goes beside it", r->c_file);
    }
    if (r->depfile != NULL && (r->rom == NULL || is_stdout(r->rom)) && r->c_file == NULL &&
        (r->header == NULL || is_stdout(r->header)) && r->release == NULL) {
        return host_usage_error("--depfile needs an output file; all output goes to stdout");
    }
    if (!c_output_is_symbol(r->symbol)) {
        return host_usage_error("--name '%s' is not a valid C identifier", r->symbol);
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
    if (r->depfile != NULL) {
        const struct omit written = {.outputs = r->pack.outputs, .output_count = r->pack.output_count};
        depfile_write(&texts[OUT_DEPFILE], first_of(paths), r->dir, &written);
    }
    if (r->release != NULL && !release_make(&texts[OUT_RELEASE], fs, &r->signing)) {
        return false;
    }
    for (size_t i = 0; i < OUTS; i++) {
        if (paths[i] != NULL) {
            files[count++] = (struct rom_file){.path = paths[i], .bytes = texts[i].p, .n = texts[i].n};
        }
    }
    if (!rom_file_write_all(files, count)) {
        return false;
    }
    if (is_stdout(r->rom) || is_stdout(r->header)) { /* the program checks stdout when it ends */
        const struct buf *text = &texts[is_stdout(r->rom) ? OUT_ROM : OUT_HEADER];
        fwrite(text->p, 1, text->n, stdout);
    }
    return true;
}

static void print_outcome(const struct request *r, const struct romfs *fs)
{
    const char *const written[] = {r->rom, r->c_file, r->header, r->release};
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

static int pack_main(int argc, char **argv)
{
    struct request r = {.symbol = "skills_image", .pack.image.take = true};
    struct diag diag = {.out = stderr, .places = true, .colour = screen_has_colour(stderr)};
    struct buf image = {0};
    struct device device;
    struct romfs fs;
    bool failed;

    if (read_call(&r, argc, argv) != 0) {
        return 2;
    }
    if (!pack_device(r.dir, &r.pack, &diag, &device, &image, &fs)) {
        if (diag.errors > 0) { /* otherwise a message has said why */
            screen_error("nothing written: %u error%s, %u warning%s", diag.errors, screen_plural(diag.errors),
                         diag.warnings, screen_plural(diag.warnings));
        }
        if (fix_folder(r.dir, NULL, &failed) > 0) {
            screen_error("`skillrom lint --fix` can fix some of these");
        }
        return 1;
    }
    if (!write_outputs(&r, &device, &fs, &image)) {
        return 1;
    }
    if (!host_console.quiet) {
        print_outcome(&r, &fs);
    }
    pack_print_left(&device);
    return 0;
}

const struct host_command cmd_pack = {
    .name = "pack",
    .run = pack_main,
    .group = "Author",
    .summary = "make an image from a folder",
    .usage = "DIR -o FILE.rom [--emit-c FILE.c] [--header FILE.h] [options]",
    .about =
        "Checks the folder and writes it as one read-only image. The same folder gives the same bytes. At least one of -o, "
        "--emit-c and --header is needed. Nothing is written when there is an error. Output files inside the folder are not "
        "packed; any other file of the folder is never overwritten.",
    HOST_ROWS(rows),
    .examples = {{"skillrom pack desk-lamp -o desk-lamp.rom", "pack a folder into an image"},
                 {"skillrom pack desk-lamp --emit-c skills.c --header tools.h", "write C for firmware"}},
    .operands = {"DIR"},
    .least = 1,
    .most = 1,
};
