/* header_lines.c -- see header_lines.h. */
#include "header_lines.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json_edit.h"
#include "text/encode.h"
#include "text/json_scan.h"

void transport_header_lines_add(struct transport_header_lines *head, const char *format, ...)
{
    va_list words;
    size_t room = TRANSPORT_HEAD_LINES - head->n;

    va_start(words, format);
    int n = vsnprintf(head->text + head->n, room, format, words);
    va_end(words);
    head->n += n > 0 && (size_t)n < room ? (size_t)n : 0;
}

static bool is_plain(const char *text, size_t n)
{
    bool plain = n > 0 && text[0] != ' ' && text[n - 1] != ' ' && (n < 2 || memcmp(text, "=?", 2) != 0);

    for (size_t i = 0; i < n && plain; i++) {
        plain = text[i] >= ' ' && text[i] <= '~';
    }
    return plain;
}

void transport_header_lines_json(struct transport_header_lines *head, const char *name, struct skr_span value)
{
    static char text[TRANSPORT_HEAD], coded[TRANSPORT_HEAD];
    struct skr_carry carry = {.n = 0};
    struct skr_span inside = skr_scan_inside(value);

    if (value.p == NULL || *value.p == 'n' || *value.p == '{' || *value.p == '[') {
        return;
    }
    if (inside.p == NULL) {
        transport_header_lines_add(head, "%s: %.*s\r\n", name, (int)value.n, value.p);
        return;
    }
    size_t n = host_json_text(inside, text, sizeof text);
    if (n >= sizeof text) {
        return;
    }
    if (is_plain(text, n)) {
        transport_header_lines_add(head, "%s: %.*s\r\n", name, (int)n, text);
        return;
    }
    struct skr_encoding e = {.from = text, .n = n, .out = coded, .room = sizeof coded};
    skr_encode_base64(&e, &carry, true);
    if (e.used == n && carry.n == 0) {
        transport_header_lines_add(head, "%s: =?base64?%.*s?=\r\n", name, (int)e.made, coded);
    }
}

void transport_header_lines_end(struct transport_header_lines *head)
{
    memcpy(head->text + head->n, "\r\n", 2);
    head->n += 2;
}
