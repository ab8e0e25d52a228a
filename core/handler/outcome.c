/* outcome.c -- the outcome of a tool call: its response, and the device's record of it. See tool_call.h.
 *
 * A tool that could not be called is a result in tools/call, and an error with a reason in skills/execute (SK-S-10). */
#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "response/backend.h"

#if SKR_JOBS || SKR_DIALECTS
static const char *const reasons[] = {
    [SKR_ENDED] = "done",
    [SKR_UNKNOWN_SCRIPT] = "unknown-script",
    [SKR_NO_HANDLER] = "no-handler",
    [SKR_DENIED] = "denied",
    [SKR_BUSY] = "busy",
    [SKR_TIMEOUT] = "timeout",
    [SKR_OUTPUT_TOO_LARGE] = "output-too-large",
    [SKR_RPC_ERROR] = "fault",
    [SKR_BAD_ARGUMENT] = "bad-argument",
#if SKR_GUARD
    [SKR_LOCKED] = "locked",
    [SKR_NOT_PLANNED] = "not-planned",
    [SKR_NOT_READY] = "not-ready",
    [SKR_EXCLUDED] = "excluded",
    [SKR_OVER_LIMIT] = "over-limit",
    [SKR_NOT_CONFIRMED] = "not-confirmed",
#endif
    [CALL_FAILED] = "failed",
    [CALL_CANCELLED] = "cancelled",
    [CALL_ASKED] = "asked",
#if SKR_GUARD
    [CALL_PLANNED] = "planned",
#endif
};

#if SKR_GUARD
const char *skri_tool_call_how(unsigned how)
{
    return how < sizeof reasons / sizeof reasons[0] ? reasons[how] : ""; /* a damaged record may say anything */
}
#endif

void skri_tool_call_record(const struct skr_server *srv, const struct skr_tool_call *tool_call,
                           const struct skr_output *out, unsigned how, uint32_t ms)
{
    const struct skr_device *d = srv->device;

    if (!SKR_GUARD && d->tool_called == NULL) {
        return;
    }
    if (how == CALL_AS_PUT) {
        how = out->overflow ? SKR_OUTPUT_TOO_LARGE : skri_is_unbalanced(out) ? SKR_RPC_ERROR : out->reason;
        how = how == SKR_ENDED && out->failed ? CALL_FAILED : how;
    }
#if SKR_GUARD
    skri_record_add(srv, tool_call, how == SKR_ENDED && tool_call->plan ? CALL_PLANNED : how, ms);
#endif
    if (d->tool_called != NULL) {
        d->tool_called(d->context, tool_call->tool->name, reasons[how], ms);
    }
}
#endif

/* Replaces output that is not a result by the reason: it does not fit, is incomplete, or lacks what the tool
 * promises. */
static void outcome_check(struct skr_response *a, const struct skr_tool_call *tool_call, struct skr_output *out)
{
    bool (*content)(struct skr_response * a) = a->outcome.content;

    a->outcome.content = skri_tool_body;
    if (tool_call->tool != NULL && tool_call->tool->structured && !out->structured && !out->failed) { /* TOOL-08 */
        out->reason = SKR_RPC_ERROR;
        a->outcome.text = SPAN("its handler puts no structured content");
    } else if (out->overflow) {
        out->reason = SKR_OUTPUT_TOO_LARGE;
        a->outcome.text = out->max == SKR_OUTPUT_MAX ? SPAN(SKRI_OUTPUT_LIMIT)
                          : SKR_JOBS > 0 && out->max == SKR_JOB_OUTPUT_MAX
                              ? SPAN("the result exceeds " SKRI_JOB_OUTPUT_LIMIT)
                              : SPAN("the result exceeds its outputMax");
    } else if (skri_is_unbalanced(out)) {
        out->reason = SKR_RPC_ERROR;
        a->outcome.text = SPAN(SKRI_UNBALANCED);
    } else {
        a->outcome.content = content;
    }
    a->outcome.failed = out->failed || out->reason != SKR_ENDED;
}

#if SKR_JOBS

/* The handler has returned an error of the protocol. */
static void outcome_respond_error(struct skr_response *a, const struct skr_output *out)
{
    skri_response_error(a, SKR_HANDLER_ERROR, a->outcome.text);
    a->envelope.code = out->code;
#if SKR_INTERACTIVE
    if (out->lack != NULL) {
        skri_response_error(a, (enum skr_rpc_error)out->lack->error, skr_span_of(out->lack->name));
    }
#endif
}

#endif

#if SKR_DIALECTS

static bool script_body(struct skr_response *a)
{
    if (a->outcome.content(a)) {
        return true;
    }
    if (!a->outcome.failed) {
        skri_push_text(a, ",\"isError\":false");
    }
    return false;
}

/* skills/execute: output that is not a result becomes an error with a reason (SK-S-10). */
static void outcome_respond_script(struct skr_response *a, const struct skr_tool_call *tool_call,
                                   const struct skr_output *out)
{
    bool argument = out->reason == SKR_BAD_ARGUMENT;

    SKRI_MAKE(a, script)->call = tool_call;
    if (out->reason == SKR_ENDED) {
        skri_response_result(a, script_body);
        return;
    }
    skri_response_error(a, argument ? SKR_SCRIPT_ARGUMENT : SKR_SCRIPT_NOT_RUN, a->outcome.text);
    a->outcome.text = argument ? (struct skr_span){out->p, out->named} : skr_span_of(reasons[out->reason]);
}

#endif

void skri_tool_call_respond(struct skr_response *a, const struct skr_tool_call *tool_call, struct skr_output *out)
{
    a->outcome.content = skri_tool_body;
    if (out->end != NULL) {
        out->end(out, a);
    }
    a->outcome.text = (struct skr_span){out->p, out->n};
    outcome_check(a, tool_call, out);
#if SKR_JOBS
    if (out->code != 0) {
        outcome_respond_error(a, out);
        return;
    }
#endif
#if SKR_DIALECTS
    if (tool_call->name.p != NULL) {
        outcome_respond_script(a, tool_call, out);
        return;
    }
#endif
#if SKR_EXTRAS
    a->outcome.prompt = tool_call->prompt;
    if (a->outcome.prompt && a->outcome.failed) { /* MRTR-06 */
        skri_response_error(a, SKR_PROMPT_FAILED, a->outcome.text);
        return;
    }
#endif
    skri_response_result(a, a->outcome.content);
}

void skri_tool_call_limit(struct skr_output *out, const struct skr_tool *tool)
{
    if (tool->output_max > 0 && tool->output_max < out->max) {
        out->max = tool->output_max;
    }
}

void skri_tool_call_refuse(struct skr_call *call, const struct skr_tool_call *tool_call, enum skr_reason reason,
                           const char *why)
{
    skr_stop(call, reason, why);
    skri_tool_call_refused(call, tool_call);
}

void skri_tool_call_refused(struct skr_call *call, const struct skr_tool_call *tool_call)
{
    if (tool_call->tool != NULL) {
        skri_tool_call_record(call->srv, tool_call, &call->out, CALL_AS_PUT, 0);
    }
    call->srv->backend->make_response(call->response, tool_call, &call->out);
}
