/* source_line.c -- see source_line.h. The file is read again: diag.c bounds the messages about one file, and a report of one
 * need not keep its text. */
#include "base/source_line.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/utf8.h"

#define SHOWN 96          /* characters of a line */
#define BEFORE 64         /* of them before the place, where a line is longer */
#define SIZE_MOST 1048576 /* of a file that is read for this */

/* The text of a file; NULL when it cannot be had. */
static char *text_of(const char *path, size_t *size)
{
    struct stat st;
    FILE *f = stat(path, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= SIZE_MOST ? fopen(path, "rb") : NULL;

    if (f == NULL) {
        return NULL;
    }
    char *text = xmalloc((size_t)st.st_size + 1);
    *size = fread(text, 1, (size_t)st.st_size, f);
    fclose(f);
    text[*size] = '\0';
    return text;
}

/* The start of a line, NULL if there are fewer; *n is its length without its end. */
static const char *line_of(const char *text, size_t size, unsigned line, size_t *n)
{
    const char *end = text + size;

    for (unsigned i = 1; i < line; i++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) {
            return NULL;
        }
        text = newline + 1;
    }
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    *n = (size_t)((newline != NULL ? newline : end) - text);
    *n -= *n > 0 && text[*n - 1] == '\r';
    return text;
}

/* Adds one character as it can be shown, in one column, or skips it; returns its width in bytes. */
static size_t take_character(struct buf *b, bool skip, const char *p, size_t n)
{
    uint32_t c;
    size_t width = utf8_decode(p, n, &c);

    if (!skip && (width == 0 || utf8_is_control(c))) {
        buf_puts(b, p[0] == '\t' ? " " : "?");
    } else if (!skip) {
        buf_add(b, p, width);
    }
    return width > 0 ? width : 1;
}

/* Prints a stretch of the line at p, whose length is n. */
static void print_line(FILE *out, const char *p, size_t n, unsigned col, bool colour)
{
    unsigned first = col > BEFORE ? col - BEFORE : 1, at = 1;
    struct buf shown = {0};

    for (size_t i = 0; i < n && at < first + SHOWN; at++) {
        i += take_character(&shown, at < first, p + i, n - i);
    }
    if (col >= first && col <= at) {
        fprintf(out, "    %s\n    %*s%s^%s\n", buf_str(&shown), (int)(col - first), "", colour ? "\033[1;32m" : "",
                colour ? "\033[0m" : "");
    }
    free(shown.p);
}

void source_line_print(FILE *out, const char *path, unsigned line, unsigned col, bool colour)
{
    size_t size = 0, n = 0;
    char *text = text_of(path, &size);
    const char *p = text != NULL ? line_of(text, size, line, &n) : NULL;

    if (p != NULL) {
        print_line(out, p, n, col, colour);
    }
    free(text);
}
