/* json_out.c -- writing JSON strings with the fewest escapes the grammar allows,
 * so that every part of the tool spells the same value the same way. The core also spells it so. */
#include "base/json_out.h"

#include "skr_text.h"

void json_inside(struct buf *b, const char *text, size_t n)
{
    char piece[256];
    struct skr_encoding e = {.from = text, .n = n, .out = piece, .room = sizeof piece};

    while (e.used < e.n) {
        skr_encode_text(&e);
        buf_add(b, piece, e.made);
        e.made = 0;
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
