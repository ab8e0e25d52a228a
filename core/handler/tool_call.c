/* tool_call.c -- calls a tool, for tools/call, skills/execute or prompts/get.
 *
 * All of them find the same handler (SK-X-19) and differ in how they report that it could not be called (outcome.c). */
#include "handler/tool_call.h"

#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/job.h"
#include "handler/job_task.h"
#include "response/backend.h"

/* ---- Handlers ---- */

/* The file that a scoped tool stands for, or NULL. */
static const struct romfs_file *script_of_tool(const struct romfs *fs, uint32_t tool)
{
    for (uint32_t i = 0; i < fs->header->files.count; i++) {
        if (fs->files[i].tool == tool) {
            return &fs->files[i];
        }
    }
    return NULL;
}

const struct skr_tool *skri_tool_call_find_script(const struct romfs *fs, const struct skr_device *d,
                                                  const struct romfs_file *file)
{
    const struct skr_tool *handler = NULL;

    if (file->tool != ROMFS_NONE) {
        handler = skri_tool_handler(d, skr_span_rom(fs, fs->tools[file->tool].name));
    }
    if (SKR_SCRIPT_FILES && handler == NULL && d->script != NULL &&
        skr_span_starts(skr_span_rom(fs, file->path), SPAN("scripts/"))) {
        handler = d->script(d->context, fs, file);
    }
    return handler;
}

const struct skr_tool *skri_tool_call_find(const struct romfs *fs, const struct skr_device *d,
                                           const struct romfs_tool *tool)
{
    const struct skr_tool *handler = skri_tool_handler(d, skr_span_rom(fs, tool->name));

    if (SKR_SCRIPT_FILES && handler == NULL && d->script != NULL && (tool->flags & ROMFS_SCOPED) != 0) {
        const struct romfs_file *file = script_of_tool(fs, (uint32_t)(tool - fs->tools));
        handler = file != NULL ? skri_tool_call_find_script(fs, d, file) : NULL;
    }
    return handler;
}

/* ---- Calling them ---- */

bool skri_tool_call_arguments(struct skr_call *call)
{
    call->arguments = skr_json_get(&call->json, call->params, "arguments");
    if (call->arguments >= 0 && !skr_json_is_object(&call->json, call->arguments)) {
        skri_rpc_error(call, SKR_NOT_OBJECT, SPAN("arguments"));
        return false;
    }
    return true;
}

void skri_tool_call_start(struct skr_call *call, struct skr_tool_call *tool_call)
{
    if (!skri_guard_arrive(call, tool_call)) {
        return;
    }
    if (SKR_TASKS && !skri_task_allowed(call, tool_call->tool)) {
        return;
    }
    skri_tool_call_permitted(call, tool_call);
}

void skri_tool_call_permitted(struct skr_call *call, struct skr_tool_call *tool_call)
{
    call->tool = tool_call->tool;
    if (SKR_JOBS && tool_call->tool->deadline_ms > 0) {
        skri_job_start(call, tool_call);
        return;
    }
    call->out.version = call->modern ? SKR_V_2026_07_28 : call->legacy->version;
    bool pending = skri_guard_run(call, tool_call) == SKR_PENDING;
    if (pending || skri_needs_job(call)) {
        skri_end_needs_job(call);
    }
    skri_tool_call_record(call->srv, tool_call, &call->out,
                          skri_rpc_has_failed(call) ? (unsigned)SKR_RPC_ERROR : (unsigned)CALL_AS_PUT, 0);
    if (!skri_rpc_has_failed(call)) {
        call->srv->backend->make_response(call->response, tool_call, &call->out);
    }
}
