/* content.c -- one way to read raw and deflated files. See content.h. */
#include "verify/content.h"

#include <stdlib.h>

#include "base/buf.h"

void content_open(struct content *c, const struct romfs *fs, const struct romfs_node *file)
{
    c->file = file;
    c->raw = fs->image + file->data;
    c->taken = 0;
    c->window = NULL;
    if ((file->flags & ROMFS_DEFLATE) != 0) {
        c->window = xmalloc(fs->header->window);
        romfs_inflate_start(&c->inflate, fs, file, c->window);
    }
}

size_t content_next(struct content *c, const uint8_t **bytes)
{
    size_t n;

    if (c->window != NULL) {
        n = romfs_inflate_next(&c->inflate, bytes);
    } else {
        *bytes = c->raw;
        n = c->taken == 0 ? c->file->stored : 0;
    }
    c->taken += n;
    return n;
}

bool content_whole(const struct content *c)
{
    return c->taken == c->file->size;
}

void content_close(struct content *c)
{
    free(c->window);
    c->window = NULL;
}
