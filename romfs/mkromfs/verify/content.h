/* content.h -- the content of a file of a mounted image, inflated or unescaped if necessary.
 *
 *     struct content c;
 *     for (content_open(&c, fs, file); (n = content_next(&c, &bytes)) > 0;) use(bytes, n);
 *     if (!content_whole(&c)) the stored bytes are damaged;
 *     content_close(&c);
 */
#ifndef MKROMFS_CONTENT_H
#define MKROMFS_CONTENT_H

#include "inflate.h"
#include "unescape.h"

struct content {
    const struct romfs_node *file;
    const uint8_t *raw; /* stored as it is: the bytes, until they were taken */
    uint64_t taken;     /* bytes handed out */
    uint8_t *window;    /* deflated */
    struct romfs_inflate inflate;
    struct romfs_unescape text; /* escaped */
};

void content_open(struct content *c, const struct romfs *fs, const struct romfs_node *file);

/* The next bytes, valid until the next call; 0 at the end. */
size_t content_next(struct content *c, const uint8_t **bytes);

/* True when as many bytes were produced as the image records. */
bool content_whole(const struct content *c);

void content_close(struct content *c);

#endif
