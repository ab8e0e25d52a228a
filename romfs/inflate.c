/* inflate.c -- tinfl behind a declared window and a recorded size. See inflate.h. */
#include "inflate.h"

#include <string.h>

/* A device whose image has no compressed files needs no miniz. Without it nothing is defined here, and a program
 * that inflates does not link. */
#ifdef __has_include
#if !__has_include("miniz.h")
#define NO_MINIZ
#endif
#endif

#ifndef NO_MINIZ
#include "miniz.h"

typedef char state_is_large_enough[sizeof(tinfl_decompressor) <= ROMFS_INFLATE_STATE ? 1 : -1];

void romfs_inflate_start(struct romfs_inflate *z, const struct romfs *fs, const struct romfs_node *file,
                         uint8_t *window)
{
    tinfl_decompressor *tinfl = (void *)z->state;

    tinfl_init(tinfl);
    z->in = fs->image + file->data;
    z->in_left = file->stored;
    z->out_left = file->size;
    z->window = window;
    z->window_size = fs->header->window;
    z->at = 0;
    memset(window, 0, z->window_size); /* a damaged stream may refer to what was there before */
}

size_t romfs_inflate_next(struct romfs_inflate *z, const uint8_t **bytes)
{
    tinfl_decompressor *tinfl = (void *)z->state;

    if (z->out_left == 0) {
        return 0;
    }
    /* tinfl wraps at the end of the buffer it is given and masks every distance by its size. So it must always be given
     * the whole rest of the window. */
    size_t in = z->in_left, out = z->window_size - z->at;
    tinfl_status status = tinfl_decompress(tinfl, z->in, &in, z->window, z->window + z->at, &out, 0);
    *bytes = z->window + z->at;
    z->in += in;
    z->in_left -= (uint32_t)in;
    z->at = (z->at + (uint32_t)out) & (z->window_size - 1u);
    if (status < TINFL_STATUS_DONE) {
        return 0; /* out_left stays above 0: the file is incomplete */
    }
    if (out > z->out_left) {
        out = z->out_left; /* more than the image recorded: never hand it out */
    }
    z->out_left -= (uint32_t)out;
    return out;
}
#endif
