/* media.h -- media types, and whether content is sent as text (SK-V-62, SK-V-63). */
#ifndef MKROMFS_MEDIA_H
#define MKROMFS_MEDIA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct media {
    const char *type;
    bool text; /* textual type and valid UTF-8 without NUL: `text`, else `blob` */
};

struct media media_of(const char *name, const uint8_t *bytes, size_t size);

#endif
