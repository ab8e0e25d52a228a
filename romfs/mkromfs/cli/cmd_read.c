/* cmd_read.c -- `skillrom info`, `ls`, `cat` and `verify`: looking into an image. All
 * go through romfs_mount, as a device would, so a damaged image is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/diag.h"
#include "base/json_out.h"
#include "base/rom_file.h"
#include "base/screen.h"
#include "base/uri_path.h"
#include "cli/commands.h"
#include "cli/summary.h"
#include "console.h"
#include "sha256.h"
#include "sign/release_file.h"
#include "verify/content.h"
#include "verify/verify.h"
#include "verify/walk.h"

/* Reads a command's words and mounts the image that is the first of them. Returns the number of words, or the exit code with
 * its sign changed. */
static int open_image(const struct host_command *command, void *call, int argc, char **argv, struct romfs *fs)
{
    int count = host_command_read(command, call, argc, argv);

    return count < 0 ? -2 : rom_file_open(argv[1], fs) ? count : -1;
}

struct info_call {
    bool json;
};

static const struct host_option info_rows[] = {
    HOST_FLAG("--json", struct info_call, json, "the same as one JSON object; `ls --json` has the files"),
};

static void print_release(const struct romfs_release *r)
{
    char product[2 * ROMFS_RELEASE_PRODUCT_SIZE + 1];

    romfs_sha256_hex(r->product, ROMFS_RELEASE_PRODUCT_SIZE, product);
    printf("  release   %14s         product %s, key %u, lowest key %u\n", screen_number(r->number), product, r->key,
           r->min_key);
}

static int run_info(int argc, char **argv)
{
    struct info_call call = {.json = false};
    struct romfs fs;
    uint8_t bytes[ROMFS_RELEASE_SIZE];
    struct romfs_release release;
    size_t after;
    int count = open_image(&cmd_info, &call, argc, argv, &fs);

    if (count < 0) {
        return -count;
    }
    bool is_release = release_of_file(argv[1], bytes, &after) && romfs_release_read(bytes, &release);
    if (call.json) {
        summary_print_json(stdout, &fs, is_release ? &release : NULL);
        return 0;
    }
    summary_print_all(stdout, &fs);
    if (is_release) {
        print_release(&release);
    }
    return 0;
}

const struct host_command cmd_info = {
    .name = "info",
    .run = run_info,
    .group = "Image",
    .summary = "what an image holds and costs",
    .usage = "FILE.rom [options]",
    .about =
        "Prints the device's name, its skills with arguments, scripts, scoped tools, sub-skills and archives, its tools and "
        "prompts, sizes, window and build id.",
    HOST_ROWS(info_rows),
    .examples = {{"skillrom info desk-lamp.rom", "print what an image holds and costs"},
                 {"skillrom info --json desk-lamp.rom", "the same for programs"}},
    .operands = {"FILE.rom"},
    .least = 1,
    .most = 1,
};

/* Finds what the user typed: a path as on disk, as in a URI, or a whole URI. */
static const struct romfs_node *find_typed(const struct romfs *fs, const char *typed)
{
    struct romfs_text base = fs->header->base;
    const struct romfs_panel *panel = romfs_find_panel(fs);
    size_t n = strlen(typed);

    if (panel != NULL && n == panel->file.path.len && memcmp(typed, romfs_at(fs, panel->file.path), n) == 0) {
        return &panel->file;
    }

    if (n >= base.len && memcmp(typed, romfs_at(fs, base), base.len) == 0) {
        typed += base.len;
        n -= base.len;
    }
    while (n > 0 && typed[n - 1] == '/') {
        n--;
    }
    char *as_uri = uri_path_encode(uri_path_decode(typed, n));
    const struct romfs_node *node = romfs_find(fs, as_uri, strlen(as_uri));
    if (node == NULL) {
        char *as_file = uri_path_encode(xstrndup(typed, n));
        node = romfs_find(fs, as_file, strlen(as_file));
    }
    if (node == NULL) {
        screen_error("no file '%s' in this image; `skillrom ls` lists its files", typed);
    }
    return node;
}

/* Prints what the innermost skill that has the file says about it. */
static const struct romfs_file *file_of(const struct romfs *fs, const struct romfs_node *node)
{
    const struct romfs_file *found = NULL;

    for (uint32_t i = 0; i < fs->header->files.count; i++) {
        const struct romfs_file *file = &fs->files[i];
        if (&fs->nodes[file->node] == node && (found == NULL || file->path.len < found->path.len)) {
            found = file;
        }
    }
    return found;
}

static const char *kind_of(const struct romfs_file *file)
{
    static const char *const kinds[] = {
        [ROMFS_REFERENCE] = "reference", [ROMFS_ASSET] = "asset", [ROMFS_SCRIPT] = "script"};

    return file->kind <= ROMFS_SCRIPT ? kinds[file->kind] : "file";
}

