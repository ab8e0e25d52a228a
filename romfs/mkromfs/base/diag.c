/* diag.c -- prints messages as compilers do, or as one JSON object per line.
 *
 * Paths and quoted values come from a stranger's disk: control characters and broken UTF-8 are shown as \xNN, so that
 * a file name can neither control the terminal nor break a reader of the JSON form. */
#include "base/diag.h"

#include <string.h>

#include "base/json_out.h"
#include "base/screen.h"
#include "base/source_line.h"
#include "base/utf8.h"

/* text with every byte that is not printable UTF-8 spelled as \xNN. */
static char *printable(const char *text)
{
    struct buf b = {0};
    size_t n = strlen(text);

    for (size_t i = 0; i < n;) {
        uint32_t c;
        size_t width = utf8_decode(text + i, n - i, &c);
        if (width == 0 || utf8_is_control(c)) {
            size_t bad = width ? width : 1;
            for (size_t k = 0; k < bad; k++) {
                buf_printf(&b, "\\x%02x", (unsigned char)text[i + k]);
            }
            i += bad;
        } else {
            buf_add(&b, text + i, width);
            i += width;
        }
    }
    return buf_str(&b);
}

static void print_json(FILE *out, const char *severity, const char *path, unsigned line, unsigned col, const char *rule,
                       const char *message)
{
    struct buf b = {0};

    buf_puts(&b, "{\"path\":");
    json_string(&b, path, strlen(path));
    if (line) {
        buf_printf(&b, ",\"line\":%u,\"col\":%u", line, col);
    }
    buf_printf(&b, ",\"severity\":\"%s\"", severity);
    if (rule) {
        buf_printf(&b, ",\"rule\":\"%s\"", rule);
    }
    buf_puts(&b, ",\"message\":");
    json_string(&b, message, strlen(message));
    fprintf(out, "%s}\n", buf_str(&b));
}

static void print_text(const struct diag *d, enum severity severity, const char *word, const char *path, unsigned line,
                       unsigned col, const char *rule, const char *message)
{
    const char *bold = d->colour ? "\033[1m" : "";
    const char *tint = !d->colour ? "" : severity == SEVERITY_ERROR ? "\033[1;31m" : "\033[1;35m";
    const char *plain = d->colour ? "\033[0m" : "";

    fprintf(d->out, "%s%s:", bold, path);
    if (line) {
        fprintf(d->out, "%u:%u:", line, col);
    }
    fprintf(d->out, "%s %s%s:%s %s", plain, tint, word, plain, message);
    if (rule) {
        fprintf(d->out, " [%s]", rule);
    }
    fputc('\n', d->out);
}

static void hold(struct diag *d, struct diag_message message)
{
    if ((d->held_count & (d->held_count - 1)) == 0) { /* full at every power of two */
        d->held = xrealloc(d->held, (d->held_count ? 2 * d->held_count : 1) * sizeof *d->held);
    }
    d->held[d->held_count++] = message;
}

void diag_release(struct diag *d, const struct diag *from)
{
    for (size_t i = 0; i < from->held_count; i++) {
        const struct diag_message *m = &from->held[i];
        diag_report(d, m->severity, m->path, m->line, m->col, m->rule, "%s", m->text);
    }
}

void diag_report(struct diag *d, enum severity severity, const char *path, unsigned line, unsigned col,
                 const char *rule, const char *format, ...)
{
    const char *word = severity == SEVERITY_ERROR ? "error" : "warning";

    if (severity == SEVERITY_ERROR) {
        d->errors++;
    } else {
        d->warnings++;
    }
    if (d->silent || (severity == SEVERITY_WARNING && d->quiet_warnings)) {
        return;
    }

    va_list args;
    va_start(args, format);
    char *message = xvasprintf(format, args);
    va_end(args);
    if (d->hold) {
        hold(d, (struct diag_message){severity, xstrdup(path), line, col, rule, message});
        return;
    }
    screen_progress_end();
    message = printable(message);
    if (d->json) {
        print_json(d->out, word, printable(path), line, col, rule, message);
        return;
    }
    print_text(d, severity, word, printable(path), line, col, rule, message);
    if (d->places && (line > 1 || col > 1)) { /* 1:1 is mostly a file as a whole */
        source_line_print(d->out, path, line, col, d->colour);
    }
}
