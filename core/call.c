/* call.c -- the side of struct skr_call that tools and firmware resources see. */
#include "call.h"

void *skr_context(const struct skr_call *call)
{
    return call->srv->device->context;
}

const struct skr_tool *skr_tool_run(const struct skr_call *call)
{
    return call->tool;
}

/* ---- Arguments ---- */

static int argument(const struct skr_call *call, const char *name)
{
    return skr_json_get(&call->json, call->arguments, name);
}

bool skr_arg_given(struct skr_call *call, const char *name)
{
    int token = argument(call, name);
    return token >= 0 && !skr_json_is_null(&call->json, token);
}

bool skr_arg_int(struct skr_call *call, const char *name, int32_t min, int32_t max, int32_t *out)
{
    int64_t value;
    if (!skr_json_integer(&call->json, argument(call, name), &value) || value < min || value > max) {
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool skr_arg_bool(struct skr_call *call, const char *name, bool *out)
{
    bool value;
    if (!skr_json_boolean(&call->json, argument(call, name), &value)) {
        return false;
    }
    *out = value;
    return true;
}

bool skr_arg_string(struct skr_call *call, const char *name, struct skr_span *out)
{
    return skr_json_string(&call->json, argument(call, name), out);
}

struct skr_span skr_arg_json(struct skr_call *call)
{
    return call->arguments >= 0 ? skr_json_raw(&call->json, call->arguments) : SPAN("{}");
}

/* ---- Output ---- */

void skr_put_span(struct skr_call *call, struct skr_span bytes)
{
    struct skr_output *out = &call->out;
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

void skr_put_fixed(struct skr_call *call, int32_t value, unsigned decimals)
{
    char text[16];
    size_t at = sizeof text;
    uint32_t rest = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    decimals = decimals > 9 ? 9 : decimals;
    for (unsigned digit = 0; rest > 0 || digit <= decimals; digit++) {
        if (digit == decimals && decimals > 0) {
            text[--at] = '.';
        }
        text[--at] = (char)('0' + rest % 10);
        rest /= 10;
    }
    if (value < 0) {
        text[--at] = '-';
    }
    struct skr_span s = {text + at, sizeof text - at};
    skr_put_span(call, s);
}

void skr_put_int(struct skr_call *call, int32_t value)
{
    skr_put_fixed(call, value, 0);
}

void skr_put_binary(struct skr_call *call)
{
    call->out.binary = true;
}

int skr_fail(struct skr_call *call, const char *why)
{
    call->out.n = 0;
    call->out.failed = true;
    call->out.overflow = false;
    skr_put(call, why);
    return 0;
}

int skr_stop(struct skr_call *call, enum skr_reason reason, const char *why)
{
    call->out.reason = (uint8_t)reason;
    return skr_fail(call, why);
}

#if SKR_JOBS
int skr_error(struct skr_call *call, int32_t code, const char *message)
{
    call->out.code = code;
    return skr_fail(call, message);
}
#endif

/* ---- What the client can do ---- */

#if !SKR_ASK /* ask.c knows more of it */
bool skr_need(struct skr_call *call, enum skr_capability capability)
{
    static const char names[][12] = {"sampling", "elicitation", "roots"};
    const char *name = names[capability];
    int declared = skr_json_get(&call->json, call->meta, "io.modelcontextprotocol/clientCapabilities");
    if (call->modern && skr_json_is_object(&call->json, skr_json_get(&call->json, declared, name))) {
        return true;
    }
    if (call->modern) {
        skr_rpc_error(call, SKR_NEEDS, skr_span_of(name));
        call->refused = true;
    } else { /* what initialize declared is not kept, and the older era has no error for it */
        skr_fail(call, skr_fault_row(SKR_NEEDS)->message);
        skr_put(call, name);
    }
    return false;
}
#endif

/* ---- What becomes of it ---- */

bool skr_call_ended(struct skr_call *call)
{
    struct skr_answer *a = call->answer;
    struct skr_output *out = &call->out;
    if (out->overflow) {
        skr_fail(call, "the result exceeds SKR_OUTPUT_MAX bytes");
    }
    a->output = (struct skr_span){out->p, out->n};
    a->failed = out->failed;
    a->binary = out->binary;
    return !call->refused;
}
