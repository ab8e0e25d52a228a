/* tree.h -- all files and directories of a device in the order of the node table.
 *
 * Skills bring their own files; this merges them into one tree: the root, the
 * prefix directories, and, where skills lie inside skills, each file once. */
#ifndef MKROMFS_TREE_H
#define MKROMFS_TREE_H

#include "image/model.h"
#include "sha256.h"

struct tree_node {
    char *path; /* canonical, "" for the root */
    size_t path_len;
    const char *name;          /* last segment as on disk */
    const struct source *file; /* NULL: a directory */
    const char *disk_path;     /* for messages */
    uint32_t skill;            /* whose SKILL.md or root this is, else ROMFS_NONE */
    uint32_t first_child;
    uint32_t child_count;
    uint8_t digest[ROMFS_SHA256_SIZE]; /* of a file's content */
};

struct tree {
    struct tree_node *nodes;
    size_t count;
};

/* False, with a message in diag, when two skills want different things at one path. */
bool tree_build(const struct device *device, struct diag *diag, struct tree *out);

/* The node at a canonical path, or NULL. */
struct tree_node *tree_find(const struct tree *tree, const char *path, size_t n);

/* The node of a file of a skill. */
const struct tree_node *tree_node_of(const struct tree *tree, const struct skill *skill, const struct source *file);

void tree_free(struct tree *tree);

#endif
