/* method_tools.c -- tools/list and tools/call.
 *
 * The image describes tools, the firmware has their handlers; a tool exists when
 * both are there. Descriptions are sent from where they lie. */
#include "call.h"
#include "cursor.h"
#include "http.h"
#include "run.h"
#include "skill_tools.h"

const struct skr_tool *skr_tool_handler(const struct skr_device *d, struct skr_span name)
{
    for (size_t i = 0; i < d->tool_count; i++) {
        if (skr_span_eq(name, skr_span_of(d->tools[i].name))) {
            return &d->tools[i];
        }
    }
    return NULL;
}

/* Number i of the list: the image's own tools, then those for reading skills. */
static bool is_listed(const struct romfs *fs, const struct skr_device *d, uint32_t i)
{
    return i >= fs->header->tools.count ||
           ((fs->tools[i].flags & ROMFS_SCOPED) == 0 &&
            skr_tool_handler(d, skr_span_rom(fs, fs->tools[i].name)) != NULL);
}

/* ---- tools/list ---- */

enum tools_step { TOOLS_OPEN, TOOLS_FIRST, TOOLS_MORE };

static void push_tool(struct skr_answer *a, const struct romfs_tool *tool)
{
#if SKR_TASKS
    const struct skr_tool *handler = skr_tool_handler(a->device, skr_span_rom(a->fs, tool->name));
    if (a->task_support && handler->task != SKR_TASK_NEVER && handler->deadline_ms > 0) {
        struct skr_span json = skr_span_rom(a->fs, tool->json);
        json.n--; /* the brace */
        skr_push(a, SKR_RAW, json);
        skr_push_text(a, handler->task == SKR_TASK_REQUIRED ? ",\"execution\":{\"taskSupport\":\"required\"}}"
                                                            : ",\"execution\":{\"taskSupport\":\"optional\"}}");
        return;
    }
#endif
    skr_push_rom(a, tool->json);
}

static bool tools_body(struct skr_answer *a)
{
    if (a->body_step == TOOLS_OPEN) {
        skr_push_text(a, "\"tools\":[");
        a->body_step = TOOLS_FIRST;
        return true;
    }
    while (a->index < a->end && !is_listed(a->fs, a->device, a->index)) {
        a->index++;
    }
    if (a->index == a->end) {
        skr_push_page_end(a);
        return false;
    }
    if (a->body_step == TOOLS_MORE) {
        skr_push_text(a, ",");
    }
    a->body_step = TOOLS_MORE;
    if (a->index < a->fs->header->tools.count) {
        push_tool(a, &a->fs->tools[a->index]);
    } else {
        skr_push_skill_tool(a, a->index - a->fs->header->tools.count);
    }
    a->index++;
    return true;
}

void skr_tools_list(struct skr_call *call)
{
    struct skr_answer *a = call->answer;
    uint32_t more = skr_has_skill_tools(call->fs) ? SKR_SKILL_TOOL_COUNT : 0;
    if (!skr_page(call, SKR_LIST_TOOLS, 0, call->fs->header->tools.count + more)) {
        return;
    }
    /* Tools that are scoped or without a handler do not count: fill the page, and leave
     * none of them alone on a page of their own. */
    uint32_t shown = 0;
    for (a->end = a->first; a->end < a->total; a->end++) {
        bool there = is_listed(a->fs, a->device, a->end);
        if (there && shown++ == call->srv->page) {
            break;
        }
    }
#if SKR_TASKS
    a->task_support = !call->modern && call->legacy->version == SKR_V_2025_11_25;
#endif
    skr_rpc_result(call, tools_body);
}

/* ---- tools/call ---- */

bool skr_tool_body(struct skr_answer *a)
{
    skr_push_text(a, "\"content\":[{\"type\":\"text\",\"text\":\"");
    if (SKR_SKILL_TOOLS && a->file != NULL) { /* what is not text comes as base64 */
        skr_push_own(a, skr_file_piece(a->file));
    }
    skr_push(a, SKR_TOOL_TEXT, a->output);
    skr_push_text(a, a->failed ? "\"}],\"isError\":true" : "\"}]");
    return false;
}

void skr_tools_call(struct skr_call *call)
{
    const struct romfs *fs = call->fs;
    struct skr_span name;
    if (!skr_rpc_string(call, "name", true, &name)) {
        return;
    }
    const struct romfs_tool *about = romfs_find_tool(fs, name.p, name.n);
    struct skr_run run = {.tool = about != NULL ? skr_run_handler(fs, call->srv->device, about) : NULL};
    if (run.tool == NULL) {
        if (!skr_skill_tool_call(call, name)) { /* TOOL-05 */
            skr_rpc_error(call, SKR_NO_TOOL, name);
        }
        return;
    }
    if (!skr_run_arguments(call)) {
        return;
    }
#if SKR_PARAMS
    if (call->modern && call->conn->wire == SKR_HTTP_1 &&
        !skr_http_params_match(call, skr_span_rom(fs, about->json))) { /* VAL-12 */
        skr_rpc_error(call, SKR_PARAM_HEADER_DIFFERS, name);
        return;
    }
#endif
    skr_run(call, &run, about);
}
