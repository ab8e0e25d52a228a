/* caller_show.c -- texts and files of a device, for people. See caller.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/encode.h"
#include "text/json_string.h"
#include "caller.h"
#include "say.h"
#include "scan.h"

static bool lost; /* something could not be written */

void skr_caller_print(int fd, const char *text, size_t n)
{
    if (!lost && !skr_say_raw(fd, text, n) && fd == STDOUT_FILENO) {
        lost = true;
        skr_say("cannot write to stdout: %s", strerror(errno));
    }
}

bool skr_caller_printed(void)
{
    return !lost;
}

/* What a device says must not be able to write over the terminal: C0 and C1 controls, but for line ends and tabs. */
static bool is_control(const char *text, unsigned n)
{
    unsigned char c = (unsigned char)text[0];
    return n == 1 ? (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F
                  : n == 2 && c == 0xC2 && (unsigned char)text[1] < 0xA0;
}

/* A whole character, whichever way it is written: controls may have two bytes. */
static unsigned take_character(const char *p, const char *end, char to[4], unsigned *used)
{
    size_t k = *p == '\\' ? 0 : skri_utf8_char(p, (size_t)(end - p));
    if (k == 0) {
        return skri_json_decode(p, end, to, used);
    }
    memcpy(to, p, k);
    *used = (unsigned)k;
    return *used;
}

void skr_caller_show(int fd, struct skr_span string)
{
    struct skr_span inside = skri_scan_inside(string);
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
            skr_caller_print(fd, bytes, n);
            n = 0;
        }
    }
    skr_caller_print(fd, bytes, n);
}

void skr_caller_show_text(int fd, const char *text, size_t n)
{
    bool terminal = isatty(fd) != 0;
    size_t from = 0;
    for (size_t i = 0, k; terminal && i < n; i += k) {
        k = skri_utf8_char(text + i, n - i);
        bool bad = k == 0 || is_control(text + i, (unsigned)k);
        k = k > 0 ? k : 1;
        if (bad) {
            skr_caller_print(fd, text + from, i - from);
            skr_caller_print(fd, "?", 1);
            from = i + k;
        }
    }
    skr_caller_print(fd, text + from, n - from);
}

bool skr_caller_show_bytes(struct skr_span string)
{
    struct skr_span inside = skri_scan_inside(string);
    char bytes[3072];
    while (inside.n > 0) {
        size_t n = inside.n < 4096 ? inside.n : 4096, made;
        if (!skri_decode_base64((struct skr_span){inside.p, n}, false, bytes, sizeof bytes, &made)) {
            skr_say("the device's base64 is not valid");
            return false;
        }
        skr_caller_print(STDOUT_FILENO, bytes, made);
        inside.p += n;
        inside.n -= n;
    }
    return true;
}

static void show_line(struct skr_span string)
{
    struct skr_span inside = skri_scan_inside(string);
    skr_caller_show(STDOUT_FILENO, string);
    if (inside.n < 2 || memcmp(inside.p + inside.n - 2, "\\n", 2) != 0) {
        skr_caller_print(STDOUT_FILENO, "\n", 1);
    }
}

static void show_other(struct skr_span item)
{
    static const char *const members[] = {"type", "mimeType", "uri", "name"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct skr_span value = skri_scan_get(item, members[i]);
        if (value.p != NULL) {
            skr_caller_print(STDOUT_FILENO, i > 0 ? " " : "[", 1);
            skr_caller_show(STDOUT_FILENO, value);
        }
    }
    skr_caller_print(STDOUT_FILENO, "]\n", 2);
}

void skr_caller_show_content(struct skr_span items)
{
    struct skr_span item;
    while (items.p != NULL && skri_scan_item(&items, &item)) {
        struct skr_span text = skri_scan_get(item, "text");
        if (text.p != NULL) {
            show_line(text);
        } else {
            show_other(item);
        }
    }
}
