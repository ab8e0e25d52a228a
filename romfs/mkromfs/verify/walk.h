/* walk.h -- all nodes below one, each directory before its children, children in table order.
 * Keeps its own stack: an image may nest deeper than the C stack allows. */
#ifndef MKROMFS_WALK_H
#define MKROMFS_WALK_H

#include <stddef.h>

#include "romfs.h"

struct walk {
    const struct romfs *fs;
    uint32_t *waiting; /* nodes still to come, the next one last */
    size_t count, room;
};

/* Starts at `from`, which comes first. */
void walk_start(struct walk *w, const struct romfs *fs, const struct romfs_node *from);

/* The next node; NULL at the end, and then nothing is left to free. */
const struct romfs_node *walk_next(struct walk *w);

#endif
