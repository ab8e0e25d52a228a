/* cable_text.c -- see cable_text.h. */
#include "cable_text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "text/json.h"
#include "../posix/say.h"
#include "scan.h"

enum cable_line {
    LINE_START,   /* nothing of it has arrived */
    LINE_MESSAGE, /* it began with a brace */
    LINE_LOG,     /* it did not */
};

#define PROGRESS_EVERY_MS 200

void skr_cable_text_reset(struct skr_cable *c)
{
    c->in_n = c->log_n = 0;
    c->in_lost = false;
    c->line = LINE_START;
}

/* ---- Messages ---- */

static void end_message(struct skr_cable *c)
{
    size_t n = c->in_lost ? 0 : c->in_n;
    c->in_n = 0;
    if (n > 0 && c->in[n - 1] == '\r') {
        n--;
    }
    c->on_message(c->owner, n);
    c->in_lost = false;
}

void skr_cable_payload(struct skr_cable *c, uint8_t byte)
{
    if (byte == '\n') {
        end_message(c);
    } else if (c->in_n == c->in_size) {
        c->in_lost = true;
    } else {
        c->in[c->in_n++] = (char)byte;
    }
}

/* ---- Log lines ---- */

/* Removes colours and other terminal sequences. */
static size_t without_escapes(char *line, size_t n)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        if (line[i] == 0x1B && i + 1 < n && line[i + 1] == '[') {
            i += 2;
            while (i < n && (line[i] < '@' || line[i] > '~')) {
                i++;
            }
        } else if (line[i] != '\r') {
            line[to++] = line[i];
        }
    }
    return to;
}

/* The remains of a damaged frame, or of bytes sent at another speed, are not text. */
static bool is_text(const char *line, size_t n)
{
    while (n > 0) {
        size_t k = skri_utf8_char(line, n);
        if (k == 0 || ((unsigned char)*line < 0x20 && *line != '\t') || *line == 0x7F) {
            return false;
        }
        line += k;
        n -= k;
    }
    return true;
}

static void end_log(struct skr_cable *c)
{
    size_t n = without_escapes(c->log, c->log_n);
    if (n > 0 && c->state > SKR_CABLE_PROBING && !c->quiet && is_text(c->log, n)) {
        skr_say("%s: %.*s", c->label, (int)n, c->log);
    }
    c->log_n = 0;
}

static void add_log(struct skr_cable *c, uint8_t byte)
{
    if (c->log_n < sizeof c->log) {
        c->log[c->log_n++] = (char)byte;
    }
}

/* ---- Telling them apart ---- */

/* While probing, only the answer to the last ping counts. */
static void end_probe_line(struct skr_cable *c)
{
    char id[32];
    struct skr_span line = {c->log, c->log_n};
    (void)snprintf(id, sizeof id, "probe-%04x", (unsigned)c->nonce);
    line.n = line.n > 0 && *line.p == '{' && skri_json_check(line.p, line.n) == SKR_JSON_OK
                 ? skr_scan_compact(c->log, line)
                 : 0;
    if (skri_scan_is(skri_scan_get(line, "id"), id) && skri_scan_get(line, "result").p != NULL) {
        c->plain_heard = true;
        c->ping_open = false;
        if (c->plain) {
            c->next_ms = 0;
        }
    }
    c->log_n = 0;
}

void skr_cable_text(struct skr_cable *c, uint8_t byte)
{
    bool lines = c->state == SKR_CABLE_PLAIN || c->state == SKR_CABLE_SHARED;
    if (c->line == LINE_START && byte != '\n') {
        c->line = lines && byte == '{' ? LINE_MESSAGE : LINE_LOG;
    }
    if (byte != '\n') {
        if (c->line == LINE_MESSAGE) {
            skr_cable_payload(c, byte);
        } else {
            add_log(c, byte);
        }
        return;
    }
    uint8_t line = c->line;
    c->line = LINE_START;
    if (line == LINE_MESSAGE) {
        end_message(c);
    } else if (c->state == SKR_CABLE_PROBING) {
        end_probe_line(c);
    } else {
        end_log(c);
    }
}

/* ---- Progress ---- */

void skr_cable_progress(struct skr_cable *c, uint64_t now_ms)
{
    char line[128];
    int n;
    if (c->in_n == 0) {
        c->progress_from_ms = now_ms;
    }
    if (c->in_n >= SKR_BRIDGE_PROGRESS && skr_waited(now_ms, c->progress_ms, PROGRESS_EVERY_MS) &&
        isatty(STDERR_FILENO)) {
        uint64_t ms = now_ms > c->progress_from_ms ? now_ms - c->progress_from_ms : 1;
        n = snprintf(line, sizeof line, "\r%s: receiving, %lu KB, %lu KB/s \033[K", c->label,
                     (unsigned long)(c->in_n / 1024), (unsigned long)((uint64_t)c->in_n * 1000 / 1024 / ms));
        (void)skr_say_raw(STDERR_FILENO, line, (size_t)n);
        c->progress_ms = now_ms;
        c->progress = true;
    } else if (c->progress && c->in_n < SKR_BRIDGE_PROGRESS) {
        (void)skr_say_raw(STDERR_FILENO, "\r\033[K", 4);
        c->progress = false;
    }
}
