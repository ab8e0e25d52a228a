/* instructions.h -- the body of a SKILL.md without blank lines around it, cut where a value
 * goes in (SK-V-25, SK-D-06). */
#ifndef MKROMFS_INSTRUCTIONS_H
#define MKROMFS_INSTRUCTIONS_H

#include "image/model.h"

/* Bytes of SKILL.md, and the argument that follows them: an index, or -1 for none. */
struct stretch {
    size_t off, len;
    int arg;
};

struct instructions {
    struct stretch *list;
    size_t count;
};

/* `{{name}}` of a declared argument is replaced by a value; everything else is text. No
 * stretches when there are no instructions. */
struct instructions instructions_of(const struct skill *skill);

#endif
