/* screen.c -- numbers and foreign text for people's eyes. See screen.h. */
#include "base/screen.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "console.h"

void screen_text(FILE *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        fputc(c < 0x20 || c == 0x7F ? '?' : c, out);
    }
}

const char *screen_number(uint64_t value)
{
    static char texts[4][32]; /* a line prints up to four numbers */
    static unsigned next;
    char *end = texts[next++ % 4] + sizeof texts[0] - 1;
    unsigned digits = 0;

    *end = '\0';
    do {
        if (digits > 0 && digits % 3 == 0) {
            *--end = ',';
        }
        *--end = (char)('0' + value % 10);
        value /= 10;
        digits++;
    } while (value > 0);
    return end;
}

const char *screen_plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

bool screen_has_colour(FILE *out)
{
    const char *no_colour = getenv("NO_COLOR");

    return (no_colour == NULL || no_colour[0] == '\0') && isatty(fileno(out));
}

#define PROGRESS_STEP 64 /* things between two updates: few would flicker, and small folders show nothing */

static struct {
    const char *doing;
    uint64_t count;
    bool shown;
} progress;

void screen_progress(const char *doing, const char *things)
{
    if (progress.doing != doing) {
        screen_progress_end();
        progress.doing = doing;
        progress.count = 0;
    }
    if (++progress.count % PROGRESS_STEP == 0 && isatty(STDERR_FILENO)) {
        fprintf(stderr, "\r%s %s %s\033[K", doing, screen_number(progress.count), things);
        progress.shown = true;
    }
}

void screen_progress_end(void)
{
    if (progress.shown) {
        fputs("\r\033[K", stderr);
        progress.shown = false;
    }
}

void screen_error(const char *format, ...)
{
    va_list arguments;

    screen_progress_end();
    fprintf(stderr, "%s: ", host_log_name());
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}
