/* media.c -- the media type of a file, from its extension and, failing that, its bytes. */
#include "load/media.h"

#include <string.h>

#include "base/utf8.h"
#include "mediatype.h"

static bool is_textual(const char *type)
{
    static const char *const others[] = {"application/json", "application/yaml", "application/xml", "application/toml",
                                         "image/svg+xml"};

    if (strncmp(type, "text/", 5) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(type, others[i]) == 0) {
            return true;
        }
    }
    return false;
}

struct media media_of(const char *name, const uint8_t *bytes, size_t size)
{
    const char *text = (const char *)bytes;
    bool clean = size == 0 || (!memchr(text, '\0', size) && utf8_bad_offset(text, size) == size);
    const char *type = host_media_type(name, strlen(name));

    if (!type) {
        type = clean ? "text/plain" : "application/octet-stream";
    }
    return (struct media){type, clean && is_textual(type)};
}
