/* texts.h -- the text area of an image while it grows: every text once.
 *
 * A text is identified by its position, so one that is also part of another (a file's path inside its skill's entry)
 * costs nothing: register the position with texts_keep_suffix, and texts_add will find it. */
#ifndef MKROMFS_TEXTS_H
#define MKROMFS_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "romfs.h"

/* The largest area; exceeding it ends the program. Far beyond any device, and small enough that
 * offsets never overflow 32 bits. */
#define TEXTS_MAX 0x40000000u

/* Starts as all zeros except `base`. */
struct texts {
    size_t base; /* offset in the image where this area starts */
    struct buf bytes;
    struct romfs_text *slots; /* hash table of the texts that can be found; len 0 is a free slot */
    size_t slot_count;
    size_t used;
};

/* A text with these bytes: one already there, or new at the end. */
struct romfs_text texts_add(struct texts *t, const void *bytes, size_t n);

/* New at the end even if the same bytes are there already. */
struct romfs_text texts_append(struct texts *t, const void *bytes, size_t n);

/* The bytes at their first position inside `outer`; otherwise as texts_add. */
struct romfs_text texts_add_within(struct texts *t, struct romfs_text outer, const void *bytes, size_t n);

/* Frees the area and the table. */
void texts_free(struct texts *t);

/* Lets texts_add find a stretch of what has been added. */
void texts_keep_suffix(struct texts *t, struct romfs_text text);

#endif
