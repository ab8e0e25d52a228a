/* batch.c -- one array of messages in, one array of answers out.
 *
 * The elements are handled one after the other, each with its own answer, as if
 * they had come alone; only what stands around the answers differs. Where an
 * element ends is found by a plain scan, since the text has been checked. */
#include "wire/batch.h"

#include "wire/http_types.h"

#if SKR_BATCH

enum batch_state {
    BATCH_NONE,    /* no batch */
    BATCH_OPEN,    /* nothing has been answered yet */
    BATCH_SENT,    /* at least one answer has left */
    BATCH_CLOSING, /* the closing bracket is leaving */
};

static const struct skr_framing first_of_line = {{"[", 1}, {"", 0}};
static const struct skr_framing more_of_line = {{",", 1}, {"", 0}};

/* The end of the element that starts at `at`, in a text that is known to be JSON. */
static uint32_t element_end(const char *in, uint32_t at)
{
    unsigned depth = 0;
    bool quoted = false;
    for (;; at++) {
        char c = in[at];
        if (quoted) {
            at += c == '\\';
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '{' || c == '[') {
            depth++;
        } else if (depth == 0 && (c == ',' || c == ']')) {
            return at;
        } else if (c == '}' || c == ']') {
            depth--;
        }
    }
}

static bool render_close(struct skr_answer *a)
{
    if (a->step++ > 0) {
        return false;
    }
    skr_push_text(a, "]");
    skr_push_own(a, SKR_END);
    return true;
}

static void close_batch(struct skr_conn *c)
{
    bool answered = c->batch == BATCH_SENT;
    c->batch = answered ? BATCH_CLOSING : BATCH_NONE;
    c->answering = answered;
    if (answered) {
        skr_answer_result(&c->answer, NULL);
        c->answer.render = render_close;
        c->answer.framing = &skr_framing_line;
    }
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        skr_http_send_batch_end(c, answered);
    }
#endif
}

void skr_batch_abandon(struct skr_conn *c)
{
    c->batch = BATCH_NONE;
}

void skr_batch_send(struct skr_conn *c)
{
    bool first = c->batch == BATCH_OPEN;
    c->answer.framing = first ? &first_of_line : &more_of_line;
    c->batch = BATCH_SENT;
    c->answering = true;
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        skr_http_send_batch_part(c, first);
    }
#endif
}

void skr_batch_next(struct skr_conn *c)
{
    if (c->batch == BATCH_CLOSING) {
        c->batch = BATCH_NONE;
        return;
    }
    while (c->in[c->batch_at] != ']') {
        uint32_t from = c->batch_at + 1, end = element_end(c->in, from);
        c->batch_at = end;
        enum skr_rpc_outcome outcome = skr_rpc_handle(c, c->in + from, end - from);
        if (outcome == SKR_RPC_ANSWER) {
            skr_batch_send(c);
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
    struct skr_span none = {NULL, 0};
    skr_rpc_refuse(c, none, SKR_BATCH_EMPTY);
    c->answering = true;
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        skr_http_send_answer(c);
    }
#endif
}

void skr_batch_start(struct skr_conn *c, char *text, size_t n)
{
    const char *open = memchr(text, '[', n), *inside = open + 1;
    while (*inside == ' ' || *inside == '\t' || *inside == '\r' || *inside == '\n') {
        inside++;
    }
    if (*inside == ']') {
        refuse_empty(c);
        return;
    }
    c->batch_at = (uint32_t)(open - c->in);
    c->batch = BATCH_OPEN;
    c->answering = false;
    skr_batch_next(c);
}

#endif