static void print_about(const struct romfs *fs, const struct romfs_file *file)
{
    printf("%46s%s%s ", "", kind_of(file), (file->flags & ROMFS_REQUIRED) != 0 ? ", required:" : ":");
    screen_text(stdout, romfs_at(fs, file->about), file->about.len);
    if (file->alias.len > 0) {
        printf(", alias ");
        screen_text(stdout, romfs_at(fs, file->alias), file->alias.len);
    }
    printf("\n");
}

static void print_node(const struct romfs *fs, const struct romfs_node *node)
{
    bool is_dir = (node->flags & ROMFS_DIR) != 0;

    if (is_dir) {
        printf("%14s  ", "-");
    } else {
        printf("%14s  ", screen_number(node->size));
    }
    screen_text(stdout, romfs_at(fs, node->mime), node->mime.len);
    printf("%*s", node->mime.len < 24 ? 24 - (int)node->mime.len : 0, "");
    printf("  ");
    screen_text(stdout, romfs_at(fs, node->path), node->path.len);
    printf("%s\n", is_dir ? "/" : "");
}

/* A node, and what its skill says about it if that is asked for, as one JSON object. */
static void print_as_json(const struct romfs *fs, const struct romfs_node *node, const struct romfs_file *file)
{
    struct buf b = {0};

    buf_puts(&b, "{\"path\":");
    json_string(&b, romfs_at(fs, node->path), node->path.len);
    buf_printf(&b, ",\"mimeType\":\"%.*s\"", (int)node->mime.len, romfs_at(fs, node->mime));
    if ((node->flags & ROMFS_DIR) == 0) {
        buf_printf(&b, ",\"size\":%u", node->size);
    }
    if (file != NULL) {
        buf_printf(&b, ",\"kind\":\"%s\",\"required\":%s,\"about\":%.*s", kind_of(file),
                   (file->flags & ROMFS_REQUIRED) != 0 ? "true" : "false", (int)file->about.len,
                   romfs_at(fs, file->about));
    }
    if (file != NULL && file->alias.len > 0) {
        buf_puts(&b, ",\"alias\":");
        json_string(&b, romfs_at(fs, file->alias), file->alias.len);
    }
    printf("%s}\n", buf_str(&b));
}

struct ls_call {
    bool about;
    bool json;
};

static const struct host_option ls_rows[] = {
    HOST_FLAG("-l, --long", struct ls_call, about, "also shows what each file of a skill is for"),
    HOST_FLAG("--json", struct ls_call, json, "one JSON object per line; a directory has no size"),
};

static void list_node(const struct romfs *fs, const struct romfs_node *node, const struct ls_call *call)
{
    const struct romfs_file *file = call->about ? file_of(fs, node) : NULL;

    if (call->json) {
        print_as_json(fs, node, file);
        return;
    }
    print_node(fs, node);
    if (file != NULL) {
        print_about(fs, file);
    }
}

static int run_ls(int argc, char **argv)
{
    struct ls_call call = {.about = false};
    struct romfs fs;
    struct walk walk;
    int count = open_image(&cmd_ls, &call, argc, argv, &fs);

    if (count < 0) {
        return -count;
    }
    const struct romfs_node *node = find_typed(&fs, count > 1 ? argv[2] : "");
    if (node == NULL) {
        return 1;
    }
    const struct romfs_node *panel = romfs_find_panel(&fs) != NULL ? &romfs_find_panel(&fs)->file : NULL;
    bool all = node == fs.nodes;
    if (node != panel) {
        for (walk_start(&walk, &fs, node); (node = walk_next(&walk)) != NULL;) {
            if (node->path.len > 0) { /* the root has no name to show */
                list_node(&fs, node, &call);
            }
        }
    }
    if (panel != NULL && (all || node == panel)) {
        list_node(&fs, panel, &call);
    }
    return 0;
}

const struct host_command cmd_ls = {
    .name = "ls",
    .run = run_ls,
    .group = "Image",
    .summary = "the files in an image",
    .usage = "FILE.rom [PATH] [options]",
    .about =
        "Lists size, media type and path of everything, or of what is at and below PATH. PATH may be a path or a URI.",
    HOST_ROWS(ls_rows),
    .examples = {{"skillrom ls desk-lamp.rom", "list its files"},
                 {"skillrom ls -l desk-lamp.rom switch-lamp", "list those of one skill, with what they are for"}},
    .operands = {"FILE.rom"},
    .least = 1,
    .most = 2,
};

static int run_cat(int argc, char **argv)
{
    struct romfs fs;
    struct content content;
    const uint8_t *bytes;
    size_t n;
    int count = open_image(&cmd_cat, NULL, argc, argv, &fs);

    if (count < 0) {
        return -count;
    }
    const struct romfs_node *node = find_typed(&fs, argv[2]);
    if (node == NULL) {
        return 1;
    }
    if ((node->flags & ROMFS_DIR) != 0) {
        screen_error("'%s' is a directory; `skillrom ls` lists its files", argv[2]);
        return 1;
    }
    for (content_open(&content, &fs, node); (n = content_next(&content, &bytes)) > 0;) {
        fwrite(bytes, 1, n, stdout);
    }
    bool whole = content_whole(&content);
    content_close(&content);
    if (!whole) {
        screen_error("'%s': the stored content is damaged", argv[2]);
        return 1;
    }
    return 0;
}

