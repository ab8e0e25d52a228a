/* conn.c -- joins the stages: bytes in, framing, handling, answer, bytes out.
 *
 * The buffer `in` holds [start, fill). A request is handled in place, and stays there until its answer has left, so
 * that the answer may quote it; bytes that come meanwhile queue behind it. */
#include "handler/job.h"
#include "response/lease.h"
#include "response/log.h"
#include "subscription/notify.h"
#include "text/assert.h"
#include "wire/batch.h"
#include "wire/http_types.h"
#include "wire/line.h"
#include "wire/spans.h"

void skr_conn_open(struct skr_conn *c, struct skr_server *s, enum skr_wire wire)
{
    if (SKR_JOBS) {
        skri_job_forget(s, c);
    }
    memset(c, 0, offsetof(struct skr_conn, in)); /* the buffers after it need no clearing */
    c->srv = s;
    c->strict = wire == SKR_LINE_TCP;
    c->wire = (uint8_t)(c->strict ? SKR_LINE : wire);
#if SKR_JOBS
    c->outlet = &skri_line_transport;
#if SKR_HTTP
    c->outlet = wire == SKR_HTTP_1 ? &skri_http_transport : c->outlet;
#endif
#endif
}

void skr_conn_close(struct skr_conn *c)
{
    skri_log_end(c, false);
    if (SKR_JOBS) {
        skri_job_forget(c->srv, c);
    }
    if (SKR_CHANGES) {
        skri_notify_close(c);
    }
}

/* Invariants between any two calls, whatever has been received. */
static void check(const struct skr_conn *c)
{
    SKR_ASSERT(c->start <= c->fill && c->scanned <= c->fill && c->fill <= sizeof c->in);
    SKR_ASSERT(c->out_first <= c->out_count && c->out_count <= SKR_TX_SPANS);
    SKR_ASSERT(c->scratch_used <= sizeof c->scratch);
}

static void advance(struct skr_conn *c)
{
    check(c);
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        skri_http_advance(c);
        return;
    }
#endif
    skri_line_advance(c);
}

/* ---- Bytes in ---- */

void *skr_conn_rx_room(struct skr_conn *c, size_t *room)
{
    *room = c->finished ? 0 : sizeof c->in - c->fill;
    return c->in + c->fill;
}

void skr_conn_rx_done(struct skr_conn *c, size_t n)
{
    SKR_ASSERT(n <= sizeof c->in - c->fill);
    c->fill += (uint32_t)n;
    advance(c);
}

size_t skr_conn_rx(struct skr_conn *c, const void *bytes, size_t n)
{
    const char *p = bytes;
    size_t taken = 0, room;
    for (;;) {
        char *to = skr_conn_rx_room(c, &room);
        if (room > n - taken) {
            room = n - taken;
        }
        if (room == 0) {
            return taken;
        }
        memcpy(to, p + taken, room);
        taken += room;
        skr_conn_rx_done(c, room);
    }
}

/* ---- Bytes out ---- */

/* The answer has left: its request may go, and what queued behind it is next. */
static void answered(struct skr_conn *c)
{
    c->answering = false;
    if (!skri_job_holds(c)) { /* else this was a message before the answer */
        skri_log_end(c, true);
    }
    if (SKR_JOBS) {
        skri_job_sent(c);
    }
    if (c->apart) {
        c->apart = false;
        if (!c->finished) {
            advance(c);
        }
        return;
    }
    skri_lease_clear(c);
    bool short_chunk = c->answer.damaged && c->wire == SKR_HTTP_1; /* only closing tells the peer */
    if (SKR_EXTRAS && skri_in_batch(c) && !short_chunk) {
        skri_batch_next(c);
        if (c->answering || skri_job_holds(c)) {
            return;
        }
    }
    c->start = c->used;
    if (c->scanned < c->start) {
        c->scanned = c->start;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_response_sent(c);
    }
    if (!c->finished) {
        advance(c);
    }
}

/* Nothing is being answered: starts the answer or message of a job, or an unsolicited message, if there is one. */
static bool say_next(struct skr_conn *c)
{
    return !c->finished &&
           ((SKR_JOBS && skri_job_next(c)) || (SKR_CHANGES && !skri_job_holds(c) && skri_notify_next(c)));
}

static void refill(struct skr_conn *c)
{
#if SKR_HTTP
    if (c->http.head_waits) { /* let the body join it, so that one write carries both */
        skri_spans_make(c);
    }
#endif
    while (c->out_count == 0) {
        c->out_first = 0;
        c->scratch_used = 0;
        if (!c->answering && !say_next(c)) {
            return;
        }
        if (!c->answer.ended) {
            skri_spans_make(c);
        }
        if (c->out_count == 0) {
            answered(c);
        }
    }
}

size_t skr_conn_txv(struct skr_conn *c, struct skr_span *spans, size_t max)
{
    refill(c);
    check(c);
    size_t n = (size_t)(c->out_count - c->out_first);
    if (n > max) {
        n = max;
    }
    memcpy(spans, c->out + c->out_first, n * sizeof *spans);
    return n;
}

size_t skr_conn_tx(struct skr_conn *c, const void **bytes)
{
    struct skr_span span;
    if (skr_conn_txv(c, &span, 1) == 0) {
        *bytes = NULL;
        return 0;
    }
    *bytes = span.p;
    return span.n;
}

void skr_conn_tx_done(struct skr_conn *c, size_t k)
{
    skri_log_sent(c, k);
    while (k > 0) {
        SKR_ASSERT(c->out_first < c->out_count); /* no more was sent than was given */
        struct skr_span *span = &c->out[c->out_first];
        if (k < span->n) {
            *span = skr_span_from(*span, k);
            return;
        }
        k -= span->n;
        if (++c->out_first == c->out_count) {
            c->out_count = 0;
            refill(c); /* so that skr_conn_doing and _finished are right at once */
            return;
        }
    }
}

bool skr_conn_finished(const struct skr_conn *c)
{
    return c->finished && !c->answering && c->out_count == 0;
}

const char *skr_conn_who(const struct skr_conn *c)
{
#if SKR_AUTH
    return c->http.who != NULL ? c->http.who->name : NULL;
#else
    (void)c;
    return NULL;
#endif
}

enum skr_doing skr_conn_doing(const struct skr_conn *c)
{
    bool ready = false, owes = SKR_JOBS && skri_job_owes(c, &ready);
    if (c->answering || c->out_count > 0 || ready) {
        return SKR_RESPONDING;
    }
    if (skri_job_holds(c)) {
        return SKR_WORKING;
    }
#if SKR_CHANGES
    if (c->streaming) {
        return SKR_WAITING;
    }
#endif
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1 && c->http.state != 0) {
        return SKR_RECEIVING;
    }
#endif
    return c->fill > c->start ? SKR_RECEIVING : owes ? SKR_WORKING : SKR_IDLE;
}

void skr_conn_timed_out(struct skr_conn *c)
{
    if (c->answering || skri_job_holds(c) || skr_conn_doing(c) == SKR_WAITING) {
        return;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_timed_out(c, skr_conn_doing(c) == SKR_IDLE);
        return;
    }
    c->fill = c->start = c->scanned = 0;
}
