/* scan.h -- a folder on disk as a tree, names in byte order, links not followed. */
#ifndef MKROMFS_SCAN_H
#define MKROMFS_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/check.h"

enum disk_kind { DISK_FILE, DISK_DIR, DISK_SYMLINK, DISK_SPECIAL };

struct disk_entry {
    char *name;      /* one path segment: for most the end of disk_path */
    char *disk_path; /* as the user would type it */
    enum disk_kind kind;
    const char *what; /* for messages: "a symbolic link", "a pipe" */
    bool leftover;    /* of version control, an editor or `pack` (SK-V-13); not descended into */
    dev_t device;
    ino_t inode;
    nlink_t links;
    uint64_t size;
    struct disk_entry **children; /* of a directory */
    size_t child_count;
    char *segment;   /* its name in URIs, once skill_segment() has looked for it */
    bool has_skill;  /* there is a SKILL.md in it or further down */
    bool supporting; /* its SKILL.md is a file of the skill around it, and no skill's: see skill_manifest() */
    uint8_t *bytes;  /* content, once disk_load() has read it */
    bool unreadable; /* disk_load() failed, which has been reported */
    int error;       /* errno of what could not be listed, 0 if nothing failed */
};

/* Walks dir, which may itself be reached through a link. Does not report what it could not read: that part of the
 * tree may be irrelevant. */
struct disk_entry *scan_folder(const char *dir);

/* Frees the contents of all files of the tree. */
void scan_forget(struct disk_entry *root);

/* Frees the tree. */
void scan_free(struct disk_entry *root);

/* Reports every directory of the tree that could not be read. */
void scan_report(const struct check *c, const struct disk_entry *dir);

/* A child by its exact name, NULL if there is none. */
struct disk_entry *disk_child(const struct disk_entry *dir, const char *name);

/* Reads a file's content once. False when that fails; the first failure is reported. */
bool disk_load(const struct check *c, struct disk_entry *file);

/* dir and name with a slash between; "." as dir is left out. */
char *path_join(const char *dir, const char *name);

#endif
