/* json_out.c -- writing JSON strings with the fewest escapes the grammar allows,
 * so that every part of the tool spells the same value the same way. */
#include "base/json_out.h"

#include <string.h>

static void escape_byte(struct buf *b, unsigned char c)
{
    static const char short_forms[] = "\"\\\n\r\t\b\f";
    static const char letters[] = "\"\\nrtbf";
    const char *at = c ? strchr(short_forms, c) : NULL;

    if (at) {
        char pair[2] = {'\\', letters[at - short_forms]};
        buf_add(b, pair, sizeof pair);
    } else {
        buf_printf(b, "\\u%04x", c);
    }
}

void json_inside(struct buf *b, const char *text, size_t n)
{
    size_t plain = 0; /* start of the run that needs no escape */

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\') {
            continue;
        }
        buf_add(b, text + plain, i - plain);
        escape_byte(b, c);
        plain = i + 1;
    }
    if (n) {
        buf_add(b, text + plain, n - plain);
    }
}

void json_string(struct buf *b, const char *text, size_t n)
{
    buf_puts(b, "\"");
    json_inside(b, text, n);
    buf_puts(b, "\"");
}

char *json_quoted(const char *text, size_t n)
{
    struct buf b = {0};

    json_string(&b, text, n);
    return buf_str(&b);
}
