/* uri_path.c -- percent-encoding of paths, both ways. See uri_path.h. */
#include "base/uri_path.h"

#include "base/buf.h"
#include "skr_text.h"

static int is_unreserved(unsigned char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
           c == '_' || c == '~';
}

char *uri_path_encode(const char *path)
{
    struct buf out = {0};

    for (const char *p = path; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (is_unreserved(c) || c == '/') {
            buf_add(&out, p, 1);
        } else {
            buf_printf(&out, "%%%02X", c);
        }
    }
    return buf_str(&out);
}

char *uri_path_decode(const char *path, size_t n)
{
    struct buf out = {0};

    for (size_t i = 0; i < n; i++) {
        int byte = path[i] == '%' && n - i > 2 ? skr_hex_byte(path + i + 1) : -1;
        if (byte >= 0) {
            char c = (char)byte;
            buf_add(&out, &c, 1);
            i += 2;
        } else {
            buf_add(&out, path + i, 1);
        }
    }
    return buf_str(&out);
}
