/* report.c -- one failure looks like this:
 *
 *     handshake.txt:12: stdio: the newest version is offered to a client that asks for a newer one [VER-03]
 *         sent      {"jsonrpc":"2.0","id":1,"method":"initialize",...
 *         expected  {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25",...
 *         got       {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2026-07-28",...
 *         they differ at byte 57: 6-07-28 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 600 /* bytes of a text that are printed */

struct totals totals;

/* ---- Printing ---- */

static void show_bytes(const char *text, size_t n, const char *line_end)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n' || c == '\r') {
            printf("%s%s", c == '\n' ? "\\n" : "\\r", c == '\n' && i + 1 < n ? line_end : "");
        } else if (c < 0x20 || c >= 0x7F) {
            printf("\\x%02x", c);
        } else {
            putchar(c);
        }
    }
}

static void show(const char *label, const char *text, size_t n)
{
    printf("    %-9s ", label);
    show_bytes(text, n < SHOWN ? n : SHOWN, "\n              ");
    printf(n > SHOWN ? " ... (%zu bytes)\n" : "\n", n);
}

/* The exchanges of this file that were shown already: the other wires need not show them again. */
static struct {
    const struct transcript *file;
    const struct exchange *at[64];
    size_t count;
} counted;

static bool is_counted(const struct place *place)
{
    if (counted.file != place->file) {
        counted.file = place->file;
        counted.count = 0;
    }
    for (size_t i = 0; i < counted.count; i++) {
        if (counted.at[i] == place->exchange) {
            return true;
        }
    }
    if (counted.count < sizeof counted.at / sizeof counted.at[0]) {
        counted.at[counted.count++] = place->exchange;
    }
    return false;
}

/* Counts a failure and says where it is. False when that is enough. */
static bool head(const struct place *place, const struct bytes *sent)
{
    const struct exchange *e = place->exchange;
    bool remark = e != NULL && e->comment.n > 0;
    const char *name = strrchr(place->file->path, '/');

    totals.failed++;
    printf("%s:%d: %s: %s\n", name != NULL ? name + 1 : place->file->path, e != NULL ? e->number : place->scene->number,
           place->how, remark ? e->comment.p : place->scene->title);
    if (place->exchange != NULL && is_counted(place)) {
        printf("    as above\n");
        return false;
    }
    if (sent != NULL) {
        show("sent", sent->p, sent->n);
    }
    return true;
}

/* What the pattern says from its item number `from` on. */
static void show_pattern(const struct pattern *p, size_t from)
{
    struct bytes text = {0};

    bytes_text(&text, from > 0 ? "[..]" : "");
    for (size_t i = from; i < p->n; i++) {
        char c = (char)p->item[i];
        bytes_add(&text, p->item[i] == PATTERN_ANY ? "..." : &c, p->item[i] == PATTERN_ANY ? 3 : 1);
    }
    show("expected", text.p, text.n);
    bytes_free(&text);
}

static void show_difference(const struct pattern *wanted, const char *got, size_t n)
{
    size_t same = pattern_common(wanted, got, n), from = same > 400 ? same - 100 : 0;
    struct bytes text = {0};

    show_pattern(wanted, from);
    bytes_text(&text, from > 0 ? "[..]" : "");
    bytes_add(&text, got + from, n - from);
    show("got", text.p, text.n);
    bytes_free(&text);
    if (same < wanted->n && wanted->item[same] == PATTERN_ANY) {
        printf("    they differ after the wild part at byte %zu\n", same);
    } else {
        printf("    they differ at byte %zu: ", same);
        show_bytes(got + same, n - same < 40 ? n - same : 40, "");
        printf("\n");
    }
}

void report_pass(void)
{
    totals.passed++;
}

void report_trouble(const struct place *place, const struct bytes *sent, const char *what)
{
    (void)head(place, sent);
    printf("    %s\n", what);
}

/* ---- Messages ---- */

void responses_add(struct responses *a, int status, const char *text, size_t n)
{
    struct response *at = realloc(a->at, (a->count + 1) * sizeof *at);

    if (at == NULL) {
        fprintf(stderr, "wire-runner: out of memory\n");
        exit(2);
    }
    a->at = at;
    memset(&a->at[a->count], 0, sizeof *at);
    a->at[a->count].status = status;
    bytes_add(&a->at[a->count].text, text, n);
    a->count++;
}

void responses_free(struct responses *a)
{
    for (size_t i = 0; i < a->count; i++) {
        bytes_free(&a->at[i].text);
    }
    free(a->at);
    memset(a, 0, sizeof *a);
}

