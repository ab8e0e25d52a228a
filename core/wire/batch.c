/* batch.c -- one array of messages in, one array of responses out.
 *
 * The elements are handled one after the other, each with its own response, as if they had come alone; only what is
 * around the responses differs. The end of an element is found by walking the text, since it may have more values than
 * there are tokens. */
#include "wire/batch.h"

#include "wire/http_types.h"

#if SKR_EXTRAS

enum batch_state {
    BATCH_NONE,    /* no batch */
    BATCH_OPEN,    /* no response yet */
    BATCH_SENT,    /* at least one response has been sent */
    BATCH_CLOSING, /* the closing bracket is leaving */
};

static const struct skr_framing first_of_line = {{"[", 1}, {"", 0}};
static const struct skr_framing more_of_line = {{",", 1}, {"", 0}};

/* The next element of the batch; false after the last. */
static bool next_of_batch(struct skr_conn *c, struct skr_span *element)
{
    struct skr_span rest = {c->in + c->batch.at, sizeof c->in - c->batch.at}; /* the array ends at its bracket */
    bool found = skr_scan_item(&rest, element);

    c->batch.at = (uint32_t)(rest.p - c->in);
    return found;
}

static bool render_close(struct skr_response *a)
{
    if (a->step++ > 0) {
        return false;
    }
    skri_push_text(a, "]");
    skri_push_end(a);
    return true;
}

static void close_batch(struct skr_conn *c)
{
    bool has_responses = c->batch.state == BATCH_SENT;

    c->batch.state = has_responses ? BATCH_CLOSING : BATCH_NONE;
    c->responding = has_responses;
    if (has_responses) {
        skri_response_result(&c->response, NULL);
        c->response.render = render_close;
        c->response.framing = &skri_framing_line;
    }
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_send_batch_end(c, has_responses);
    }
}

void skri_batch_send(struct skr_conn *c)
{
    bool first = c->batch.state == BATCH_OPEN;

    c->response.framing = first ? &first_of_line : &more_of_line;
    c->batch.state = BATCH_SENT;
    c->responding = true;
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_send_batch_part(c, first);
    }
}

void skri_batch_next(struct skr_conn *c)
{
    if (c->batch.state == BATCH_CLOSING) {
        c->batch.state = BATCH_NONE;
        return;
    }
    struct skr_span element;
    while (next_of_batch(c, &element)) {
        enum skr_rpc_outcome outcome = skri_rpc_handle(c, (char *)element.p, element.n);
        if (outcome == SKR_RPC_RESPOND) {
            skri_batch_send(c);
            return;
        }
        if (outcome == SKR_RPC_LATER) {
            return; /* the next element waits for this one */
        }
    }
    close_batch(c);
}

static void refuse_empty(struct skr_conn *c)
{
    skri_rpc_refuse(c, NOTHING, SKR_BATCH_EMPTY);
    c->responding = true;
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        skri_http_send_response(c);
    }
}

void skri_batch_start(struct skr_conn *c, char *text, size_t n)
{
    struct skr_span rest = {text, n}, first;

    if (!skr_scan_item(&rest, &first)) {
        refuse_empty(c);
        return;
    }
    c->batch.at = (uint32_t)(text - c->in);
    c->batch.state = BATCH_OPEN;
    c->responding = false;
    skri_batch_next(c);
}

#endif
