/* inflate.h -- the content of a deflated file, a window at a time.
 *
 * miniz's tinfl does the work; this keeps its output inside the window the image declares and its length inside the
 * size the image records. The latter matters: there is a known stream that makes every released miniz produce endless
 * zeros. */
#ifndef ROMFS_INFLATE_H
#define ROMFS_INFLATE_H

#include "romfs.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for miniz's tinfl_decompressor (8376 bytes on 64-bit machines), checked
 * in inflate.c; miniz.h itself stays out of public headers. */
#define ROMFS_INFLATE_STATE 8384u

/* One file being read. The caller owns it, and the window. */
struct romfs_inflate {
    uint64_t state[ROMFS_INFLATE_STATE / 8u];
    const uint8_t *in; /* stored bytes not yet read, in the image */
    uint32_t in_left;
    uint32_t out_left; /* content bytes not yet produced */
    uint8_t *window;
    uint32_t window_size;
    uint32_t at; /* where in the window the next bytes go */
};

/* Starts reading `file`, a node with ROMFS_DEFLATE, from its beginning. `window`
 * holds at least fs->header->window bytes and stays in use while reading. */
void romfs_inflate_start(struct romfs_inflate *z, const struct romfs *fs, const struct romfs_node *file,
                         uint8_t *window);

/* The next bytes of content: *bytes points into the window and stays valid until
 * the next call. 0 at the end of the file, or when the stream is damaged; then
 * romfs_inflate_whole() is false. */
size_t romfs_inflate_next(struct romfs_inflate *z, const uint8_t **bytes);

/* True when every byte of the content has been produced. */
static inline bool romfs_inflate_whole(const struct romfs_inflate *z)
{
    return z->out_left == 0;
}

#ifdef __cplusplus
}
#endif

#endif
