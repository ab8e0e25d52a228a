/* envelope.c -- what stands around the members of every answer: JSON-RPC, and in
 * the 2026-07-28 era resultType, cache hints and the device's name. */
#include "answer.h"
#include "span.h"

#define STRINGIFY_(x) #x
#define STRINGIFY(x) STRINGIFY_(x)

#define CACHE_HINTS ",\"ttlMs\":" STRINGIFY(SKR_TTL_MS) ",\"cacheScope\":\"public\""
#define LIVE_HINTS ",\"ttlMs\":0,\"cacheScope\":\"private\""
#define SERVER_INFO ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"

const struct skr_framing skr_framing_line = {{"", 0}, {"\n", 1}};

static void push_opening(struct skr_answer *a)
{
    skr_push(a, SKR_START, SPAN(""));
    skr_push_text(a, "{\"jsonrpc\":\"2.0\"");
    if (a->id.n > 0) { /* an id that could not be read is left out: null is not one (RPC-11) */
        skr_push_text(a, ",\"id\":");
        skr_push(a, SKR_RAW, a->id);
    }
}

enum result_step { RESULT_OPEN, RESULT_BODY, RESULT_CLOSE, RESULT_DONE };

static bool render_result(struct skr_answer *a)
{
    switch (a->step) {
    case RESULT_OPEN:
        push_opening(a);
        skr_push_text(a, a->modern ? ",\"result\":{\"resultType\":\"complete\"" : ",\"result\":{");
        if (a->modern && a->body != NULL) {
            skr_push_text(a, ",");
        }
        a->step = a->body != NULL ? RESULT_BODY : RESULT_CLOSE;
        return true;
    case RESULT_BODY:
        if (!a->body(a)) {
            a->step = RESULT_CLOSE;
        }
        return true;
    case RESULT_CLOSE:
        if (a->cached) {
            skr_push_text(a, a->live ? LIVE_HINTS : CACHE_HINTS);
        }
        if (a->modern && SKR_RESULT_INFO) {
            skr_push_text(a, SERVER_INFO);
            skr_push_rom(a, a->fs->header->server_info);
            skr_push_text(a, "}");
        }
        skr_push_text(a, "}}");
        skr_push(a, SKR_END, SPAN(""));
        a->step = RESULT_DONE;
        return true;
    default:
        return false;
    }
}

static bool render_error(struct skr_answer *a)
{
    const struct skr_error *e = &a->of.error;
    if (a->step != 0) {
        return false;
    }
    struct skr_span quote = e->quote;
    while (quote.n > SKR_QUOTE_MAX || (quote.n < e->quote.n && (quote.p[quote.n] & 0xC0) == 0x80)) {
        quote.n--; /* cut between characters */
    }
    push_opening(a);
    skr_push_text(a, ",\"error\":{\"code\":-"); /* every code of ours is negative */
    skr_push_number(a, (uint32_t)-e->code);
    skr_push_text(a, ",\"message\":\"");
    skr_push_text(a, e->message);
    skr_push(a, SKR_ESCAPED, quote);
    skr_push_text(a, "\"");
    if (e->data != NULL) {
        skr_push_text(a, ",\"data\":");
        skr_push_text(a, e->data);
        if (e->data_end != NULL) {
            skr_push(a, SKR_ESCAPED, e->quote);
            skr_push_text(a, e->data_end);
        }
    }
    skr_push_text(a, "}}");
    skr_push(a, SKR_END, SPAN(""));
    a->step = 1;
    return true;
}

void skr_answer_result(struct skr_answer *a, bool (*body)(struct skr_answer *a))
{
    a->render = render_result;
    a->body = body;
    a->status = 200;
    skr_answer_rewind(a);
}

void skr_answer_error(struct skr_answer *a, const struct skr_error *error)
{
    a->render = render_error;
    a->of.error = *error;
    a->status = 200;
    skr_answer_rewind(a);
}
