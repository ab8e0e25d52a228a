/* walk.c -- a walk through the directories of an image. See walk.h. It ends, because
 * mounting has proved that a child's path is longer than its parent's. */
#include "verify/walk.h"

#include <stdlib.h>

#include "base/buf.h"

static void push_node(struct walk *w, uint32_t node)
{
    if (w->count == w->room) {
        w->room = w->room > 0 ? w->room * 2 : 64;
        w->waiting = xrealloc(w->waiting, w->room * sizeof *w->waiting);
    }
    w->waiting[w->count++] = node;
}

void walk_start(struct walk *w, const struct romfs *fs, const struct romfs_node *from)
{
    *w = (struct walk){.fs = fs};
    push_node(w, (uint32_t)(from - fs->nodes));
}

const struct romfs_node *walk_next(struct walk *w)
{
    if (w->count == 0) {
        free(w->waiting);
        w->waiting = NULL;
        return NULL;
    }
    const struct romfs_node *node = &w->fs->nodes[w->waiting[--w->count]];
    if ((node->flags & ROMFS_DIR) != 0) {
        for (uint32_t i = node->stored; i > 0; i--) {
            push_node(w, node->data + i - 1);
        }
    }
    return node;
}
