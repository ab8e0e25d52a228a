/* media.c -- the media type of a file, from its extension and, failing that, its bytes. */
#include "load/media.h"

#include <string.h>
#include <strings.h>

#include "base/utf8.h"

static const struct {
    const char *extension;
    const char *type;
} types[] = {
    {"c", "text/x-c"},           {"css", "text/css"},          {"csv", "text/csv"},
    {"gif", "image/gif"},        {"gz", "application/gzip"},   {"h", "text/x-c"},
    {"html", "text/html"},       {"jpeg", "image/jpeg"},       {"jpg", "image/jpeg"},
    {"js", "text/javascript"},   {"json", "application/json"}, {"lua", "text/x-lua"},
    {"md", "text/markdown"},     {"mjs", "text/javascript"},   {"pdf", "application/pdf"},
    {"png", "image/png"},        {"py", "text/x-python"},      {"sh", "text/x-shellscript"},
    {"svg", "image/svg+xml"},    {"toml", "application/toml"}, {"txt", "text/plain"},
    {"webp", "image/webp"},      {"xml", "application/xml"},   {"yaml", "application/yaml"},
    {"yml", "application/yaml"}, {"zip", "application/zip"},
};

static const char *type_by_extension(const char *name)
{
    const char *dot = strrchr(name, '.');

    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++) {
        if (strcasecmp(dot + 1, types[i].extension) == 0) {
            return types[i].type;
        }
    }
    return NULL;
}

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
    const char *type = type_by_extension(name);

    if (!type) {
        type = clean ? "text/plain" : "application/octet-stream";
    }
    return (struct media){type, clean && is_textual(type)};
}
