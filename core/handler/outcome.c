/* outcome.c -- the outcome of a tool call: its response, and the device's record of it. See tool_call.h.
 *
 * A tool that could not be called is a result in tools/call, and an error with a reason in skills/execute (SK-S-10). */
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
};

void skri_tool_call_record(const struct skr_server *srv, const struct skr_tool_call *run, const struct skr_output *out,
                           const char *how, uint32_t ms)
{
    const struct skr_device *d = srv->device;
    if (d->tool_called == NULL) {
        return;
    }
    if (how == NULL) {
        uint8_t reason = out->overflow ? SKR_OUTPUT_TOO_LARGE : skri_is_unbalanced(out) ? SKR_RPC_ERROR : out->reason;
        how = reason == SKR_ENDED && out->failed ? "failed" : reasons[reason];
    }
    d->tool_called(d->context, run->tool->name, how, ms);
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

#endif

void skri_tool_call_respond(struct skr_response *a, const struct skr_tool_call *run, struct skr_output *out)
{
    a->outcome.content = skri_tool_body;
    if (out->end != NULL) {
        out->end(out, a);
    }
    a->outcome.text = (struct skr_span){out->p, out->n};
    if (out->overflow) {
        a->outcome.content = skri_tool_body;
        out->reason = SKR_OUTPUT_TOO_LARGE;
        a->outcome.text = out->max == SKR_OUTPUT_MAX ? SPAN(SKRI_OUTPUT_LIMIT)
                          : SKR_JOBS > 0 && out->max == SKR_JOB_OUTPUT_MAX
                              ? SPAN("the result exceeds " SKRI_JOB_OUTPUT_LIMIT)
                              : SPAN("the result exceeds its outputMax");
    } else if (skri_is_unbalanced(out)) {
        a->outcome.content = skri_tool_body;
        out->reason = SKR_RPC_ERROR;
        a->outcome.text = SPAN(SKRI_UNBALANCED);
    }
    if (run->tool != NULL && run->tool->structured && !out->structured && !out->failed) { /* TOOL-08 */
        out->reason = SKR_RPC_ERROR;
        a->outcome.text = SPAN("its handler puts no structured content");
        a->outcome.content = skri_tool_body;
    }
    a->outcome.failed = out->failed || out->reason != SKR_ENDED;
#if SKR_JOBS
    if (out->code != 0) {
        skri_response_error(a, SKR_HANDLER_ERROR, a->outcome.text);
        a->envelope.code = out->code;
#if SKR_INTERACTIVE
        if (out->lack != NULL) {
            skri_response_error(a, (enum skr_rpc_error)out->lack->fault, skr_span_of(out->lack->name));
        }
#endif
        return;
    }
#endif
#if SKR_DIALECTS
    if (run->name.p != NULL) {
        SKRI_MAKE(a, script)->call = run;
        if (out->reason == SKR_ENDED) {
            skri_response_result(a, script_body);
            return;
        }
        bool argument = out->reason == SKR_BAD_ARGUMENT;
        skri_response_error(a, argument ? SKR_SCRIPT_ARGUMENT : SKR_SCRIPT_NOT_RUN, a->outcome.text);
        a->outcome.text = skr_span_of(reasons[out->reason]);
        if (argument) {
            a->outcome.text = (struct skr_span){out->p, out->named};
        }
        return;
    }
#endif
#if SKR_EXTRAS
    a->outcome.prompt = run->prompt;
    if (a->outcome.prompt && a->outcome.failed) { /* MRTR-06 */
        skri_response_error(a, SKR_PROMPT_FAILED, a->outcome.text);
        return;
    }
#endif
    (void)run;
    skri_response_result(a, a->outcome.content);
}

void skri_tool_call_limit(struct skr_output *out, const struct skr_tool *tool)
{
    if (tool->output_max > 0 && tool->output_max < out->max) {
        out->max = tool->output_max;
    }
}

void skri_tool_call_refuse(struct skr_call *call, const struct skr_tool_call *run, enum skr_reason reason,
                           const char *why)
{
    skr_stop(call, reason, why);
    if (run->tool != NULL) {
        skri_tool_call_record(call->srv, run, &call->out, NULL, 0);
    }
    call->srv->backend->answer(call->answer, run, &call->out);
}
