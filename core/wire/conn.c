/* conn.c -- joins the stages: bytes in, framing, handling, response, bytes out.
 *
 * The buffer `in` holds [start, fill). A request is handled in place, and stays there until its response has been sent,
 * so that the response may quote it; bytes that come meanwhile queue after it. */
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
    c->job.transport = SKR_HTTP && wire == SKR_HTTP_1 ? &skri_http_transport : &skri_line_transport;
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
static void conn_check(const struct skr_conn *c)
{
    SKR_ASSERT(c->rx.start <= c->rx.fill && c->rx.scanned <= c->rx.fill && c->rx.fill <= sizeof c->in);
    SKR_ASSERT(c->tx.first <= c->tx.count && c->tx.count <= SKR_TX_SPANS);
    SKR_ASSERT(c->tx.scratch_used <= sizeof c->scratch);
}

static void conn_advance(struct skr_conn *c)
{
    conn_check(c);
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_advance(c);
        return;
    }
    skri_line_advance(c);
}

/* ---- Bytes in ---- */

void *skr_conn_rx_room(struct skr_conn *c, size_t *room)
{
    *room = c->finished ? 0 : sizeof c->in - c->rx.fill;
    return c->in + c->rx.fill;
}

void skr_conn_rx_done(struct skr_conn *c, size_t n)
{
    SKR_ASSERT(n <= sizeof c->in - c->rx.fill);
    c->rx.fill += (uint32_t)n;
    conn_advance(c);
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

/* The response has been sent: its request may go, and the bytes after it are next. */
static void conn_sent(struct skr_conn *c)
{
    c->responding = false;
    if (!skri_job_holds(c)) { /* else this was a message before the response */
        skri_log_end(c, true);
    }
    if (SKR_JOBS) {
        skri_job_sent(c);
    }
    if (c->apart) {
        c->apart = false;
        if (!c->finished) {
            conn_advance(c);
        }
        return;
    }
    skri_lease_clear(c);
    bool short_chunk = c->response.damaged && c->wire == SKR_HTTP_1; /* only closing shows it to the peer */
    if (SKR_EXTRAS && skri_in_batch(c) && !short_chunk) {
        skri_batch_next(c);
        if (c->responding || skri_job_holds(c)) {
            return;
        }
    }
    c->rx.start = c->rx.used;
    if (c->rx.scanned < c->rx.start) {
        c->rx.scanned = c->rx.start;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_response_sent(c);
    }
    if (!c->finished) {
        conn_advance(c);
    }
}

/* Nothing is being sent: starts the response or message of a job, or an unsolicited message, if there is one. */
static bool conn_next_message(struct skr_conn *c)
{
    return !c->finished &&
           ((SKR_JOBS && skri_job_next(c)) || (SKR_CHANGES && !skri_job_holds(c) && skri_notify_next(c)));
}

static void conn_refill(struct skr_conn *c)
{
    if (SKR_HTTP && skri_http_of(c)->head_waits) { /* let the body join it, so that one write carries both */
        skri_spans_make(c);
    }
    while (c->tx.count == 0) {
        c->tx.first = 0;
        c->tx.scratch_used = 0;
        if (!c->responding && !conn_next_message(c)) {
            return;
        }
        if (!c->response.ended) {
            skri_spans_make(c);
        }
        if (c->tx.count == 0) {
            conn_sent(c);
        }
    }
}

size_t skr_conn_txv(struct skr_conn *c, struct skr_span *spans, size_t max)
{
    conn_refill(c);
    conn_check(c);
    size_t n = (size_t)(c->tx.count - c->tx.first);
    if (n > max) {
        n = max;
    }
    memcpy(spans, c->tx.spans + c->tx.first, n * sizeof *spans);
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
        SKR_ASSERT(c->tx.first < c->tx.count); /* no more was sent than was given */
        struct skr_span *span = &c->tx.spans[c->tx.first];
        if (k < span->n) {
            *span = skr_span_from(*span, k);
            return;
        }
        k -= span->n;
        if (++c->tx.first == c->tx.count) {
            c->tx.count = 0;
            conn_refill(c); /* so that skr_conn_activity and _finished are right immediately */
            return;
        }
    }
}

bool skr_conn_finished(const struct skr_conn *c)
{
    return c->finished && !c->responding && c->tx.count == 0;
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

enum skr_activity skr_conn_activity(const struct skr_conn *c)
{
    bool ready = false, owes = SKR_JOBS && skri_job_owes(c, &ready);

    if (c->responding || c->tx.count > 0 || ready) {
        return SKR_RESPONDING;
    }
    if (skri_job_holds(c)) {
        return SKR_WORKING;
    }
    if (skri_notify_is_stream(c)) {
        return SKR_WAITING;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1 && skri_http_of(c)->state != 0) {
        return SKR_RECEIVING;
    }
    return c->rx.fill > c->rx.start ? SKR_RECEIVING : owes ? SKR_WORKING : SKR_IDLE;
}

void skr_conn_timed_out(struct skr_conn *c)
{
    if (c->responding || skri_job_holds(c) || skr_conn_activity(c) == SKR_WAITING) {
        return;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_timed_out(c, skr_conn_activity(c) == SKR_IDLE);
        return;
    }
    c->rx.fill = c->rx.start = c->rx.scanned = 0;
}
