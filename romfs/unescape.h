/* unescape.h -- the content of a text that is stored as the inside of a JSON string.
 *
 * A server sends such a text as stored. Code that needs the content itself, for an archive, a digest or a script,
 * reads it here, forwards: stretches without an escape are returned in place, and the character of an escape
 * by itself. Every byte is looked at, so bytes that a JSON string cannot contain are noticed: a quote
 * or control character of its own, an escape that is cut off or that the compiler does not write (FORMAT.md, 1). */
#ifndef ROMFS_UNESCAPE_H
#define ROMFS_UNESCAPE_H

#include "romfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One text being read. The caller owns it. */
struct romfs_unescape {
    const uint8_t *in, *end; /* escaped bytes not yet read */
    uint8_t made;            /* what the last escape stood for */
};

/* Starts reading n escaped bytes, which stay where they are. */
void romfs_unescape_start(struct romfs_unescape *u, const uint8_t *bytes, size_t n);

/* Up to `max` bytes more of the content, valid until the next call. 0 at the end, for a `max` of 0, or when
 * what follows is damaged; then, and from then on, romfs_unescape_whole() is false. */
size_t romfs_unescape_next(struct romfs_unescape *u, size_t max, const uint8_t **bytes);

/* True when all of it has been read. */
static inline bool romfs_unescape_whole(const struct romfs_unescape *u)
{
    return u->in == u->end;
}

/* Where in the stored bytes of an escaped text the first character begins at or behind byte `at` of its content; the end,
 * if there is none. Only skips escapes, for those who then send what lies there: one that is damaged is not noticed. */
uint32_t romfs_escaped_at(const struct romfs *fs, const struct romfs_node *file, uint32_t at);

/* True when every escaped text of a mounted image has its recorded size, and nothing that would end the JSON string it
 * is sent in. Mounting does not check this, because a device would have to read all of its flash; programs that accept
 * images from strangers do so, besides romfs_is_intact(), after romfs_mount(). */
bool romfs_texts_are_sound(const struct romfs *fs);

/* The message when it is false. */
#define ROMFS_BAD_TEXT "a text of the image is not escaped as it claims: no skillrom has written it; do not trust it"

#ifdef __cplusplus
}
#endif

#endif
