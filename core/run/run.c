/* run.c -- one way to run a tool, whether tools/call or skills/execute asks for it.
 *
 * Both methods reach the same registration (SK-X-19) and differ in how they tell that it
 * could not be run: tools/call by a result that says so, skills/execute by an error with
 * a reason (SK-S-10). */
#include "run/run.h"

#include "run/call.h"
#include "run/job.h"
#include "run/job_task.h"

/* ---- Handlers ---- */

/* The file that a scoped tool stands for, or NULL. */
static const struct romfs_file *script_file(const struct romfs *fs, uint32_t tool)
{
    for (uint32_t i = 0; i < fs->header->files.count; i++) {
        if (fs->files[i].tool == tool) {
            return &fs->files[i];
        }
    }
    return NULL;
}

const struct skr_tool *skr_run_script(const struct romfs *fs, const struct skr_device *d,
                                      const struct romfs_file *file)
{
    const struct skr_tool *handler = NULL;
    if (file->tool != ROMFS_NONE) {
        handler = skr_tool_handler(d, skr_span_rom(fs, fs->tools[file->tool].name));
    }
    if (SKR_SCRIPT_FILES && handler == NULL && d->script != NULL &&
        skr_span_starts(skr_span_rom(fs, file->path), SPAN("scripts/"))) {
        handler = d->script(d->context, fs, file);
    }
    return handler;
}

const struct skr_tool *skr_run_handler(const struct romfs *fs, const struct skr_device *d,
                                       const struct romfs_tool *tool)
{
    const struct skr_tool *handler = skr_tool_handler(d, skr_span_rom(fs, tool->name));
    if (SKR_SCRIPT_FILES && handler == NULL && d->script != NULL && (tool->flags & ROMFS_SCOPED) != 0) {
        const struct romfs_file *file = script_file(fs, (uint32_t)(tool - fs->tools));
        handler = file != NULL ? skr_run_script(fs, d, file) : NULL;
    }
    return handler;
}

/* ---- The answer ---- */

#if SKR_JOBS || SKR_DIALECT_F
static const char *const reasons[] = {
    [SKR_ENDED] = "done",
    [SKR_UNKNOWN_SCRIPT] = "unknown-script",
    [SKR_NO_HANDLER] = "no-handler",
    [SKR_DENIED] = "denied",
    [SKR_BUSY] = "busy",
    [SKR_TIMEOUT] = "timeout",
    [SKR_OUTPUT_TOO_LARGE] = "output-too-large",
    [SKR_FAULT] = "fault",
    [SKR_BAD_ARGUMENT] = "bad-argument",
};

void skr_run_record(const struct skr_server *srv, const struct skr_run *run, const struct skr_output *out,
                    const char *how, uint32_t ms)
{
    const struct skr_device *d = srv->device;
    if (d->ran == NULL) {
        return;
    }
    if (how == NULL) {
        uint8_t reason = out->overflow ? SKR_OUTPUT_TOO_LARGE : out->reason;
        how = reason == SKR_ENDED && out->failed ? "failed" : reasons[reason];
    }
    d->ran(d->context, run->tool->name, how, ms);
}
#endif

#if SKR_DIALECT_F
static bool script_body(struct skr_answer *a)
{
    if (a->content(a)) {
        return true;
    }
    if (!a->failed) {
        skr_push_text(a, ",\"isError\":false");
    }
    return false;
}

#endif

