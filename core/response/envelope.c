/* envelope.c -- the members around those of every response: JSON-RPC, and in the 2026-07-28 era resultType, cache hints
 * and the device's name. */
#include "response/response.h"
#include "response/shape.h"
#include "text/span.h"

#define QUOTED_TTL_(x) #x
#define QUOTED_TTL(x) QUOTED_TTL_(x)

#define FRESH_FOR ",\"ttlMs\":" QUOTED_TTL(SKR_TTL_MS)
#define FRESH_NOW ",\"ttlMs\":0"
#define FOR_ALL ",\"cacheScope\":\"public\""
#define FOR_ONE ",\"cacheScope\":\"private\""
#define SERVER_INFO ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":"

const struct skr_framing skri_framing_line = {{"", 0}, {"\n", 1}};
const struct skr_framing skri_framing_sse = {{"data: ", 6}, {"\n\n", 2}};

#define OPENING "{\"jsonrpc\":\"2.0\""
#define OPENING_ID OPENING ",\"id\":"

void skri_push_opening(struct skr_response *a, struct skr_span id)
{
    skri_push_start(a);
    skri_push_bytes(a, SKR_RAW, OPENING_ID, id.n > 0 ? sizeof OPENING_ID - 1 : sizeof OPENING - 1);
    skri_push(a, SKR_RAW, id);
}

#define RESULT_OF(type) ",\"result\":{\"resultType\":\"" type "\","

/* Up to the first member of the result; without the comma if there is none. */
static void push_result(struct skr_response *a)
{
    static const struct skr_span results[] = {
        [SKR_COMPLETE] = {RESULT_OF("complete"), sizeof RESULT_OF("complete") - 1},
        [SKR_INPUT_REQUIRED] = {RESULT_OF("input_required"), sizeof RESULT_OF("input_required") - 1},
        [SKR_TASK] = {RESULT_OF("task"), sizeof RESULT_OF("task") - 1},
    };
    struct skr_span modern = results[SKR_INTERACTIVE ? a->envelope.result : SKR_COMPLETE];

    modern.n -= a->body == NULL;
    skri_push(a, SKR_RAW, a->envelope.modern ? modern : SPAN(",\"result\":{"));
}

/* How long the response may be cached, and whether by one user or by all; for most responses that is one piece. */
static void push_freshness(struct skr_response *a)
{
    bool now = a->envelope.live || skri_can_change(a), one = a->envelope.live || (SKR_AUTH && a->envelope.guarded);

    if (SKR_FAST && !one) {
        skri_push(a, SKR_RAW, now ? SPAN(FRESH_NOW FOR_ALL) : SPAN(FRESH_FOR FOR_ALL));
        return;
    }
    skri_push(a, SKR_RAW, now ? SPAN(FRESH_NOW) : SPAN(FRESH_FOR));
    skri_push(a, SKR_RAW, one ? SPAN(FOR_ONE) : SPAN(FOR_ALL));
}

void skri_push_server_info(struct skr_response *a)
{
    struct romfs_text info = a->fs->header->server_info;

    if (SKR_OLDER && a->envelope.titled && romfs_title(a->fs).len > 0) {
        info.len--;
        skri_push_rom(a, info);
        info = romfs_title(a->fs);
    }
    skri_push_rom(a, info);
}

static void push_result_end(struct skr_response *a)
{
    if (a->envelope.cached) {
        push_freshness(a);
    }
    if (a->envelope.modern) {
        skri_push_text(a, SERVER_INFO);
        skri_push_server_info(a);
    }
    skri_push_text(a, a->envelope.modern ? "}}}" : "}}");
}

/* The subject was written by a handler, not by the client. */
static bool is_of_handler(uint8_t error)
{
    return error == SKR_READ_FAILED || (SKR_JOBS && error == SKR_HANDLER_ERROR) ||
           (SKR_EXTRAS && error == SKR_PROMPT_FAILED) ||
           (SKR_DIALECTS && (error == SKR_SCRIPT_NOT_RUN || error == SKR_SCRIPT_ARGUMENT));
}

static void push_rpc_error(struct skr_response *a)
{
    const struct skr_rpc_error_row *row = skri_error_row((enum skr_rpc_error)a->envelope.error);
    int32_t code = SKR_JOBS && a->envelope.error == SKR_HANDLER_ERROR ? a->envelope.code : row->code;
    bool negative = !SKR_JOBS || code < 0; /* all our own codes are */

    skri_push_text(a, negative ? ",\"error\":{\"code\":-" : ",\"error\":{\"code\":");
    skri_push_number(a, negative ? 0u - (uint32_t)code : (uint32_t)code);
    skri_push_text(a, ",\"message\":\"");
    skri_push_text(a, row->message);
    skri_push(a, is_of_handler(a->envelope.error) ? SKR_TOOL_TEXT : SKR_ESCAPED,
              skr_span_clip(a->subject, SKR_QUOTE_MAX));
    skri_push_text(a, "\"");
    const char *data = skri_error_data((enum skr_rpc_error)a->envelope.error);
    if (data != NULL) {
        skri_push_text(a, ",\"data\":");
        skri_push_shape(a, data, NULL, NULL);
    }
}

static void push_rpc_error_end(struct skr_response *a)
{
    skri_push_text(a, skri_error_data((enum skr_rpc_error)a->envelope.error) != NULL ? "}}}" : "}}");
}

enum message_step { MESSAGE_OPEN, MESSAGE_BODY, MESSAGE_CLOSE, MESSAGE_DONE };

/* The body of a result renders its members; that of an error, further members of its data. */
static bool render_message(struct skr_response *a)
{
    bool error = a->envelope.error != SKR_NO_ERROR;

    switch (a->step) {
    case MESSAGE_OPEN:
        skri_push_opening(a, a->envelope.id); /* one that could not be read is left out: null is not an id (RPC-11) */
        if (error) {
            push_rpc_error(a);
        } else {
            push_result(a);
        }
        a->step = a->body != NULL ? MESSAGE_BODY : MESSAGE_CLOSE;
        return true;
    case MESSAGE_BODY:
        if (!a->body(a)) {
            a->step = MESSAGE_CLOSE;
        }
        return true;
    case MESSAGE_CLOSE:
        if (error) {
            push_rpc_error_end(a);
        } else {
            push_result_end(a);
        }
        skri_push_end(a);
        a->step = MESSAGE_DONE;
        return true;
    default: return false;
    }
}

void skri_response_result(struct skr_response *a, bool (*body)(struct skr_response *a))
{
    a->render = render_message;
    a->envelope.error = SKR_NO_ERROR;
    a->body = body;
    a->envelope.status = 200;
    skri_response_rewind(a);
}

void skri_response_error(struct skr_response *a, enum skr_rpc_error error, struct skr_span subject)
{
    a->render = render_message;
    a->body = NULL;
    a->envelope.error = (uint8_t)error;
    a->subject = subject;
    a->envelope.status = SKR_HTTP ? skri_error_status(error, a->envelope.modern) : 200;
    skri_response_rewind(a);
}
