/* method_server.c -- initialize, server/discover, ping, logging/setLevel. */
#include "handler/client_request.h"
#include "handler/job.h"
#include "mcp/method.h"
#include "response/level.h"
#include "response/version.h"
#include "subscription/notify.h"

/* ---- Capabilities, mostly the same in both eras ---- */

static void push_member(struct skr_response *a, bool *first, const char *member)
{
    if (!*first) {
        skri_push_text(a, ",");
    }
    skri_push_text(a, member);
    *first = false;
}

static void push_capabilities(struct skr_response *a)
{
    bool first = true, changes = skri_can_change(a);
    unsigned notified = SKRI_AS(a, server)->forgets ? 0
                        : changes                   ? ~0u
                        : SKR_CHANGES               ? skri_changes_of(a->device)
                                                    : 0; /* enum skr_changes */
    if (skri_offers(a->fs, a->device, SKR_RESOURCES)) {
        bool watch = (notified & SKR_CHANGES_CONTENT) != 0;
        bool list = (notified & SKR_CHANGES_RESOURCES) != 0;
        push_member(a, &first,
                    watch && list ? "\"resources\":{\"subscribe\":true,\"listChanged\":true}"
                    : list        ? "\"resources\":{\"listChanged\":true}"
                    : watch       ? "\"resources\":{\"subscribe\":true}"
                                  : "\"resources\":{}");
    }
    if (skri_offers(a->fs, a->device, SKR_TOOLS)) {
        push_member(a, &first,
                    (notified & SKR_CHANGES_TOOLS) != 0 ? "\"tools\":{\"listChanged\":true}" : "\"tools\":{}");
    }
    if (skri_offers(a->fs, a->device, SKR_HAS_PROMPTS)) {
        push_member(a, &first,
                    (notified & SKR_CHANGES_PROMPTS) != 0 ? "\"prompts\":{\"listChanged\":true}" : "\"prompts\":{}");
    }
    if (skri_offers(a->fs, a->device, SKR_COMPLETIONS) && a->envelope.version != SKR_V_2024_11_05) {
        push_member(a, &first, "\"completions\":{}");
    }
    if (SKR_TASKS && !a->envelope.modern && SKRI_AS(a, server)->tasks && skri_offers(a->fs, a->device, SKR_HAS_TASKS)) {
        push_member(a, &first, "\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}");
    }
    if (SKR_EXTRAS && (!a->envelope.modern || (SKR_INTERACTIVE && a->device->logs))) {
        push_member(a, &first, "\"logging\":{}");
    }
}

#define TASKS "\"io.modelcontextprotocol/tasks\":{}"

/* The capabilities of skills, after the resources that they come with (SK-X-14). */
static void push_skill_capabilities(struct skr_response *a)
{
    static const char extension[] = "{\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}}";
    bool tasks = SKR_TASKS && a->envelope.modern && skri_offers(a->fs, a->device, SKR_HAS_TASKS);
    if (!skri_offers(a->fs, a->device, SKR_SKILLS)) {
        if (tasks) {
            skri_push_text(a, ",\"extensions\":{" TASKS "}");
        }
        return;
    }
    skri_push_text(a, ",\"extensions\":");
    if (tasks) {
        skri_push(a, SKR_RAW, (struct skr_span){extension, sizeof extension - 2});
        skri_push_text(a, "," TASKS "}");
    } else {
        skri_push_text(a, extension);
    }
    if (SKR_DIALECTS) { /* some SDKs drop members that they do not know (SK-B-12) */
        skri_push_text(a, ",\"experimental\":");
        skri_push_text(a, extension);
        bool scripts = skri_offers(a->fs, a->device, SKR_SCRIPTS);
        skri_push_text(a, skri_can_change(a) && !SKRI_AS(a, server)->forgets ? ",\"skills\":{\"listChanged\":true"
                                                                             : ",\"skills\":{\"listChanged\":false");
        skri_push_text(a, scripts ? ",\"scripts\":true}" : ",\"scripts\":false}");
    }
}

