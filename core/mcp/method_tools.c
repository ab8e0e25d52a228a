/* method_tools.c -- tools/list and tools/call.
 *
 * The image describes tools, the firmware has their handlers; a tool exists when both are there. Descriptions are sent
 * in place. */
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "mcp/headers.h"
#include "mcp/method.h"
#include "response/older.h"
#include "skills/skill_tools.h"
#include "store/cursor.h"

/* Is number i in the list? First come the image's own tools, then those for reading skills. */
static bool tool_is_listed(const struct romfs *fs, const struct skr_device *d, uint32_t i)
{
    return i >= fs->header->tools.count || ((fs->tools[i].flags & ROMFS_SCOPED) == 0 &&
                                            skri_tool_handler(d, skr_span_rom(fs, fs->tools[i].name)) != NULL);
}

/* ---- tools/list ---- */

/* TSK-10: the member that says whether the tool may be a task, instead of the last brace; NULL without it. */
static const char *task_use(const struct skr_response *a, const struct skr_tool *handler)
{
    static const char *const uses[] = {
        [SKR_TASK_OPTIONAL] = ",\"execution\":{\"taskSupport\":\"optional\"}}",
        [SKR_TASK_REQUIRED] = ",\"execution\":{\"taskSupport\":\"required\"}}",
    };
    bool said = SKRI_AS(a, list)->task_support && handler != NULL && handler->task != SKR_TASK_NEVER &&
                handler->deadline_ms > 0;
    return said ? uses[handler->task] : NULL;
}

static bool push_tool(struct skr_response *a, uint32_t i)
{
    bool own = !SKR_EXTRAS || i < a->fs->header->tools.count;
    struct romfs_text json = own ? a->fs->tools[i].json : a->fs->header->skill_tools[i - a->fs->header->tools.count];
    const char *use = NULL;
    if (SKR_TASKS && own) {
        use = task_use(a, skri_tool_handler(a->device, skr_span_rom(a->fs, a->fs->tools[i].name)));
    }
    skri_push_described(a, true, romfs_at(a->fs, json), use != NULL ? json.len - 1 : json.len);
    if (use != NULL) {
        skri_push_text(a, use);
    }
    return tool_is_listed(a->fs, a->device, i);
}

static bool tools_body(struct skr_response *a)
{
    return skri_push_list(a, "\"tools\":[", push_tool);
}

void skri_tools_list(struct skr_call *call)
{
    struct skr_response *a = call->answer;
    uint32_t more = skri_has_skill_tools(call->fs) ? SKR_SKILL_TOOL_COUNT : 0;
    if (!skri_page(call, SKR_LIST_TOOLS, 0, call->fs->header->tools.count + more)) {
        return;
    }
    /* Tools that are scoped or have no handler do not count: a page is filled without them, and none has only such. */
    uint32_t shown = 0;
    for (a->end = a->first; a->end < SKRI_AS(a, list)->total; a->end++) {
        bool there = tool_is_listed(a->fs, a->device, a->end);
        if (there && shown++ == call->srv->page) {
            break;
        }
    }
    if (SKR_TASKS) {
        SKRI_AS(a, list)->task_support =
            !call->modern && call->legacy->version == SKR_V_2025_11_25 && !skri_is_forgotten(call);
    }
    skri_response_result(call->answer, tools_body);
}

/* ---- tools/call ---- */

void skri_tools_call(struct skr_call *call)
{
    const struct romfs *fs = call->fs;
    struct skr_span name;
    if (!skri_rpc_param(call, SKR_PARAM_NAME, true, &name)) {
        return;
    }
    const struct romfs_tool *about = romfs_find_tool(fs, name.p, name.n);
    struct skr_tool_call run = {.tool = about != NULL ? skri_tool_call_find(fs, call->srv->device, about) : NULL};
    if (run.tool == NULL) {
        if (!SKR_EXTRAS || !skri_skill_tool_call(call, name)) { /* TOOL-05 */
            skri_rpc_error(call, SKR_NO_TOOL, name);
        }
        return;
    }
    if (!skri_tool_call_arguments(call)) {
        return;
    }
    if (SKR_PARAMS > 0 && call->modern && skri_headers_of(call->conn) != NULL &&
        !skri_headers_params_match(call, skr_span_rom(fs, about->json))) { /* VAL-12 */
        skri_rpc_error(call, SKR_PARAM_HEADER_DIFFERS, name);
        return;
    }
    skri_tool_call_start(call, &run);
}
