/* print.c -- see print.h. */
#include "print.h"

#include <string.h>
#include <unistd.h>

#include "say.h"

static void flush(struct skr_print *out)
{
    if (out->length > 0 && !out->lost) {
        out->lost = out->errors ? !skr_say_raw(STDERR_FILENO, out->bytes, out->length)
                                : !skr_say_result(out->bytes, out->length);
    }
    out->length = 0;
}

void skr_print_bytes(struct skr_print *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (out->length == sizeof out->bytes) {
            flush(out);
        }
        out->bytes[out->length++] = text[i];
        out->column = text[i] == '\n' ? 0 : out->column + 1;
    }
}

void skr_print(struct skr_print *out, const char *text)
{
    skr_print_bytes(out, text, strlen(text));
}

void skr_print_to(struct skr_print *out, unsigned column)
{
    if (out->column > column) {
        skr_print(out, "\n");
    }
    while (out->column < column) {
        skr_print(out, " ");
    }
}

void skr_print_words(struct skr_print *out, const char *text, unsigned indent)
{
    const char *from = text;

    for (;;) {
        size_t blanks = strspn(text, " \n"), n = strcspn(text + blanks, " \n");
        if (n == 0) {
            break;
        }
        bool first = text == from;
        if (!first && strncmp(text, "\n\n", 2) == 0) {
            skr_print(out, "\n\n");
        } else if (!first && out->column + 1 + n > SKR_PRINT_COLUMNS) {
            skr_print(out, "\n");
        } else if (!first) {
            skr_print(out, " ");
        }
        skr_print_to(out, out->column < indent ? indent : out->column);
        text += blanks;
        skr_print_bytes(out, text, n);
        text += n;
    }
    skr_print(out, "\n");
}

bool skr_print_end(struct skr_print *out)
{
    flush(out);
    return !out->lost;
}
