/* rom_file.c -- image files on disk. See rom_file.h. */
#include "rom_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buf.h"

static bool complain(const char *path, const char *why)
{
    fprintf(stderr, "skillrom: %s: %s\n", path, why);
    return false;
}

static bool read_all(const char *path, struct buf *out)
{
    uint8_t chunk[65536];
    size_t n;
    FILE *f = fopen(path, "rb");

    if (f == NULL) {
        return complain(path, strerror(errno));
    }
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        buf_add(out, chunk, n);
    }
    bool failed = ferror(f) != 0;
    int why = errno;
    fclose(f);
    return !failed || complain(path, strerror(why));
}

bool rom_file_mount(const char *path, struct romfs *fs)
{
    struct buf image = {0};

    if (!read_all(path, &image)) {
        return false;
    }
    int error = romfs_mount(fs, image.p, image.n);
    return error == ROMFS_OK || complain(path, romfs_reason(error));
}

static bool write_and_close(FILE *f, const void *bytes, size_t n)
{
    bool well = n == 0 || fwrite(bytes, 1, n, f) == n;
    return (fclose(f) == 0) && well;
}

/* A pipe or device keeps its place; replacing it by a file would surprise. */
static bool write_in_place(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    return (f != NULL && write_and_close(f, bytes, n)) || complain(path, strerror(errno));
}

bool rom_file_write(const char *path, const void *bytes, size_t n)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;

    if (exists && !S_ISREG(st.st_mode)) {
        return write_in_place(path, bytes, n);
    }
    char *temporary = xasprintf("%s.XXXXXX", path);
    int fd = mkstemp(temporary);
    if (fd < 0) {
        return complain(path, strerror(errno));
    }
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = exists ? st.st_mode & 0777u : 0666u & ~mask;
    FILE *f = fdopen(fd, "wb");
    if (f == NULL || fchmod(fd, mode) != 0 || !write_and_close(f, bytes, n) || rename(temporary, path) != 0) {
        int why = errno;
        unlink(temporary);
        return complain(path, strerror(why));
    }
    return true;
}
