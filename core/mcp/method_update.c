/* method_update.c -- skillrom/update/...: passes the steps of an update to the port's updater (port/update).
 *
 * These methods are ours, not MCP's. They are methods and not tools, because a model must not update a device, and not
 * HTTP requests, because they work on every transport. A result is text in the connection's output. */
#include "handler/handler.h"
#include "mcp/method.h"
#include "text/encode.h"
#include "text/number.h"

#if SKR_UPDATE

void skr_server_set_updater(struct skr_server *s, const struct skr_updater *updater)
{
    s->updater = updater;
}

/* A number in params, 0 to SKR_ARG_INT_MAX. False, after an error, when it is something else. An absent one stays as it is. */
static bool take_number(struct skr_call *call, const char *name, uint32_t *out)
{
    int32_t value;
    int token = skr_json_get(&call->json, call->params, name);
    if (token < 0) {
        return true;
    }
    if (!skr_json_is_number(&call->json, token) || !skr_number_int(skr_json_raw(&call->json, token), &value) ||
        value < 0 || value > SKR_ARG_INT_MAX) {
        skri_rpc_error(call, SKR_UPDATE_REFUSED, SPAN("offset, from, size and number are whole numbers"));
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

/* Bytes in params, in base64, decoded in place. */
static bool take_bytes(struct skr_call *call, const char *name, struct skr_span *out)
{
    int token = skr_json_get(&call->json, call->params, name);
    if (token < 0) {
        return true;
    }
    if (!skr_json_string(&call->json, token, out) ||
        !skr_decode_base64(*out, false, (char *)(uintptr_t)out->p, out->n, &out->n)) {
        skri_rpc_error(call, SKR_UPDATE_REFUSED, SPAN("release and data are strings in base64"));
        return false;
    }
    return true;
}

static bool update_body(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->outcome.text);
    return false;
}

static void step(struct skr_call *call, enum skr_update_step which)
{
    struct skr_update_request request = {.step = which, .bytes = NOTHING};
    const struct skr_updater *updater = call->srv->updater;
    if (!take_number(call, "offset", &request.offset) || !take_number(call, "from", &request.from) ||
        !take_number(call, "size", &request.size) || !take_number(call, "number", &request.number) ||
        !take_bytes(call, which == SKR_STEP_BEGIN ? "release" : "data", &request.bytes)) {
        return;
    }
    const char *refused = updater->step(updater->context, call, &request);
    if (refused != NULL || call->out.overflow) {
        skri_rpc_error(call, SKR_UPDATE_REFUSED,
                       skr_span_of(refused != NULL ? refused : "SKR_OUTPUT_MAX is too small"));
        return;
    }
    call->answer->outcome.text = (struct skr_span){call->conn->output, call->out.n};
    call->answer->envelope.live = true;
    skri_response_result(call->answer, update_body);
}

void skri_update_begin(struct skr_call *call)
{
    step(call, SKR_STEP_BEGIN);
}

void skri_update_blocks(struct skr_call *call)
{
    step(call, SKR_STEP_BLOCKS);
}

void skri_update_commit(struct skr_call *call)
{
    step(call, SKR_STEP_COMMIT);
}

void skri_update_confirm(struct skr_call *call)
{
    step(call, SKR_STEP_CONFIRM);
}

void skri_update_revert(struct skr_call *call)
{
    step(call, SKR_STEP_REVERT);
}

void skri_update_status(struct skr_call *call)
{
    step(call, SKR_STEP_STATUS);
}

void skri_update_write(struct skr_call *call)
{
    step(call, SKR_STEP_WRITE);
}

#endif
