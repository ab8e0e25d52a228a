/* revisions.h -- images of one device that differ in a known way, to be swapped for each other. */
#ifndef REVISIONS_H
#define REVISIONS_H

#include "peer.h"

/* What a revision has. Its skill `one` holds SKILL.md, a.md, b.md and long.txt; skill `two` is
 * there to make lists of more than one page. */
struct revision {
    const char *a;    /* content of one/a.md; NULL: no such file */
    const char *b;    /* content of one/b.md */
    char fill;        /* what one/long.txt is full of */
    const char *tool; /* name of its tool */
    const char *name; /* of a prompt; NULL: none */
};

/* The first: {"a", "b", '1', "echo", "greet"}. */
extern const struct revision first_revision;

/* The image of a revision. */
struct buf revision_image(const struct revision *revision);

/* Swaps peer.server to this revision. The image stays in memory, exactly as long as it is: a
 * read from an image that was let go is seen by the address sanitizer once
 * revision_forget has been called. */
void revision_swap(const struct revision *revision);

/* Lets the images before the current one go. */
void revision_forget(void);

/* A fresh server that can swap, over the first revision, and a fresh connection to it. */
void revision_start(enum skr_wire wire);

#define REVISION_LONG 60000 /* bytes in one/long.txt: more than a connection makes at a time */

#endif
