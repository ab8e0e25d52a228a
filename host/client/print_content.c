/* print_content.c -- writes texts and files of a device to a terminal or a file. See client.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "console.h"
#include "json_edit.h"
#include "text/encode.h"
#include "text/json_string.h"

static bool lost; /* something could not be written */

void client_print(int fd, const char *text, size_t n)
{
    if (!lost && !host_write_all(fd, text, n) && fd == STDOUT_FILENO) {
        lost = true;
        host_stdout_failed();
    }
}

bool client_printed(void)
{
    return !lost;
}

/* A control character, other than newline and tab, could overwrite the terminal: C0 and C1. */
static bool is_control(const char *text, unsigned n)
{
    unsigned char c = (unsigned char)text[0];

    return n == 1 ? (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F
                  : n == 2 && c == 0xC2 && (unsigned char)text[1] < 0xA0;
}

/* Decodes one whole character, escaped or not: controls may have two bytes. */
static unsigned take_character(const char *p, const char *end, char to[4], unsigned *used)
{
    size_t k = *p == '\\' ? 0 : skr_utf8_char(p, (size_t)(end - p));

    if (k == 0) {
        return skr_json_decode(p, end, to, used);
    }
    memcpy(to, p, k);
    *used = (unsigned)k;
    return *used;
}

void client_print_string(int fd, struct skr_span string)
{
    struct skr_span inside = skr_scan_inside(string);
    const char *end = inside.p + inside.n;
    bool terminal = isatty(fd) != 0;
    char bytes[4096];
    size_t n = 0;

    while (inside.p != NULL && inside.p < end) {
        unsigned used, made = take_character(inside.p, end, bytes + n, &used);
        inside.p += used;
        if (terminal && is_control(bytes + n, made)) {
            bytes[n] = '?';
            made = 1;
        }
        n += made;
        if (n > sizeof bytes - 8) {
            client_print(fd, bytes, n);
            n = 0;
        }
    }
    client_print(fd, bytes, n);
}

void client_print_text(int fd, const char *text, size_t n)
{
    bool terminal = isatty(fd) != 0;
    size_t from = 0;

    for (size_t i = 0, k; terminal && i < n; i += k) {
        k = skr_utf8_char(text + i, n - i);
        bool bad = k == 0 || is_control(text + i, (unsigned)k);
        k = k > 0 ? k : 1;
        if (bad) {
            client_print(fd, text + from, i - from);
            client_print(fd, "?", 1);
            from = i + k;
        }
    }
    client_print(fd, text + from, n - from);
}

static void print_bytes(void *context, const char *bytes, size_t n)
{
    (void)context;
    client_print(STDOUT_FILENO, bytes, n);
}

bool client_print_base64(struct skr_span string)
{
    bool valid = host_json_base64(skr_scan_inside(string), print_bytes, NULL);

    if (!valid) {
        host_log("the device has sent invalid base64; update its firmware");
    }
    return valid;
}

static void print_line(struct skr_span string)
{
    struct skr_span inside = skr_scan_inside(string);

    client_print_string(STDOUT_FILENO, string);
    if (inside.n < 2 || memcmp(inside.p + inside.n - 2, "\\n", 2) != 0) {
        client_print(STDOUT_FILENO, "\n", 1);
    }
}

static void print_other(struct skr_span item)
{
    static const char *const members[] = {"type", "mimeType", "uri", "name"};

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct skr_span value = skr_scan_get(item, members[i]);
        if (value.p != NULL) {
            client_print(STDOUT_FILENO, i > 0 ? " " : "[", 1);
            client_print_string(STDOUT_FILENO, value);
        }
    }
    client_print(STDOUT_FILENO, "]\n", 2);
}

void client_print_content(struct skr_span items)
{
    struct skr_span item;

    while (items.p != NULL && skr_scan_item(&items, &item)) {
        struct skr_span text = skr_scan_get(item, "text");
        if (text.p != NULL) {
            print_line(text);
        } else {
            print_other(item);
        }
    }
}
