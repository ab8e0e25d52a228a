/* print.c -- see print.h. */
#include "print.h"

#include <string.h>
#include <unistd.h>

#include "console.h"

static void print_flush(struct host_print *out)
{
    if (out->length > 0 && !out->lost) {
        out->lost = out->errors ? !host_write_all(STDERR_FILENO, out->bytes, out->length)
                                : !host_write_result(out->bytes, out->length);
    }
    out->length = 0;
}

void host_print_bytes(struct host_print *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (out->length == sizeof out->bytes) {
            print_flush(out);
        }
        out->bytes[out->length++] = text[i];
        out->column = text[i] == '\n' ? 0 : out->column + 1;
    }
}

void host_print(struct host_print *out, const char *text)
{
    host_print_bytes(out, text, strlen(text));
}

void host_print_to(struct host_print *out, unsigned column)
{
    if (out->column > column) {
        host_print(out, "\n");
    }
    while (out->column < column) {
        host_print(out, " ");
    }
}

void host_print_words(struct host_print *out, const char *text, unsigned indent)
{
    const char *from = text;

    for (;;) {
        size_t spaces = strspn(text, " \n"), n = strcspn(text + spaces, " \n");
        if (n == 0) {
            break;
        }
        bool first = text == from;
        if (!first && strncmp(text, "\n\n", 2) == 0) {
            host_print(out, "\n\n");
        } else if (!first && out->column + 1 + n > HOST_PRINT_COLUMNS) {
            host_print(out, "\n");
        } else if (!first) {
            host_print(out, " ");
        }
        host_print_to(out, out->column < indent ? indent : out->column);
        text += spaces;
        host_print_bytes(out, text, n);
        text += n;
    }
    host_print(out, "\n");
}

bool host_print_end(struct host_print *out)
{
    print_flush(out);
    return !out->lost;
}
