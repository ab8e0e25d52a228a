/* diag.c -- prints messages as compilers do, or as one JSON object per line.
 *
 * Paths and quoted values come from a stranger's disk: control characters and broken UTF-8 are shown as \xNN, so that
 * a file name can neither control the terminal nor break a reader of the JSON form. */
#include "base/diag.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json_out.h"
#include "base/screen.h"
#include "base/source_line.h"
#include "base/utf8.h"

/* The messages about one file, by severity. */
struct diag_file {
    const char *path;
    size_t number; /* in the order of first messages */
    unsigned kept[SEVERITY_ERROR + 1];
    unsigned cut[SEVERITY_ERROR + 1]; /* after DIAG_FILE_MAX were kept */
    size_t last[SEVERITY_ERROR + 1];  /* the latest that is held */
    bool is_cut;
    struct diag_file *next_cut;
};

char *diag_printable(const char *text)
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

static const char *const severity_names[] = {[SEVERITY_WARNING] = "warning", [SEVERITY_ERROR] = "error"};

static void print_json(const struct diag *d, const struct diag_message *m)
{
    struct buf b = {0};
    char *path = diag_printable(m->path), *text = diag_printable(m->text);

    buf_puts(&b, "{\"path\":");
    json_string(&b, path, strlen(path));
    if (m->line) {
        buf_printf(&b, ",\"line\":%u,\"col\":%u", m->line, m->col);
    }
    buf_printf(&b, ",\"severity\":\"%s\"", severity_names[m->severity]);
    if (m->rule) {
        buf_printf(&b, ",\"rule\":\"%s\"", m->rule);
    }
    buf_puts(&b, ",\"message\":");
    json_string(&b, text, strlen(text));
    fprintf(d->out, "%s}\n", buf_str(&b));
    free(b.p);
    free(path);
    free(text);
}

static void print_text(const struct diag *d, const struct diag_message *m)
{
    const char *bold = d->colour ? "\033[1m" : "";
    const char *tint = !d->colour ? "" : m->severity == SEVERITY_ERROR ? "\033[1;31m" : "\033[1;35m";
    const char *plain = d->colour ? "\033[0m" : "";
    char *path = diag_printable(m->path), *text = diag_printable(m->text);

    fprintf(d->out, "%s%s:", bold, path);
    if (m->line) {
        fprintf(d->out, "%u:%u:", m->line, m->col);
    }
    fprintf(d->out, "%s %s%s:%s %s", plain, tint, severity_names[m->severity], plain, text);
    if (m->rule) {
        fprintf(d->out, " [%s]", m->rule);
    }
    fputc('\n', d->out);
    free(path);
    free(text);
}

static void print_message(const struct diag *d, const struct diag_message *m)
{
    screen_progress_end();
    if (d->json) {
        print_json(d, m);
        return;
    }
    print_text(d, m);
    if (d->places && (m->line > 1 || m->col > 1)) { /* 1:1 is mostly a file as a whole */
        source_line_print(d->out, m->path, m->line, m->col, d->colour);
    }
}

static void hold_message(struct diag *d, struct diag_message message)
{
    if ((d->held_count & (d->held_count - 1)) == 0) { /* full at every power of two */
        d->held = xrealloc(d->held, (d->held_count ? 2 * d->held_count : 1) * sizeof *d->held);
    }
    d->held[d->held_count++] = message;
}

static struct diag_file *file_of(struct diag *d, const char *path)
{
    struct diag_file *file = names_find(&d->files, path, strlen(path));

    if (file == NULL) {
        file = xmalloc(sizeof *file);
        *file = (struct diag_file){.path = xstrdup(path), .number = d->file_count++};
        names_add(&d->files, file->path, strlen(file->path), file);
    }
    return file;
}

/* Counts messages about a file that has enough of them. */
static void cut_messages(struct diag *d, struct diag_file *file, enum severity severity, unsigned count)
{
    file->cut[severity] += count;
    if (d->hold) {
        d->held[file->last[severity]].more += count;
    }
    if (!file->is_cut) {
        *(d->last_cut != NULL ? &d->last_cut->next_cut : &d->first_cut) = file;
        d->last_cut = file;
        file->is_cut = true;
    }
}

void diag_end(struct diag *d)
{
    for (const struct diag_file *file = d->first_cut; file != NULL; file = file->next_cut) {
        for (enum severity s = SEVERITY_WARNING; s <= SEVERITY_ERROR; s++) {
            if (file->cut[s] > 0) {
                struct diag_message rest = {.severity = s, .path = file->path};
                rest.text = xasprintf("%s more %s%s in this file not shown", screen_number(file->cut[s]),
                                      severity_names[s], screen_plural(file->cut[s]));
                print_message(d, &rest);
                free(rest.text);
            }
        }
    }
}

static void count_messages(struct diag *d, enum severity severity, unsigned more)
{
    *(severity == SEVERITY_ERROR ? &d->errors : &d->warnings) += more;
}

static int number_order(size_t a, size_t b)
{
    return a < b ? -1 : a > b;
}

/* Messages about one place stay in their order, which is that of the array that they lie in. */
static int message_order(const void *x, const void *y)
{
    const struct diag_message *a = *(const struct diag_message *const *)x;
    const struct diag_message *b = *(const struct diag_message *const *)y;
    int order = number_order(a->file, b->file);

    order = order != 0 ? order : number_order(a->line, b->line);
    order = order != 0 ? order : number_order(a->col, b->col);
    return order != 0 ? order : a < b ? -1 : a > b;
}

void diag_release(struct diag *d, struct diag *from)
{
    const struct diag_message **sorted = xmalloc(from->held_count * sizeof *sorted);

    for (size_t i = 0; i < from->held_count; i++) {
        sorted[i] = &from->held[i];
    }
    qsort(sorted, from->held_count, sizeof *sorted, message_order);
    for (size_t i = 0; i < from->held_count; i++) {
        const struct diag_message *m = sorted[i];
        diag_report(d, m->severity, m->path, m->line, m->col, m->rule, "%s", m->text);
        if (m->more > 0) {
            count_messages(d, m->severity, m->more);
            cut_messages(d, file_of(d, m->path), m->severity, m->more);
        }
    }
    free(sorted);
}

void diag_report(struct diag *d, enum severity severity, const char *path, unsigned line, unsigned col,
                 const char *rule, const char *format, ...)
{
    count_messages(d, severity, 1);
    if (d->silent) {
        return;
    }
    struct diag_file *file = file_of(d, path);
    if (file->kept[severity] == DIAG_FILE_MAX) {
        cut_messages(d, file, severity, 1);
        return;
    }
    file->kept[severity]++;
    file->last[severity] = d->held_count;

    va_list args;
    va_start(args, format);
    struct diag_message message = {severity, file->path, line, col, rule, xvasprintf(format, args), file->number, 0};
    va_end(args);
    if (d->hold) {
        hold_message(d, message);
        return;
    }
    print_message(d, &message);
    free(message.text);
}
