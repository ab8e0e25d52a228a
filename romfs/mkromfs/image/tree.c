/* tree.c -- from each skill's own files to one sorted tree. See tree.h. */
#include "image/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/uri_path.h"
#include "romfs.h"

/* A tree under construction: nodes in the order met, the same path perhaps often. */
struct draft {
    struct tree_node *nodes;
    size_t count, room;
};

static const char *last_segment(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

/* Adds the node at `path` as on disk; file is NULL for a directory. */
static struct tree_node *add_node(struct draft *d, const char *path, const struct source *file, const char *disk_path)
{
    if (d->count == d->room) {
        d->room = d->room > 0 ? d->room * 2 : 256;
        d->nodes = xrealloc(d->nodes, d->room * sizeof *d->nodes);
    }
    struct tree_node *node = &d->nodes[d->count++];
    memset(node, 0, sizeof *node);
    node->path = uri_path_encode(path);
    node->path_len = strlen(node->path);
    node->name = last_segment(path);
    node->file = file;
    node->disk_path = disk_path;
    node->skill = ROMFS_NONE;
    return node;
}

/* Adds every directory above `path`, from the first segment on, except those that are also above or at `before`. */
static void add_parents(struct draft *d, const char *path, const char *before, const char *disk_path)
{
    size_t same = 0;

    while (path[same] != '\0' && path[same] == before[same]) {
        same++;
    }
    for (const char *slash = strchr(path, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        size_t n = (size_t)(slash - path);
        if (n > same || (n == same && before[n] != '\0')) {
            add_node(d, xstrndup(path, n), NULL, disk_path);
        }
    }
}

static void add_skill(struct draft *d, const struct skill *skill, uint32_t index)
{
    const char *before = skill->path;

    add_parents(d, skill->path, "", skill->disk_path);
    add_node(d, skill->path, NULL, skill->disk_path)->skill = index;
    for (size_t i = 0; i < skill->file_count; i++) {
        const struct source *file = &skill->files[i];
        char *path = xasprintf("%s/%s", skill->path, file->path);
        add_parents(d, path, before, skill->disk_path);
        struct tree_node *node = add_node(d, path, file->is_dir ? NULL : file, file->disk_path);
        if (!file->is_dir && strcmp(file->path, "SKILL.md") == 0) {
            node->skill = index;
        }
        before = path;
    }
}

static int node_order(const void *a, const void *b)
{
    const struct tree_node *left = a, *right = b;
    int order = romfs_path_order(left->path, left->path_len, right->path, right->path_len);

    if (order != 0) {
        return order;
    }
    /* The same path: any fixed order will do, so that messages are reproducible. */
    if (left->skill != right->skill) {
        return left->skill < right->skill ? -1 : 1;
    }
    return strcmp(left->disk_path, right->disk_path);
}

static bool same_content(const struct tree_node *a, const struct tree_node *b)
{
    if (a->file == NULL || b->file == NULL) {
        return a->file == b->file;
    }
    return a->file->size == b->file->size &&
           (a->file->size == 0 || memcmp(a->file->bytes, b->file->bytes, a->file->size) == 0);
}

/* Merges two nodes with the same path. */
static bool merge_nodes(struct tree_node *into, const struct tree_node *from, struct diag *diag)
{
    bool two_skills = into->skill != ROMFS_NONE && from->skill != ROMFS_NONE && into->skill != from->skill;

    if (two_skills || !same_content(into, from)) {
        diag_report(diag, SEVERITY_ERROR, from->disk_path, 0, 0, NULL,
                    "would be served at '%s', where '%s' is already; rename one of them", from->path, into->disk_path);
        return false;
    }
    if (into->skill == ROMFS_NONE) {
        into->skill = from->skill;
    }
    return true;
}

static bool merge_all(struct draft *d, struct diag *diag)
{
    bool well = true;
    size_t kept = 0;

    for (size_t i = 1; i < d->count; i++) {
        struct tree_node *last = &d->nodes[kept];
        if (strcmp(last->path, d->nodes[i].path) == 0) {
            well &= merge_nodes(last, &d->nodes[i], diag);
        } else {
            d->nodes[++kept] = d->nodes[i];
        }
    }
    d->count = kept + 1;
    return well;
}

/* In this order the children of a directory are adjacent. */
static void count_children(struct tree *tree)
{
    for (size_t i = 1; i < tree->count; i++) {
        const char *path = tree->nodes[i].path;
        const char *slash = strrchr(path, '/');
        struct tree_node *parent = tree_find(tree, path, slash != NULL ? (size_t)(slash - path) : 0);
        if (parent->child_count == 0) {
            parent->first_child = (uint32_t)i;
        }
        parent->child_count++;
    }
}

bool tree_build(const struct device *device, struct diag *diag, struct tree *out)
{
    struct draft d = {0};

    add_node(&d, "", NULL, "");
    for (size_t i = 0; i < device->skill_count; i++) {
        add_skill(&d, &device->skills[i], (uint32_t)i);
    }
    qsort(d.nodes, d.count, sizeof *d.nodes, node_order);
    if (!merge_all(&d, diag)) {
        return false;
    }
    for (size_t i = 0; i < d.count; i++) {
        const struct source *file = d.nodes[i].file;
        if (file != NULL) {
            romfs_sha256_of(file->bytes, file->size, d.nodes[i].digest);
        }
    }
    *out = (struct tree){d.nodes, d.count};
    count_children(out);
    return true;
}

struct tree_node *tree_find(const struct tree *tree, const char *path, size_t n)
{
    size_t low = 0, high = tree->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct tree_node *node = &tree->nodes[middle];
        int order = romfs_path_order(node->path, node->path_len, path, n);
        if (order == 0) {
            return node;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

const struct tree_node *tree_node_of(const struct tree *tree, const struct skill *skill, const struct source *file)
{
    char *plain = xasprintf("%s/%s", skill->path, file->path), *path = uri_path_encode(plain);
    const struct tree_node *node = tree_find(tree, path, strlen(path));

    free(plain);
    free(path);
    return node;
}

void tree_free(struct tree *tree)
{
    for (size_t i = 0; i < tree->count; i++) {
        free(tree->nodes[i].path);
    }
    free(tree->nodes);
    *tree = (struct tree){NULL, 0};
}
