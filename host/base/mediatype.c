/* mediatype.c -- see mediatype.h. */
#include "mediatype.h"

#include <string.h>
#include <strings.h>

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

const char *host_media_type(const char *name, size_t n)
{
    size_t dot = n;

    while (dot > 0 && name[dot - 1] != '.') {
        dot--;
    }
    for (size_t i = 0; dot > 0 && i < sizeof types / sizeof types[0]; i++) {
        const char *extension = types[i].extension;
        if (strlen(extension) == n - dot && strncasecmp(name + dot, extension, n - dot) == 0) {
            return types[i].type;
        }
    }
    return NULL;
}
