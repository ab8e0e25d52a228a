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
        bool content = (notified & SKR_CHANGES_CONTENT) != 0;
        bool list = (notified & SKR_CHANGES_RESOURCES) != 0;
        push_member(a, &first,
                    content && list ? "\"resources\":{\"subscribe\":true,\"listChanged\":true}"
                    : list          ? "\"resources\":{\"listChanged\":true}"
                    : content       ? "\"resources\":{\"subscribe\":true}"
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

#define EXTENSIONS ",\"extensions\":{"
static const char skills_extension[] = EXTENSIONS "\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}";

/* `member` begins with a comma, which the first one does without. */
static void push_extension(struct skr_response *a, bool *any, const char *member)
{
    if (!*any) {
        skri_push_bytes(a, SKR_RAW, skills_extension, sizeof EXTENSIONS - 1);
    }
    skri_push_text(a, member + 1 - *any);
    *any = true;
}

/* The extensions, after the resources that they come with (SK-X-14). */
static void push_extensions(struct skr_response *a)
{
    bool has_skills = skri_offers(a->fs, a->device, SKR_SKILLS), has_panel = skri_has_panel(a->fs), any = has_skills;

    if (has_skills) {
        skri_push_text(a, skills_extension);
    }
    if (SKR_TASKS && a->envelope.modern && skri_offers(a->fs, a->device, SKR_HAS_TASKS)) {
        push_extension(a, &any, ",\"io.modelcontextprotocol/tasks\":{}");
    }
    if (has_panel) {
        push_extension(a, &any, ",\"io.modelcontextprotocol/ui\":{}");
    }
    if (SKR_EVENTS && a->envelope.modern && skri_offers(a->fs, a->device, SKR_HAS_EVENTS)) {
        push_extension(a, &any, ",\"io.modelcontextprotocol/events\":{}");
    }
    if (any) {
        skri_push_text(a, "}");
    }
    if (SKR_DIALECTS && has_skills) { /* some SDKs drop members that they do not know (SK-B-12) */
        skri_push_text(a, ",\"experimental\"");
        skri_push_text(a, skills_extension + (sizeof ",\"extensions\"" - 1)); /* the same object */
        bool scripts = skri_offers(a->fs, a->device, SKR_SCRIPTS);
        skri_push_text(a, skri_can_change(a) && !SKRI_AS(a, server)->forgets ? "},\"skills\":{\"listChanged\":true"
                                                                             : "},\"skills\":{\"listChanged\":false");
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
    push_extensions(a);
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
    call->legacy->version = call->response->envelope.version = version;
    call->legacy->log_level = SKR_LEVEL_WARNING;
#if SKR_INTERACTIVE
    call->legacy->capabilities =
        skri_client_request_capabilities(&call->json, skr_json_get(&call->json, call->params, "capabilities"), version);
#endif
    if (SKR_CHANGES) {
        skri_notify_promise(call);
    }
    SKRI_MAKE(call->response, server)->version = skri_version_text(version);
    if (SKR_HTTP) {
        SKRI_AS(call->response, server)->forgets = skri_is_forgotten(call);
    }
    if (SKR_TASKS) {
        SKRI_AS(call->response, server)->tasks = version == SKR_V_2025_11_25 && !skri_is_forgotten(call);
    }
    skri_response_result(call->response, initialize_body);
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
    push_extensions(a);
    skri_push_text(a, "}");
    push_instructions(a);
    return false;
}

void skri_discover(struct skr_call *call)
{
    (void)SKRI_MAKE(call->response, server);
    if (SKR_OLDER) {
        call->response->envelope.titled = true; /* other results have the name and the version alone */
    }
    skri_response_result(call->response, discover_body);
}

/* ---- ping, logging ---- */

void skri_ping(struct skr_call *call)
{
    skri_response_result(call->response, NULL);
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
    skri_response_result(call->response, NULL);
}

#endif
