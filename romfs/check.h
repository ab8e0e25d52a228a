/* check.h -- what mounting checks of a text, a digest and a file, shared by romfs.c and panel.c. The numbers of the
 * invariants are those of romfs.c. */
#ifndef ROMFS_CHECK_H
#define ROMFS_CHECK_H

#include "romfs.h"

/* True when `n` bytes or records from `at` on end at or before `end`. */
static inline bool within(uint32_t at, uint32_t n, uint32_t end)
{
    return at <= end && n <= end - at;
}

static inline bool texts_fit(const struct romfs_header *h, const uint32_t *words, uint32_t count)
{
    for (; count > 0; count--, words += 2) {
        if (!within(words[0], words[1], h->meta_size)) {
            return false;
        }
    }
    return true;
}

static inline bool digest_fits(const struct romfs *fs, uint32_t at)
{
    return within(at, ROMFS_DIGEST_SIZE, fs->header->meta_size);
}

/* Escaping never shortens a text, and turns one byte into at most six. */
static inline bool escaped_fits(uint32_t size, uint32_t json_size)
{
    return json_size >= size && json_size / 6u <= size;
}

static inline bool file_is_sound(const struct romfs *fs, const struct romfs_node *f)
{
    const struct romfs_header *h = fs->header;
    bool text = (f->flags & ROMFS_TEXT) != 0, stored_agrees = f->stored == f->size;

    if ((f->flags & ROMFS_ESCAPED) != 0) {
        stored_agrees = (f->flags & (ROMFS_TEXT | ROMFS_DEFLATE)) == ROMFS_TEXT && f->stored == f->json_size;
    } else if ((f->flags & ROMFS_DEFLATE) != 0) {
        stored_agrees = h->window != 0;
    }
    return stored_agrees && f->size <= ROMFS_FILE_MAX && (!text || escaped_fits(f->size, f->json_size)) &&
           f->data >= h->meta_size && within(f->data, f->stored, h->size); /* (3) */
}

#endif