bool responses_of_lines(struct responses *a, const struct bytes *out)
{
    size_t from = 0;

    for (size_t i = 0; i < out->n; i++) {
        if (out->p[i] == '\n') {
            responses_add(a, 0, out->p + from, i - from);
            from = i + 1;
        }
    }
    return from == out->n;
}

static bool wants_nothing(const struct lines *wanted)
{
    return wanted->count == 1 && wanted->at[0].nothing;
}

/* Where HTTP is spoken: 200 unless the file says otherwise, 202 for nothing. */
static int wanted_status(const struct line *line)
{
    return line->status != 0 ? line->status : line->nothing ? 202 : 200;
}

static bool check_status(const struct place *place, const struct bytes *sent, const struct line *line,
                         const struct response *got)
{
    if (got->status == 0 || got->status == wanted_status(line)) {
        return true;
    }
    if (head(place, sent)) {
        show("with", got->text.p, got->text.n);
    }
    printf("    HTTP status %d expected, %d came\n", wanted_status(line), got->status);
    return false;
}

static bool check_message(const struct place *place, const struct memory *memory, const struct bytes *sent, size_t i,
                          const struct response *got)
{
    const struct lines *wanted = &place->exchange->wanted;
    struct bytes text = {0};
    struct pattern pattern = {0};

    transcript_text(wanted, i, memory, &text);
    pattern_add(&pattern, text.p, text.n, wanted->at[i].pattern);
    bool fits = pattern_matches(&pattern, got->text.p, got->text.n);
    if (!fits && head(place, sent)) {
        show_difference(&pattern, got->text.p, got->text.n);
    }
    bytes_free(&text);
    pattern_free(&pattern);
    return fits && check_status(place, sent, &wanted->at[i], got);
}

bool report_messages(const struct place *place, const struct memory *memory, const struct bytes *sent,
                     const struct responses *got)
{
    const struct lines *wanted = &place->exchange->wanted;
    size_t count = 0;

    for (size_t i = 0; i < got->count; i++) {
        if (got->at[i].text.n == 0 && got->at[i].status != 0) { /* HTTP, a status alone */
            if (wants_nothing(wanted) && !check_status(place, sent, &wanted->at[0], &got->at[i])) {
                return false;
            }
            continue;
        }
        if (wants_nothing(wanted) || count == wanted->count) {
            if (head(place, sent)) {
                show("expected", "(nothing more)", 14);
                show("got", got->at[i].text.p, got->at[i].text.n);
            }
            return false;
        }
        if (!check_message(place, memory, sent, count++, &got->at[i])) {
            return false;
        }
    }
    if (!wants_nothing(wanted) && count < wanted->count) {
        if (head(place, sent)) {
            show("expected", wanted->at[count].text.p, wanted->at[count].text.n);
            show("got", "(nothing)", 9);
        }
        return false;
    }
    report_pass();
    return true;
}

/* ---- Raw HTTP, and the same again ---- */

bool report_raw(const struct place *place, const struct memory *memory, const struct bytes *sent,
                const struct bytes *got, bool closed)
{
    const struct lines *wanted = &place->exchange->wanted;
    struct pattern pattern = {0};
    struct bytes text = {0};
    bool wants_closed = false;

    for (size_t i = 0; i < wanted->count; i++) {
        wants_closed |= wanted->at[i].closed;
        if (wanted->at[i].closed || wanted->at[i].nothing) {
            continue;
        }
        bytes_clear(&text);
        transcript_text(wanted, i, memory, &text);
        pattern_add(&pattern, text.p, text.n, wanted->at[i].pattern);
        pattern_add(&pattern, "\r\n", wanted->at[i].bare ? 0 : 2, false);
    }
    bool fits = pattern_matches(&pattern, got->p, got->n);
    if (!fits) {
        if (head(place, sent)) {
            show_difference(&pattern, got->p, got->n);
        }
    } else if (closed != wants_closed) {
        report_trouble(place, sent,
                       closed ? "the server closed the connection" : "the server should close the connection");
        fits = false;
    } else {
        report_pass();
    }
    bytes_free(&text);
    pattern_free(&pattern);
    return fits;
}

bool report_same(const struct place *place, const struct bytes *sent, const struct bytes *whole,
                 const struct bytes *got)
{
    struct pattern pattern = {0};

    if (bytes_equal(whole, got)) {
        return true;
    }
    if (head(place, sent)) {
        pattern_add(&pattern, whole->p, whole->n, false);
        show_difference(&pattern, got->p, got->n);
        pattern_free(&pattern);
    }
    return false;
}
