/* rom_file.c -- image files on disk. See rom_file.h. */
#include "base/rom_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/screen.h"
#include "digest.h"
#include "release.h"

#define LINKS_MAX 40 /* in a chain: more must be a cycle */

static bool report_file(const char *path, const char *why)
{
    screen_error("%s: %s", path, why);
    return false;
}

bool rom_file_read(const char *path, struct buf *out)
{
    uint8_t chunk[65536];
    size_t n;
    FILE *f = fopen(path, "rb");

    if (f == NULL) {
        return report_file(path, strerror(errno));
    }
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0) {
        buf_add(out, chunk, n);
    }
    bool failed = ferror(f) != 0;
    int why = errno;
    fclose(f);
    return !failed || report_file(path, strerror(why));
}

/* True when a file begins with a release (romfs/release.h), which its image follows. */
static bool rom_file_is_release(const void *bytes, size_t n)
{
    return n >= ROMFS_RELEASE_SIZE && memcmp(bytes, ROMFS_RELEASE_MAGIC, strlen(ROMFS_RELEASE_MAGIC)) == 0;
}

/* True for as much of the magic number as there is. */
static bool begins_with_magic(const struct buf *image)
{
    size_t size = sizeof ROMFS_MAGIC - 1;

    return image->n > 0 && memcmp(image->p, ROMFS_MAGIC, image->n < size ? image->n : size) == 0;
}

bool rom_file_mount(const char *path, struct romfs *fs)
{
    struct buf image = {0};

    if (!rom_file_read(path, &image)) {
        return false;
    }
    size_t before = rom_file_is_release(image.p, image.n) ? ROMFS_RELEASE_SIZE : 0;
    int error = romfs_mount(fs, image.p + before, image.n - before);
    if (error == ROMFS_ERR_SHORT && !begins_with_magic(&image)) {
        error = ROMFS_ERR_MAGIC; /* another kind of file is not a truncated image */
    }
    if (error == ROMFS_ERR_MAGIC) {
        screen_error("%s: %s; make one with `skillrom pack`", path, romfs_reason(error));
        return false;
    }
    return error == ROMFS_OK || report_file(path, romfs_reason(error));
}

bool rom_file_open(const char *path, struct romfs *fs)
{
    return rom_file_mount(path, fs) && (romfs_is_intact(fs) || report_file(path, ROMFS_NOT_INTACT));
}

static bool write_and_close(FILE *f, const void *bytes, size_t n)
{
    bool well = n == 0 || fwrite(bytes, 1, n, f) == n;

    return (fclose(f) == 0) && well;
}

/* ---- Where a file is written ---- */

/* The directory of a path, with the slash; "" for none. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return xstrndup(path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
}

/* The file that a link leads to; it need not exist yet. */
static char *behind_links(const char *path)
{
    char to[PATH_MAX];
    char *place = xstrdup(path);

    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t n = readlink(place, to, sizeof to - 1);
        if (n < 0) {
            break;
        }
        to[n] = '\0';
        place = xasprintf("%s%s", to[0] == '/' ? "" : directory_of(place), to);
    }
    return place;
}

char *rom_file_place(const char *path)
{
    char *place = behind_links(path), *directory = directory_of(place);
    char *whole = realpath(*directory != '\0' ? directory : ".", NULL);

    return whole != NULL ? xasprintf("%s/%s", whole, place + strlen(directory)) : place;
}

bool rom_file_is_same(const char *one, const char *other)
{
    struct stat st;

    return strcmp(rom_file_place(one), rom_file_place(other)) == 0 && (stat(one, &st) != 0 || S_ISREG(st.st_mode));
}

static bool ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);

    return n >= k && strcmp(text + n - k, end) == 0;
}

/* An image begins with its magic; generated C says in its first line what wrote it. A depfile cannot, because ninja knows no
 * comments: its first line is a rule that goes on. */
bool rom_file_is_output(const char *path)
{
    char line[PATH_MAX + 8] = {0};
    FILE *f = fopen(path, "rb");
    size_t n = f != NULL ? fread(line, 1, sizeof line - 1, f) : 0;

    if (f != NULL) {
        fclose(f);
    }
    bool image = n >= strlen(ROMFS_MAGIC) && memcmp(line, ROMFS_MAGIC, strlen(ROMFS_MAGIC)) == 0;
    image |= rom_file_is_release(line, n);
    line[strcspn(line, "\n")] = '\0';
    return image || (ends_in(path, ".d") && ends_in(line, ": \\")) ||
           (strncmp(line, "/*", 2) == 0 && strstr(line, "written by `skillrom pack") != NULL);
}

/* ---- Writing ---- */

/* A pipe or device is written to; replacing it by a file would be a surprise. */
static bool write_in_place(const struct rom_file *file)
{
    FILE *f = fopen(file->path, "wb");

    return (f != NULL && write_and_close(f, file->bytes, file->n)) || report_file(file->path, strerror(errno));
}

/* Writes the bytes to a temporary file beside their destination. */
static bool write_beside(struct rom_file *file, const struct stat *old)
{
    mode_t mask = umask(0);

    umask(mask);
    mode_t mode = (mode_t)((old != NULL ? old->st_mode : ~(unsigned)mask & 0666u) & 0777u);
    file->place = behind_links(file->path);
    char *temporary = xasprintf("%s.XXXXXX", file->place);
    int fd = mkstemp(temporary);

    if (fd < 0) {
        return report_file(file->path, strerror(errno));
    }
    file->temporary = temporary;
    FILE *f = fdopen(fd, "wb");
    return (f != NULL && fchmod(fd, mode) == 0 && write_and_close(f, file->bytes, file->n)) ||
           report_file(file->path, strerror(errno));
}

static bool write_temporaries(struct rom_file *files, size_t count)
{
    struct stat st;

    for (size_t i = 0; i < count; i++) {
        bool exists = stat(files[i].path, &st) == 0;
        if (!exists && errno != ENOENT) {
            return report_file(files[i].path, strerror(errno));
        }
        files[i].in_place = exists && !S_ISREG(st.st_mode);
        if (!files[i].in_place && !write_beside(&files[i], exists ? &st : NULL)) {
            return false;
        }
    }
    return true;
}

/* What cannot be undone comes first: writing to a pipe may fail, a rename hardly ever does. */
static bool put_in_place(struct rom_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i].in_place && !write_in_place(&files[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!files[i].in_place && rename(files[i].temporary, files[i].place) != 0) {
            return report_file(files[i].path, strerror(errno));
        }
        files[i].temporary = NULL;
    }
    /* No older than their directory, which a depfile may name and which the last rename has changed. */
    for (size_t i = 0; i < count; i++) {
        if (!files[i].in_place) {
            (void)utimensat(AT_FDCWD, files[i].place, NULL, 0);
        }
    }
    return true;
}

bool rom_file_write_all(struct rom_file *files, size_t count)
{
    bool well = write_temporaries(files, count) && put_in_place(files, count);

    for (size_t i = 0; i < count; i++) {
        if (files[i].temporary != NULL) {
            unlink(files[i].temporary);
        }
    }
    return well;
}

bool rom_file_write(const char *path, const void *bytes, size_t n)
{
    return rom_file_write_all(&(struct rom_file){.path = path, .bytes = bytes, .n = n}, 1);
}
