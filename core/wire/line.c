/* line.c -- the framing of stdio, raw TCP and a UART: one message per line.
 *
 * A line that is too long is dropped, not the link: a client that sends one oversized request usually has good ones
 * queued after it.
 *
 * Over TCP a browser is also a client, whatever page it shows: the head of its request is lines that are not JSON, but
 * its body may hold one that is. What a browser sends first is a method, a TLS record or a STUN message, and none of
 * these begins like a message of ours. So there the first byte of each line decides whether the rest is read at all. */
#include "wire/line.h"

#include "handler/job.h"
#include "handler/transport.h"
#include "mcp/rpc.h"
#include "response/lease.h"
#include "response/log.h"
#include "text/assert.h"
#include "wire/batch.h"
#include "wire/buffer.h"

enum line_state {
    LINE_COLLECT, /* bytes of a line are gathered */
    LINE_DISCARD, /* the line was too long: drop up to the next line end, then say so */
};

static void refuse_long_line(struct skr_conn *c)
{
    struct skr_span id = {skri_lease(c, SKR_LONG_LINE_ID), c->rx.saved_id}; /* since the line overflowed */

    skri_log_begin(c, "");
    skri_rpc_refuse(c, id, SKR_TOO_LONG);
    c->responding = true;
}

/* The buffer is full and holds no line end: keep the id if it can be found. */
static void start_discarding(struct skr_conn *c)
{
    struct skr_span id = skr_json_id_of_part(c->in, c->rx.fill, c->srv->tokens, SKR_TOKENS);

    if (id.n > sizeof c->output) {
        id.n = 0;
    }
    if (id.n > 0) {
        memcpy(skri_lease(c, SKR_LONG_LINE_ID), id.p, id.n);
    }
    c->rx.saved_id = (uint32_t)id.n;
    c->line = LINE_DISCARD;
    c->rx.fill = c->rx.start = c->rx.scanned = 0;
}

/* The line at [start, end) is complete, its line end at `end`. */
static void handle_line(struct skr_conn *c, uint32_t end)
{
    uint32_t n = end - c->rx.start;
    char *text = c->in + c->rx.start;

    if (c->line == LINE_DISCARD) {
        c->line = LINE_COLLECT;
        refuse_long_line(c);
    } else {
        if (n > 0 && text[n - 1] == '\r') {
            n--;
        }
        enum skr_rpc_outcome outcome = n > 0 ? skri_rpc_handle(c, text, n) : SKR_RPC_NOTIFICATION;
        c->responding = outcome == SKR_RPC_RESPOND;
        if (SKR_EXTRAS && outcome == SKR_RPC_BATCH) {
            skri_batch_start(c, text, n);
        }
    }
    c->rx.used = end + 1;
    c->rx.scanned = end + 1;
    if (!c->responding && !skri_job_holds(c)) {
        c->rx.start = c->rx.used;
    }
}

/* Over TCP: does this line begin as no message can? Spaces may precede a message, and empty lines separate two. */
static bool is_foreign(const struct skr_conn *c)
{
    uint32_t at = c->rx.start;

    if (!c->strict || c->line == LINE_DISCARD) {
        return false;
    }
    while (at < c->rx.fill && (c->in[at] == ' ' || c->in[at] == '\t' || c->in[at] == '\r')) {
        at++;
    }
    return at < c->rx.fill && c->in[at] != '{' && c->in[at] != '[' && c->in[at] != '\n';
}

/* Says what is wrong, and reads no more: not even what has been received. */
static void refuse_foreign(struct skr_conn *c)
{
    skri_log_begin(c, "");
    skri_rpc_refuse(c, NOTHING, SKR_NOT_AN_OBJECT);
    c->responding = c->finished = true;
    c->rx.used = c->rx.fill;
}

void skri_line_advance(struct skr_conn *c)
{
    while (!c->responding && !c->finished && !skri_job_holds(c)) {
        if (is_foreign(c)) {
            refuse_foreign(c);
            return;
        }
        size_t unseen = c->rx.fill - c->rx.scanned;
        const char *end = unseen > 0 ? memchr(c->in + c->rx.scanned, '\n', unseen) : NULL;
        if (end != NULL) {
            handle_line(c, (uint32_t)(end - c->in));
            continue;
        }
        c->rx.scanned = c->rx.fill;
        if (c->line == LINE_DISCARD || c->rx.start == c->rx.fill) {
            c->rx.fill = c->rx.start = c->rx.scanned = 0;
        } else if (c->rx.fill == sizeof c->in) {
            if (c->rx.start == 0) {
                start_discarding(c);
            } else {
                skri_buffer_compact(c, 0);
            }
        }
        return;
    }
}

/* ---- For jobs ---- */

#if SKR_JOBS

/* On a line the messages of a job are sent as they are; only the elements of a batch wait for each other. */
static void line_respond(struct skr_conn *c, struct skr_job *job)
{
    (void)job;
    SKR_ASSERT(skri_in_batch(c)); /* else nothing waits */
    if (SKR_EXTRAS) {
        skri_batch_send(c);
    }
}

static uint16_t line_event(struct skr_conn *c, struct skr_job *job, bool message)
{
    (void)c;
    (void)job;
    (void)message;
    return 0;
}

static void line_give_up(struct skr_conn *c)
{
    (void)c;
}

const struct skr_transport skri_line_transport = {
    .respond = line_respond, .event = line_event, .give_up = line_give_up};

#endif
