/* depfile.c -- see depfile.h. */
#include "cli/depfile.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As make reads it: blanks and # after a backslash, a dollar twice. */
static void add_path(struct buf *b, const char *path)
{
    for (; *path != '\0'; path++) {
        if (*path == ' ' || *path == '#') {
            buf_puts(b, "\\");
        } else if (*path == '$') {
            buf_puts(b, "$");
        }
        buf_add(b, path, 1);
    }
}

/* Of a device's folder only these are read, so it may also hold C sources and what is built. */
static bool is_read(const FTSENT *entry, bool device)
{
    static const char *const parts[] = {"device.json", "skills", "tools", "resources", "prompts"};

    if (strcmp(entry->fts_name, ".git") == 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(entry->fts_name, parts[i]) == 0) {
            return true;
        }
    }
    return !device || entry->fts_level != 1;
}

static void add_tree(struct buf *b, FTS *tree, bool device)
{
    FTSENT *entry;

    while ((entry = fts_read(tree)) != NULL) {
        if (entry->fts_level > 0 && !is_read(entry, device)) {
            fts_set(tree, entry, FTS_SKIP);
        } else if (entry->fts_info != FTS_DP) { /* a directory once */
            buf_puts(b, " \\\n ");
            add_path(b, entry->fts_path);
        }
    }
}

bool depfile_write(struct buf *b, const char *output, const char *dir)
{
    char *const roots[] = {xstrdup(dir), NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, NULL);

    if (tree == NULL) {
        fprintf(stderr, "skillrom: %s: %s\n", dir, strerror(errno));
        return false;
    }
    add_path(b, output);
    buf_puts(b, ":");
    add_tree(b, tree, access(xasprintf("%s/device.json", dir), F_OK) == 0);
    buf_puts(b, "\n");
    fts_close(tree);
    return true;
}