static void push_instructions(struct skr_response *a)
{
    if (a->fs->header->instructions.len > 0) {
        skri_push_text(a, ",\"instructions\":");
        skri_push_rom(a, a->fs->header->instructions);
    }
}

/* ---- initialize ---- */

static bool initialize_body(struct skr_response *a)
{
    if (a->body_step++ == 0) {
        skri_push_text(a, "\"protocolVersion\":\"");
        skri_push_text(a, SKRI_AS(a, server)->version);
        skri_push_text(a, "\",\"capabilities\":{");
        push_capabilities(a);
        return true;
    }
    push_skill_capabilities(a);
    skri_push_text(a, "},\"serverInfo\":");
    if (SKR_OLDER) {
        a->envelope.titled = a->envelope.version >= SKR_V_2025_06_18; /* older versions have no titles */
    }
    skri_push_server_info(a);
    push_instructions(a);
    return false;
}

void skri_initialize(struct skr_call *call)
{
    struct skr_span requested;
    static const char *const objects[] = {"capabilities", "clientInfo"};
    if (!skri_rpc_param(call, SKR_PARAM_VERSION, true, &requested)) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) { /* VER-01 */
        if (!skr_json_is_object(&call->json, skr_json_get(&call->json, call->params, objects[i]))) {
            skri_rpc_error(call, SKR_NOT_OBJECT, skr_span_of(objects[i]));
            return;
        }
    }
    uint8_t version = skri_version_find(requested);
    if (version == SKR_V_NONE || version > SKR_NEWEST_LEGACY) { /* VER-02, VER-03 */
        version = SKR_NEWEST_LEGACY;
    }
    if (SKR_JOBS && call->conn->wire == SKR_LINE) { /* over HTTP it begins a session */
        skri_job_restart(call->conn);
    }
    call->legacy->version = call->answer->envelope.version = version;
    call->legacy->log_level = SKR_LEVEL_WARNING;
#if SKR_INTERACTIVE
    call->legacy->capabilities =
        skri_client_request_capabilities(&call->json, skr_json_get(&call->json, call->params, "capabilities"), version);
#endif
    if (SKR_CHANGES) {
        skri_notify_promise(call);
    }
    SKRI_MAKE(call->answer, server)->version = skri_version_text(version);
    if (SKR_HTTP) {
        SKRI_AS(call->answer, server)->forgets = skri_is_forgotten(call);
    }
    if (SKR_TASKS) {
        SKRI_AS(call->answer, server)->tasks = version == SKR_V_2025_11_25 && !skri_is_forgotten(call);
    }
    skri_response_result(call->answer, initialize_body);
}

/* ---- server/discover ---- */

static bool discover_body(struct skr_response *a)
{
    if (a->body_step++ == 0) {
        skri_push_text(a, "\"supportedVersions\":");
        skri_push_text(a, skri_versions_json);
        skri_push_text(a, ",\"capabilities\":{");
        push_capabilities(a);
        return true;
    }
    push_skill_capabilities(a);
    skri_push_text(a, "}");
    push_instructions(a);
    return false;
}

void skri_discover(struct skr_call *call)
{
    (void)SKRI_MAKE(call->answer, server);
    if (SKR_OLDER) {
        call->answer->envelope.titled = true; /* other results have the name and the version alone */
    }
    skri_response_result(call->answer, discover_body);
}

/* ---- ping, logging ---- */

void skri_ping(struct skr_call *call)
{
    skri_response_result(call->answer, NULL);
}

#if SKR_EXTRAS

void skri_set_level(struct skr_call *call)
{
    struct skr_span level;
    if (!skri_rpc_param(call, SKR_PARAM_LEVEL, true, &level)) {
        return;
    }
    if (!skri_log_level(level, &call->legacy->log_level)) {
        skri_rpc_error(call, SKR_BAD_LEVEL, level);
        return;
    }
    skri_response_result(call->answer, NULL);
}

#endif
