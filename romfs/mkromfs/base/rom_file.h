/* rom_file.h -- image files on disk: reading files that may be anything, writing files so that nobody ever sees half
 * of one. */
#ifndef MKROMFS_ROM_FILE_H
#define MKROMFS_ROM_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "romfs.h"

/* Adds the content of any file. False with the reason on stderr. */
bool rom_file_read(const char *path, struct buf *out);

/* Reads and mounts an image, or that of a release; it stays in memory until the program ends. False, with the reason on
 * stderr, when it cannot be read or is not a valid image. */
bool rom_file_mount(const char *path, struct romfs *fs);

/* Likewise, and its digest must match its bytes. */
bool rom_file_open(const char *path, struct romfs *fs);

/* Replaces the file at `path` as a whole: a temporary file beside it, then a
 * rename. A link stays a link: its target is replaced. False, with the
 * reason on stderr, and the old file untouched. */
bool rom_file_write(const char *path, const void *bytes, size_t n);

/* A file to be written. The caller sets the fields above the line. */
struct rom_file {
    const char *path;
    const void *bytes;
    size_t n;
    /* ---- */
    bool in_place;   /* a pipe or device */
    char *place;     /* the file behind `path` */
    char *temporary; /* beside it; NULL: none */
};

/* Likewise for several files: none is replaced before all are on the disk. */
bool rom_file_write_all(struct rom_file *files, size_t count);

/* The canonical path of the file that is written, after resolving all links; it need not exist yet. */
char *rom_file_place(const char *path);

/* True for a file that `skillrom pack` has written. */
bool rom_file_is_output(const char *path);

/* True when both paths lead to the same file, which may not exist yet. False for pipes and devices, which can take
 * several texts. */
bool rom_file_is_same(const char *one, const char *other);

#endif
