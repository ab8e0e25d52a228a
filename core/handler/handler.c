/* handler.c -- the side of struct skr_call that the handlers of tools and resources see. */
#include "handler/handler.h"

#include "skr_args.h"
#include "text/assert.h"
#include "text/encode.h"

void *skr_context(const struct skr_call *call)
{
    return call->srv->device->context;
}

struct skr_server *skr_call_server(struct skr_call *call)
{
    return call->srv;
}

const struct skr_tool *skr_running_tool(const struct skr_call *call)
{
    return call->tool;
}

/* ---- Arguments ---- */

struct skr_span skr_args_json(struct skr_call *call)
{
    return call->arguments >= 0 ? skr_json_raw(&call->json, call->arguments) : SPAN("{}");
}

bool skr_args_are_there(const struct skr_call *call)
{
    return call->params >= 0; /* -1 in later calls, also in those with a reply */
}

void skri_argument_named(struct skr_call *call)
{
    call->out.named = (uint16_t)call->out.n;
    skr_put(call, " ");
}

int skr_refuse(struct skr_call *call, struct skr_span argument, const char *rule)
{
    (void)skr_stop(call, SKR_BAD_ARGUMENT, "");
    skr_put_span(call, argument);
    skri_argument_named(call);
    skr_put(call, rule);
    return 0;
}

/* ---- Output ---- */

void skr_put_span(struct skr_call *call, struct skr_span bytes)
{
    struct skr_output *out = &call->out;

    SKR_ASSERT(out->n <= out->max);
    if (SKR_ASSERTS && call->conn != NULL && out->p == call->conn->output) { /* the handler has no job */
        (void)skri_lease(call->conn, SKR_HANDLER_OUTPUT);
    }
    if (out->overflow || bytes.n > out->max - out->n) {
        out->overflow = true;
        return;
    }
    if (bytes.n > 0) {
        memcpy(out->p + out->n, bytes.p, bytes.n);
    }
    out->n += (uint32_t)bytes.n;
}

void skr_put(struct skr_call *call, const char *text)
{
    skr_put_span(call, skr_span_of(text));
}

void skri_put_quoted(struct skr_call *call, struct skr_span text)
{
    struct skr_output *out = &call->out;

    skr_put(call, "\"");
    if (!out->overflow) {
        struct skr_encoding e = {.from = text.p, .n = text.n, .out = out->p + out->n, .room = out->max - out->n};
        skr_encode_any(&e, true);
        out->n += (uint32_t)e.made;
        out->overflow = e.used < e.n;
    }
    skr_put(call, "\"");
}

/* Divides by ten, 16 bits at a time, and returns the remainder: a 64-bit division would cost 700 bytes. */
static unsigned take_digit(uint64_t *value)
{
    uint32_t rest = 0;

    for (unsigned i = 0; i < 4; i++) { /* the top bits go out on the left, and their quotient comes in on the right */
        rest = rest << 16 | (uint32_t)(*value >> 48);
        *value = *value << 16 | rest / 10;
        rest %= 10;
    }
    return rest;
}

void skr_put_fixed(struct skr_call *call, int64_t value, unsigned decimals)
{
    char text[24], *const end = text + sizeof text, *p = end; /* 19 digits, a point and a sign */
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    decimals = decimals > 9 ? 9 : decimals;
    for (unsigned n = 0; left > 0 || n <= decimals; n++) {
        if (n > 0 && n == decimals) {
            *--p = '.';
        }
        *--p = (char)('0' + take_digit(&left));
    }
    if (value < 0) {
        *--p = '-';
    }
    skr_put_span(call, (struct skr_span){p, (size_t)(end - p)});
}

void skr_put_int(struct skr_call *call, int64_t value)
{
    skr_put_fixed(call, value, 0);
}

void skr_set_binary(struct skr_call *call)
{
    call->out.binary = true;
}

int skr_fail(struct skr_call *call, const char *why)
{
    call->out.n = 0;
    call->out.failed = true;
    call->out.overflow = call->out.unbalanced = false;
    call->out.nest = 0;
    call->out.end = NULL;
    skr_put(call, why);
    return 0;
}

int skr_stop(struct skr_call *call, enum skr_reason reason, const char *why)
{
    call->out.reason = (uint8_t)reason;
    return skr_fail(call, why);
}

void skri_end_misused(struct skr_call *call, const char *rule)
{
    const char *handler = call->tool != NULL ? call->tool->name : "a resource";

    SKR_MISUSE(handler, rule);
    skr_stop(call, SKR_RPC_ERROR, handler);
    skr_put(call, rule);
}

void skri_end_needs_job(struct skr_call *call)
{
#define USES ": its handler keeps a state, sends client requests or returns SKR_PENDING, "
    call->out.max = sizeof call->conn->output; /* where a state may have been lent */
    skri_end_misused(call, !SKR_JOBS            ? ": SKR_PENDING, but this build has no SKR_JOBS"
                           : call->tool == NULL ? USES "which only tools may"
                                                : USES
                               "but has no deadlineMs; add "
                               "\"x-skillrom\": {\"deadlineMs\": 10000} to the tool's JSON file");
#undef USES
}

#if SKR_JOBS
int skr_error(struct skr_call *call, int32_t code, const char *message)
{
    call->out.code = code;
    return skr_fail(call, message);
}
#endif

/* ---- The outcome ---- */

static void end_call(struct skr_call *call)
{
    struct skr_response *a = call->response;
    struct skr_output *out = &call->out;

    if (out->overflow) {
        skr_fail(call, SKRI_OUTPUT_LIMIT);
    } else if (skri_is_unbalanced(out)) {
        skr_fail(call, SKRI_UNBALANCED);
    }
    if (skri_needs_job(call)) {
        skri_end_needs_job(call);
    }
    if (out->end != NULL) {
        skr_fail(call, "its handler begins a block; a resource has one content");
    }
    a->outcome.text = (struct skr_span){out->p, out->n};
    a->outcome.failed = out->failed;
    a->outcome.binary = out->binary;
}

bool skri_resource_read(struct skr_call *call, const struct skr_resource *resource, struct skr_span var)
{
    int returned = resource->read(call, var);

    call->needs_job |= SKR_JOBS && returned == SKR_PENDING;
    end_call(call);
    return returned != SKR_NOT_FOUND;
}

#if SKR_EVENTS
bool skri_call_ended(struct skr_call *call)
{
    end_call(call);
    return !skri_rpc_has_failed(call);
}
#endif

/* ---- Tools ---- */

bool skri_tool_body(struct skr_response *a)
{
#if SKR_EXTRAS
    if (a->outcome.prompt) {
        skri_push_text(a, SKR_MESSAGE "{\"type\":\"text\",\"text\":\"");
        skri_push(a, SKR_TOOL_TEXT, a->outcome.text);
        skri_push_text(a, "\"}" SKR_MESSAGE_END);
        return false;
    }
#endif
    skri_push_text(a, "\"content\":[{\"type\":\"text\",\"text\":\"");
    if (SKR_EXTRAS && a->pieces.file != NULL) { /* other content is base64 */
        skri_push_own(a, skri_file_piece(a->pieces.file));
    }
    skri_push(a, SKR_TOOL_TEXT, a->outcome.text);
    skri_push_text(a, a->outcome.failed ? "\"}],\"isError\":true" : "\"}]");
    return false;
}
