/* cmd_read.c -- `skillrom info`, `ls`, `cat` and `verify`: looking into an image. All
 * go through romfs_mount, as a device would, so a damaged image is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"
#include "base/buf.h"
#include "cli/commands.h"
#include "verify/content.h"
#include "base/rom_file.h"
#include "base/screen.h"
#include "sha256.h"
#include "cli/summary.h"
#include "base/uri_path.h"
#include "verify/verify.h"
#include "verify/walk.h"

/* Parses a command and mounts its first operand. 0, or the exit code. */
static int begin(const struct args *args, int argc, char **argv, const char **operands, struct romfs *fs)
{
    if (args_parse(args, argc, argv, operands) < 0) {
        return 2;
    }
    return rom_file_open(operands[0], fs) ? 0 : 1;
}

int cmd_info(int argc, char **argv)
{
    const struct args args = {"info", NULL, 0, 1, 1, "FILE.rom"};
    const char *operands[1];
    struct romfs fs;
    int code = begin(&args, argc, argv, operands, &fs);

    if (code != 0) {
        return code;
    }
    summary_print_all(stdout, &fs);
    return 0;
}

/* Finds what the user typed: a path as on disk, as in a URI, or a whole URI. */
static const struct romfs_node *find_typed(const struct romfs *fs, const char *typed)
{
    struct romfs_text base = fs->header->base;
    size_t n = strlen(typed);

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
        fprintf(stderr, "skillrom: no '%s' in this image; 'skillrom ls' shows what there is\n", typed);
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

static void print_about(const struct romfs *fs, const struct romfs_file *file)
{
    static const char *const kinds[] = {
        [ROMFS_REFERENCE] = "reference", [ROMFS_ASSET] = "asset", [ROMFS_SCRIPT] = "script"};

    printf("%46s%s%s ", "", file->kind <= ROMFS_SCRIPT ? kinds[file->kind] : "file",
           (file->flags & ROMFS_REQUIRED) != 0 ? ", required:" : ":");
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

int cmd_ls(int argc, char **argv)
{
    bool about = false;
    const struct arg table[] = {{"-l", ARG_FLAG, &about, NULL}};
    const struct args args = {"ls", table, 1, 1, 2, "FILE.rom"};
    const char *operands[2] = {NULL, ""};
    struct romfs fs;
    struct walk walk;
    int code = begin(&args, argc, argv, operands, &fs);

    if (code != 0) {
        return code;
    }
    const struct romfs_node *node = find_typed(&fs, operands[1]);
    if (node == NULL) {
        return 1;
    }
    for (walk_start(&walk, &fs, node); (node = walk_next(&walk)) != NULL;) {
        if (node->path.len > 0) { /* the root has no name to show */
            const struct romfs_file *file = about ? file_of(&fs, node) : NULL;
            print_node(&fs, node);
            if (file != NULL) {
                print_about(&fs, file);
            }
        }
    }
    return 0;
}

int cmd_cat(int argc, char **argv)
{
    const struct args args = {"cat", NULL, 0, 2, 2, "FILE.rom or PATH"};
    const char *operands[2];
    struct romfs fs;
    struct content content;
    const uint8_t *bytes;
    size_t n;
    int code = begin(&args, argc, argv, operands, &fs);

    if (code != 0) {
        return code;
    }
    const struct romfs_node *node = find_typed(&fs, operands[1]);
    if (node == NULL) {
        return 1;
    }
    if ((node->flags & ROMFS_DIR) != 0) {
        fprintf(stderr, "skillrom: '%s' is a directory; 'skillrom ls' shows what is in it\n", operands[1]);
        return 1;
    }
    for (content_open(&content, &fs, node); (n = content_next(&content, &bytes)) > 0;) {
        fwrite(bytes, 1, n, stdout);
    }
    bool whole = content_whole(&content);
    content_close(&content);
    if (!whole) {
        fprintf(stderr, "skillrom: '%s': the stored content is damaged\n", operands[1]);
        return 1;
    }
    return 0;
}

int cmd_verify(int argc, char **argv)
{
    const struct args args = {"verify", NULL, 0, 1, 1, "FILE.rom"};
    const char *operands[1];
    char build[17];
    struct romfs fs;

    if (args_parse(&args, argc, argv, operands) < 0) {
        return 2;
    }
    if (!rom_file_mount(operands[0], &fs)) {
        return 1;
    }
    unsigned problems = verify_image(&fs, operands[0], stdout);
    if (problems > 0) {
        printf("%u problem%s\n", problems, screen_plural(problems));
        return 1;
    }
    sha256_hex(fs.header->digest, 8, build);
    printf("%s: valid, build %s\n", operands[0], build);
    return 0;
}
