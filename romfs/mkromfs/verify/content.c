/* content.c -- one way to read files however they are stored. See content.h. */
#include "verify/content.h"

#include <stdlib.h>

#include "base/buf.h"

static bool is_escaped(const struct content *c)
{
    return (c->file->flags & ROMFS_ESCAPED) != 0;
}

void content_open(struct content *c, const struct romfs *fs, const struct romfs_node *file)
{
    c->file = file;
    c->raw = fs->image + file->data;
    c->taken = 0;
    c->window = NULL;
    romfs_unescape_start(&c->text, c->raw, file->stored);
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
    } else if (is_escaped(c)) {
        n = romfs_unescape_next(&c->text, c->file->size - (size_t)c->taken, bytes);
    } else {
        *bytes = c->raw;
        n = c->taken == 0 ? c->file->stored : 0;
    }
    c->taken += n;
    return n;
}

bool content_whole(const struct content *c)
{
    return c->taken == c->file->size && (!is_escaped(c) || romfs_unescape_whole(&c->text));
}

void content_close(struct content *c)
{
    free(c->window);
    c->window = NULL;
}
