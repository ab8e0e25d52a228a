/* compiler.c -- the image compiler: a device's folder whose files the fuzzer writes, one after the other, cut at 0xFF.
 *
 * Whatever it accepts is an image that a reader mounts and verifies, with sound texts, and packing the same folder again gives the same
 * bytes; it then makes the C header as well. The folder is in memory, in /dev/shm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/pack.h"
#include "header/header.h"
#include "unescape.h"

#define INPUT_MAX 20000

static const char *const folders[] = {
    "",       "/skills",  "/skills/alpha", "/skills/alpha/references", "/skills/alpha/scripts",
    "/tools", "/prompts", "/resources"};
static const char *const files[] = {
    "/skills/alpha/SKILL.md",        "/device.json",          "/tools/t.json",    "/prompts/p.md",
    "/skills/alpha/references/n.md", "/tools/alpha.run.json", "/resources/r.json"};
#define FILES (sizeof files / sizeof files[0])

static char root[64];
static FILE *nowhere;

static void write_file(const char *name, const void *bytes, size_t n)
{
    char path[128];

    (void)snprintf(path, sizeof path, "%s%s", root, name);
    (void)unlink(path);
    FILE *f = n > 0 ? fopen(path, "wb") : NULL;
    if (f != NULL && (fwrite(bytes, 1, n, f) != n || fclose(f) != 0)) {
        perror(path);
        exit(1);
    }
}

static void write_files(const uint8_t *data, size_t size)
{
    const uint8_t *end = data + size;

    for (size_t i = 0; i < FILES; i++) {
        const uint8_t *cut = data < end ? memchr(data, 0xFF, (size_t)(end - data)) : NULL;
        size_t n = (size_t)((cut != NULL ? cut : end) - data);
        write_file(files[i], data, n);
        data += cut != NULL ? n + 1 : n;
    }
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "compiler: it does not hold that %s\n", what);
        abort();
    }
}

static bool pack(uint8_t options, struct device *device, struct buf *image, struct romfs *fs)
{
    struct diag diag = {.out = nowhere, .json = (options & 1) != 0};
    struct pack_options how = {.skip_bad = (options & 8) != 0};

    how.load.strict = (options & 2) != 0;
    how.image.window = options & 4 ? 512 : 0;
    return pack_device(root, &how, &diag, device, image, fs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct device device = {0}, again = {0};
    struct buf image = {0}, second = {0}, header = {0};
    struct romfs fs;

    if (size < 2 || size > INPUT_MAX) {
        return 0;
    }
    write_files(data + 1, size - 1);
    if (pack(data[0], &device, &image, &fs)) {
        header_write(&header, &device);
        must(romfs_texts_are_sound(&fs), "texts are as long as recorded");
        must(pack(data[0], &again, &second, &fs), "what was packed once is packed again");
        must(image.n == second.n && memcmp(image.p, second.p, image.n) == 0, "the same folder gives the same bytes");
    }
    free(image.p);
    free(second.p);
    free(header.p);
    return 0;
}

static void leave_nothing(void)
{
    for (size_t i = 0; i < FILES; i++) {
        write_file(files[i], "", 0);
    }
    write_file("/skills/alpha/scripts/run.sh", "", 0);
    for (size_t i = sizeof folders / sizeof folders[0]; i-- > 0;) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", root, folders[i]);
        (void)rmdir(path);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    nowhere = fopen("/dev/null", "w");
    (void)snprintf(root, sizeof root, "/dev/shm/skillrom-fuzz-%d", (int)getpid());
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s%s", root, folders[i]);
        (void)mkdir(path, 0700);
    }
    write_file("/skills/alpha/scripts/run.sh", "#!/bin/sh\n", 10);
    return atexit(leave_nothing);
}
