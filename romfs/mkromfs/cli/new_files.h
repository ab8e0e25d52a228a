/* new_files.h -- a new folder with files in it: all of them, or nothing. */
#ifndef MKROMFS_NEW_FILES_H
#define MKROMFS_NEW_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct new_file {
    const char *path; /* below the folder */
    const char *text;
};

/* Creates dir/name with the files, and dir itself if it is not there; says on stdout what it has created. False, after a message,
 * when the folder exists or something cannot be written; then nothing of it is left. */
bool new_files_write(const char *dir, const char *name, const struct new_file *files, size_t count);

#endif