void skr_run_answer(struct skr_answer *a, const struct skr_run *run, struct skr_output *out)
{
    a->content = skr_tool_body;
    if (out->end != NULL) {
        out->end(out, a);
    }
    a->output = (struct skr_span){out->p, out->n};
    if (out->overflow) {
        a->content = skr_tool_body;
        out->reason = SKR_OUTPUT_TOO_LARGE;
        a->output = out->max == SKR_OUTPUT_MAX ? SPAN("the result exceeds SKR_OUTPUT_MAX bytes")
                    : SKR_JOBS > 0 && out->max == SKR_JOB_OUTPUT_MAX
                        ? SPAN("the result exceeds SKR_JOB_OUTPUT_MAX bytes")
                        : SPAN("the result exceeds output_max bytes");
    }
    if (run->tool != NULL && run->tool->structured && !out->structured && !out->failed) { /* TOOL-08 */
        out->reason = SKR_FAULT;
        a->output = SPAN("its handler puts no structured content");
        a->content = skr_tool_body;
    }
    a->failed = out->failed || out->reason != SKR_ENDED;
#if SKR_JOBS
    if (out->code != 0) {
        skr_answer_error(a, SKR_HANDLER_ERROR, a->output);
        a->code = out->code;
#if SKR_ASK
        if (out->lack != NULL) {
            skr_answer_error(a, (enum skr_fault)out->lack->fault, skr_span_of(out->lack->name));
        }
#endif
        return;
    }
#endif
#if SKR_DIALECT_F
    if (run->name.p != NULL) {
        a->of.run = run;
        if (out->reason == SKR_ENDED) {
            skr_answer_result(a, script_body);
            return;
        }
        bool argument = out->reason == SKR_BAD_ARGUMENT;
        skr_answer_error(a, argument ? SKR_SCRIPT_ARGUMENT : SKR_SCRIPT_NOT_RUN, a->output);
        a->output = skr_span_of(reasons[out->reason]);
        if (argument) {
            a->output = (struct skr_span){out->p, out->named};
        }
        return;
    }
#endif
#if SKR_PROMPTS
    a->prompt = run->prompt;
    if (a->prompt && a->failed) { /* MRTR-06 */
        skr_answer_error(a, SKR_PROMPT_FAILED, a->output);
        return;
    }
#endif
    (void)run;
    skr_answer_result(a, a->content);
}

/* ---- Running ---- */

void skr_run_limit(struct skr_output *out, const struct skr_tool *tool)
{
    if (tool->output_max > 0 && tool->output_max < out->max) {
        out->max = tool->output_max;
    }
}

void skr_run_refuse(struct skr_call *call, const struct skr_run *run, enum skr_reason reason, const char *why)
{
    skr_stop(call, reason, why);
    if (run->tool != NULL) {
        skr_run_record(call->srv, run, &call->out, NULL, 0);
    }
    skr_run_answer(call->answer, run, &call->out);
}

static bool is_allowed(const struct skr_call *call, const struct skr_run *run)
{
    const struct skr_device *d = call->srv->device;
    if (SKR_READ_ONLY && !run->tool->read_only) {
        return false;
    }
    return d->allow == NULL || d->allow(d->context, call->conn, run->tool->name);
}

bool skr_run_arguments(struct skr_call *call)
{
    call->arguments = skr_json_get(&call->json, call->params, "arguments");
    if (call->arguments >= 0 && !skr_json_is_object(&call->json, call->arguments)) {
        skr_rpc_error(call, SKR_NOT_OBJECT, SPAN("arguments"));
        return false;
    }
    return true;
}

void skr_run(struct skr_call *call, struct skr_run *run)
{
    if (!is_allowed(call, run)) {
        skr_run_refuse(call, run, SKR_DENIED, "denied by this device");
        return;
    }
#if SKR_TASKS
    if (!skr_task_allowed(call, run->tool)) {
        return;
    }
#endif
    skr_run_handler_of(call, run);
}

void skr_run_handler_of(struct skr_call *call, const struct skr_run *run)
{
    call->tool = run->tool;
#if SKR_JOBS
    if (run->tool->deadline_ms > 0) {
        skr_job_start(call, run);
        return;
    }
#endif
    skr_run_limit(&call->out, run->tool);
    call->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    if (run->tool->run(call) == SKR_PENDING) {
        skr_stop(call, SKR_FAULT, "its handler asks for time without a deadline_ms");
    }
    skr_run_record(call->srv, run, &call->out, NULL, 0);
    if (!call->refused) {
        skr_run_answer(call->answer, run, &call->out);
    }
}
