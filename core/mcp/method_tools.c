/* method_tools.c -- tools/list and tools/call.
 *
 * The image describes tools, the firmware has their handlers; a tool exists when both are there. Descriptions are sent
 * in place. */
#include "handler/guard.h"
#include "handler/handler.h"
#include "handler/tool_call.h"
#include "mcp/headers.h"
#include "mcp/method.h"
#include "mcp/panel.h"
#include "response/older.h"
#include "skills/skill_tools.h"
#include "store/cursor.h"
#include "text/json_scan.h"

/* The server's own tools, after those of the image: for reading skills, and for the panel. */
static uint32_t count_own_tools(const struct romfs *fs)
{
    return (skri_has_skill_tools(fs) ? SKR_SKILL_TOOL_COUNT : 0u) + (skri_has_panel(fs) ? 1u : 0u);
}

static struct romfs_text own_tool(const struct romfs *fs, uint32_t i)
{
    bool of_skills = SKR_EXTRAS && skri_has_skill_tools(fs) && i < SKR_SKILL_TOOL_COUNT;

    return of_skills || !SKR_PANEL ? fs->header->skill_tools[i] : romfs_panel_of(fs)->tool;
}

/* True when number i is in the list: first the image's own tools, then the server's. */
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

/* Members that the rules of a tool add to its `_meta`: {"dev.skillrom/locked":"<reason>","dev.skillrom/plan":true}. */
struct rule_texts {
    const char *locked; /* why; NULL when it is not locked */
    bool plans;
};

static struct rule_texts rule_texts_of(const struct skr_response *a, const struct skr_tool *handler)
{
    struct rule_texts texts = {0};

#if SKR_GUARD
    const struct skr_list_response *list = SKRI_AS(a, list);
    if (handler != NULL && list->tool_meta) {
        texts.locked = skri_guard_locks(list->lock, handler) ? list->locked : NULL;
        texts.plans = handler->rules != NULL && (handler->rules->flags & SKR_RULE_PLAN) != 0;
    }
#else
    (void)a;
    (void)handler;
#endif
    return texts;
}

/* A tool with these texts; what its own `_meta` has comes after them. */
static void push_with_rules(struct skr_response *a, struct skr_span json, struct rule_texts texts)
{
    struct skr_span rest = json, key, value, meta = {0};

    while (meta.p == NULL && skr_scan_pair(&rest, &key, &value)) {
        meta = skr_scan_is(key, "_meta") ? value : meta;
    }
    size_t before = meta.p != NULL ? (size_t)(meta.p - json.p) + 1 : json.n;
    skri_push_bytes(a, SKR_RAW, json.p, before);
    if (meta.p == NULL) {
        skri_push_text(a, ",\"_meta\":{");
    }
    if (texts.locked != NULL) {
        skri_push_text(a, "\"dev.skillrom/locked\":\"");
        skri_push(a, SKR_ESCAPED, skr_span_of(texts.locked));
        skri_push_text(a, texts.plans ? "\"," : "\"");
    }
    if (texts.plans) {
        skri_push_text(a, "\"dev.skillrom/plan\":true");
    }
    if (meta.n != 2) { /* not an empty object */
        skri_push_text(a, meta.p == NULL ? "}" : ",");
    }
    skri_push_bytes(a, SKR_RAW, json.p + before, json.n - before);
}

static bool push_tool(struct skr_response *a, uint32_t i)
{
    uint32_t described = a->fs->header->tools.count;
    bool of_image = (!SKR_EXTRAS && !SKR_PANEL) || i < described;
    struct romfs_text text = of_image ? a->fs->tools[i].json : own_tool(a->fs, i - described);
    struct skr_span json = skr_span_rom(a->fs, text);
    const struct skr_tool *handler = NULL;

    if ((SKR_TASKS || SKR_GUARD) && of_image) {
        handler = skri_tool_handler(a->device, skr_span_rom(a->fs, a->fs->tools[i].name));
    }
    const char *use = SKR_TASKS ? task_use(a, handler) : NULL;
    struct rule_texts texts = rule_texts_of(a, handler);
    if (SKR_GUARD && (texts.locked != NULL || texts.plans)) {
        json.n--; /* its brace */
        push_with_rules(a, json, texts);
        use = use != NULL ? use : "}";
    } else {
        skri_push_described(a, true, json.p, use != NULL ? json.n - 1 : json.n);
    }
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
    struct skr_response *a = call->response;

    if (!skri_page(call, SKR_LIST_TOOLS, 0, call->fs->header->tools.count + count_own_tools(call->fs))) {
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
#if SKR_GUARD
    SKRI_AS(a, list)->lock = call->srv->guard.lock;
    SKRI_AS(a, list)->locked = call->srv->guard.reason;
    SKRI_AS(a, list)->tool_meta = call->modern || call->legacy->version >= SKR_V_2025_11_25;
#endif
    skri_response_result(call->response, tools_body);
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
    struct skr_tool_call tool_call = {.tool = about != NULL ? skri_tool_call_find(fs, call->srv->device, about) : NULL};
    if (tool_call.tool == NULL) {
        if (SKR_PANEL && skri_has_panel(fs) && skr_span_is(name, "show_panel")) {
            skri_panel_tool_call(call);
        } else if (!SKR_EXTRAS || !skri_skill_tool_call(call, name)) { /* TOOL-05 */
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
    skri_tool_call_start(call, &tool_call);
}
