/* serial_text.c -- see serial.h. */
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "json_edit.h"
#include "serial.h"
#include "text/json.h"
#include "text/span.h"

enum serial_line {
    LINE_START,   /* nothing of it has arrived */
    LINE_MESSAGE, /* it began with a brace */
    LINE_LOG,     /* it did not */
};

void transport_serial_text_reset(struct transport_serial *c)
{
    transport_forget(&c->base);
    c->log_n = 0;
    c->line = LINE_START;
}

void transport_serial_payload(struct transport_serial *c, uint8_t byte)
{
    if (byte == '\n') {
        transport_end_message(&c->base);
    } else {
        transport_put(&c->base, &byte, 1);
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
        size_t k = skr_utf8_char(line, n);
        if (k == 0 || ((unsigned char)*line < 0x20 && *line != '\t') || *line == 0x7F) {
            return false;
        }
        line += k;
        n -= k;
    }
    return true;
}

static void end_log(struct transport_serial *c)
{
    bool cut = c->log_n == sizeof c->log;
    size_t n = without_escapes(c->log, c->log_n);

    n = skr_span_clip((struct skr_span){c->log, n}, n - (cut && n > 0))
            .n; /* the last byte shows where a character begins */
    if (n > 0 && c->base.state > TRANSPORT_PROBING && !c->base.quiet && is_text(c->log, n)) {
        host_log("%s: %.*s", c->base.label, (int)n, c->log);
    }
    c->log_n = 0;
}

static void add_log(struct transport_serial *c, uint8_t byte)
{
    if (c->log_n < sizeof c->log) {
        c->log[c->log_n++] = (char)byte;
    }
}

/* ---- Lines ---- */

/* While probing, only the response to the last ping counts. */
static void end_probe_line(struct transport_serial *c)
{
    char id[32];
    struct skr_span line = {c->log, c->log_n};

    (void)snprintf(id, sizeof id, "probe-%04x", (unsigned)c->nonce);
    line.n = line.n > 0 && *line.p == '{' && skr_json_check(line.p, line.n) == SKR_JSON_OK
                 ? host_json_compact(c->log, line)
                 : 0;
    if (skr_scan_is(skr_scan_get(line, "id"), id) && skr_scan_get(line, "result").p != NULL) {
        c->plain_heard = true;
        c->base.ping_open = false;
        if (c->plain) {
            c->base.next_ms = 0;
        }
    }
    c->log_n = 0;
}

void transport_serial_text(struct transport_serial *c, uint8_t byte)
{
    bool lines = c->base.state == TRANSPORT_PLAIN || c->base.state == TRANSPORT_SHARED;

    if (c->line == LINE_START && byte != '\n') {
        c->line = lines && byte == '{' ? LINE_MESSAGE : LINE_LOG;
    }
    if (byte != '\n') {
        if (c->line == LINE_MESSAGE) {
            transport_serial_payload(c, byte);
        } else {
            add_log(c, byte);
        }
        return;
    }
    uint8_t line = c->line;
    c->line = LINE_START;
    if (line == LINE_MESSAGE) {
        transport_end_message(&c->base);
    } else if (c->base.state == TRANSPORT_PROBING) {
        end_probe_line(c);
    } else {
        end_log(c);
    }
}
