/* method_tools.c -- tools/list and tools/call.
 *
 * The image describes tools, the firmware has their handlers; a tool exists when
 * both are there. Descriptions are sent from where they lie. */
#include "call.h"
#include "cursor.h"

static const struct skr_tool *handler_of(const struct skr_device *d, struct skr_span name)
{
    for (size_t i = 0; i < d->tool_count; i++) {
        if (skr_span_eq(name, skr_span_of(d->tools[i].name))) {
            return &d->tools[i];
        }
    }
    return NULL;
}

static bool is_there(const struct romfs *fs, const struct skr_device *d, uint32_t tool)
{
    return handler_of(d, skr_span_rom(fs, fs->tools[tool].name)) != NULL;
}

/* ---- tools/list ---- */

enum tools_step { TOOLS_OPEN, TOOLS_FIRST, TOOLS_MORE };

static bool tools_body(struct skr_answer *a)
{
    if (a->body_step == TOOLS_OPEN) {
        skr_push_text(a, "\"tools\":[");
        a->body_step = TOOLS_FIRST;
        return true;
    }
    while (a->index < a->end && !is_there(a->fs, a->device, a->index)) {
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
    skr_push_rom(a, a->fs->tools[a->index++].json);
    return true;
}

void skr_tools_list(struct skr_call *call)
{
    struct skr_answer *a = call->answer;
    if (!skr_page(call, SKR_LIST_TOOLS, 0, call->srv->fs.header->tools.count)) {
        return;
    }
    /* Tools without a handler do not count: fill the page, and leave none of them
     * alone on a page of their own. */
    uint32_t shown = 0;
    for (a->end = a->first; a->end < a->total; a->end++) {
        bool there = is_there(a->fs, a->device, a->end);
        if (there && shown++ == call->srv->page) {
            break;
        }
    }
    skr_rpc_result(call, tools_body);
}

/* ---- tools/call ---- */

static bool call_body(struct skr_answer *a)
{
    skr_push_text(a, "\"content\":[{\"type\":\"text\",\"text\":\"");
    skr_push(a, SKR_ESCAPED, a->output);
    skr_push_text(a, a->failed ? "\"}],\"isError\":true" : "\"}]");
    return false;
}

void skr_tools_call(struct skr_call *call)
{
    const struct romfs *fs = &call->srv->fs;
    struct skr_span name;
    if (!skr_rpc_string(call, "name", true, &name)) {
        return;
    }
    const struct skr_tool *tool = handler_of(call->srv->device, name);
    if (tool == NULL || romfs_find_tool(fs, name.p, name.n) == NULL) { /* TOOL-05 */
        skr_rpc_error(call, SKR_NO_TOOL, name);
        return;
    }
    call->arguments = skr_json_get(&call->json, call->params, "arguments");
    if (call->arguments >= 0 && !skr_json_is_object(&call->json, call->arguments)) {
        skr_rpc_error(call, SKR_NOT_OBJECT, SPAN("arguments"));
        return;
    }
    (void)tool->run(call);
    if (skr_call_ended(call)) {
        skr_rpc_result(call, call_body);
    }
}
