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

/* Reads a number in params, 0 to SKR_ARG_INT_MAX. False when it is something else. Without it *out stays as it is. */
static bool take_number(struct skr_call *call, const char *name, uint32_t *out)
{
    int32_t value;
    int token = skr_json_get(&call->json, call->params, name);

    if (token < 0) {
        return true;
    }
    bool valid = skr_json_is_number(&call->json, token) && skr_number_int(skr_json_raw(&call->json, token), &value) &&
                 value >= 0 && value <= SKR_ARG_INT_MAX;
    if (valid) {
        *out = (uint32_t)value;
    }
    return valid;
}

/* Reads bytes in params, base64, decoded in place. False when they are something else. Without them *out stays. */
static bool take_bytes(struct skr_call *call, const char *name, struct skr_span *out)
{
    int token = skr_json_get(&call->json, call->params, name);

    return token < 0 || (skr_json_string(&call->json, token, out) &&
                         skr_decode_base64(*out, false, (char *)(uintptr_t)out->p, out->n, &out->n));
}

static bool update_body(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->outcome.text);
    return false;
}

static void updater_step(struct skr_call *call, enum skr_update_step which)
{
    struct skr_update_request request = {.step = which, .bytes = NOTHING};
    const struct skr_updater *updater = call->srv->updater;
    bool valid = take_number(call, "offset", &request.offset) && take_number(call, "from", &request.from) &&
                 take_number(call, "size", &request.size) && take_number(call, "number", &request.number) &&
                 take_bytes(call, which == SKR_STEP_BEGIN ? "release" : "data", &request.bytes);
    const char *refused =
        valid ? updater->step(updater->context, call, &request) : "a number or base64 in params is invalid";

    if (refused == NULL && call->out.overflow) {
        refused = "SKR_OUTPUT_MAX is too small";
    }
    if (refused != NULL) {
        skri_rpc_error(call, SKR_UPDATE_REFUSED, skr_span_of(refused));
        return;
    }
    call->response->outcome.text = (struct skr_span){call->conn->output, call->out.n};
    call->response->envelope.live = true;
    skri_response_result(call->response, update_body);
}

void skri_update_begin(struct skr_call *call)
{
    updater_step(call, SKR_STEP_BEGIN);
}

void skri_update_blocks(struct skr_call *call)
{
    updater_step(call, SKR_STEP_BLOCKS);
}

void skri_update_commit(struct skr_call *call)
{
    updater_step(call, SKR_STEP_COMMIT);
}

void skri_update_confirm(struct skr_call *call)
{
    updater_step(call, SKR_STEP_CONFIRM);
}

void skri_update_revert(struct skr_call *call)
{
    updater_step(call, SKR_STEP_REVERT);
}

void skri_update_status(struct skr_call *call)
{
    updater_step(call, SKR_STEP_STATUS);
}

void skri_update_write(struct skr_call *call)
{
    updater_step(call, SKR_STEP_WRITE);
}

#endif
