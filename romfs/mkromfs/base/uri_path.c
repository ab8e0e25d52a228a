/* uri_path.c -- percent-encoding of paths, both ways. See uri_path.h. */
#include "base/uri_path.h"

#include <string.h>

#include "base/buf.h"

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

static int hex_value(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;

    if (at == NULL) {
        return -1;
    }
    int value = (int)(at - digits);
    return value < 16 ? value : value - 6;
}

char *uri_path_decode(const char *path, size_t n)
{
    struct buf out = {0};

    for (size_t i = 0; i < n; i++) {
        int high = path[i] == '%' && n - i > 2 ? hex_value(path[i + 1]) : -1;
        int low = high >= 0 ? hex_value(path[i + 2]) : -1;
        if (low >= 0) {
            char byte = (char)(high * 16 + low);
            buf_add(&out, &byte, 1);
            i += 2;
        } else {
            buf_add(&out, path + i, 1);
        }
    }
    return buf_str(&out);
}