const struct host_command cmd_cat = {
    .name = "cat",
    .run = run_cat,
    .group = "Image",
    .summary = "print a file of an image",
    .usage = "FILE.rom PATH",
    .about = "Writes the content of one file to stdout, as it was packed. PATH may be a path or a URI.",
    .examples = {{"skillrom cat desk-lamp.rom switch-lamp/SKILL.md", "print a manual"},
                 {"skillrom cat desk-lamp.rom switch-lamp/SKILL.md | less", "read it page by page"}},
    .operands = {"FILE.rom", "PATH"},
    .least = 2,
    .most = 2,
};

/* ---- verify ---- */

struct verify_call {
    bool json;
    const char *key;
};

static const struct host_option verify_rows[] = {
    HOST_FLAG("--json", struct verify_call, json,
              "one JSON object per line: each problem, as `lint --json` prints them, then the verdict"),
    HOST_TEXT("--key", "FILE.pem", struct verify_call, key,
              "the file must be a release signed with this key, public or private"),
};

/* Problems as `lint --json` prints them: the lines that verify_image writes, without the name. */
static unsigned verify_as_json(const struct romfs *fs, const char *name)
{
    struct diag diag = {.out = stdout, .json = true};
    char *text = NULL;
    size_t n = 0;
    FILE *lines = open_memstream(&text, &n);
    unsigned problems = verify_image(fs, "", lines);

    fclose(lines);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        diag_report(&diag, SEVERITY_ERROR, name, 0, 0, NULL, "%s", line + strlen(": "));
    }
    return problems;
}

/* What it is worth, as one JSON object; returns the exit code. */
static int verdict_as_json(const struct romfs *fs, const char *name, unsigned problems)
{
    struct buf b = {0};
    char build[17];

    buf_puts(&b, "{\"path\":");
    json_string(&b, name, strlen(name));
    if (problems > 0) {
        buf_printf(&b, ",\"valid\":false,\"problems\":%u", problems);
    } else {
        romfs_sha256_hex(fs->header->digest, 8, build);
        buf_printf(&b, ",\"valid\":true,\"build\":\"%s\"", build);
    }
    printf("%s}\n", buf_str(&b));
    return problems > 0 ? 1 : 0;
}

/* True when the file is an image alone, or a release of this image; with a key, only a release that it has signed. */
static bool release_is_valid(const char *path, const struct romfs *fs, const char *key_file)
{
    uint8_t release[ROMFS_RELEASE_SIZE];
    size_t after;
    bool is_release = release_of_file(path, release, &after);
    struct key key;

    if (key_file != NULL && !key_read(key_file, &key)) {
        return false;
    }
    const char *problem = is_release         ? release_problem(release, after, fs, key_file != NULL ? &key : NULL)
                          : key_file != NULL ? "not a release; make one with `skillrom sign`"
                                             : NULL;
    if (problem != NULL) {
        screen_error("%s: %s", path, problem);
    }
    return problem == NULL;
}

static int run_verify(int argc, char **argv)
{
    struct verify_call call = {.json = false};
    char build[17];
    struct romfs fs;

    if (host_command_read(&cmd_verify, &call, argc, argv) < 0) {
        return 2;
    }
    if (!rom_file_mount(argv[1], &fs) || !release_is_valid(argv[1], &fs, call.key)) {
        return call.json ? verdict_as_json(NULL, argv[1], 1) : 1;
    }
    if (call.json) {
        return verdict_as_json(&fs, argv[1], verify_as_json(&fs, argv[1]));
    }
    unsigned problems = verify_image(&fs, argv[1], stdout);
    if (problems > 0) {
        printf("%u problem%s\n", problems, screen_plural(problems));
        return 1;
    }
    romfs_sha256_hex(fs.header->digest, 8, build);
    if (!host_console.quiet) {
        printf("%s: valid, build %s%s\n", argv[1], build, call.key != NULL ? ", signed with this key" : "");
    }
    return 0;
}

const struct host_command cmd_verify = {
    .name = "verify",
    .run = run_verify,
    .group = "Image",
    .summary = "check an image to the last byte",
    .usage = "FILE.rom [options]",
    .about =
        "Mounts the image as a device would, then compares the image's digest, every file's digest, CRC and recorded sizes, "
        "and every skill's entry, files, instructions and archives with the bytes. Prints each problem on a line; exits "
        "with 1 if there is one.",
    HOST_ROWS(verify_rows),
    .examples = {{"skillrom verify desk-lamp.rom", "check that an image is whole"},
                 {"skillrom verify -q desk-lamp.rom", "report nothing but errors and the exit status"}},
    .operands = {"FILE.rom"},
    .least = 1,
    .most = 1,
};
