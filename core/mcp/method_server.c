/* method_server.c -- who the server is: initialize, server/discover, ping, logging. */
#include "answer/level.h"
#include "mcp/method.h"
#include "run/ask.h"
#include "run/job.h"
#include "news/notify.h"
#include "answer/version.h"

/* ---- Capabilities, alike in both eras but for what only one of them has ---- */

static void push_member(struct skr_answer *a, bool *first, const char *member)
{
    if (!*first) {
        skr_push_text(a, ",");
    }
    skr_push_text(a, member);
    *first = false;
}

static void push_capabilities(struct skr_answer *a)
{
    bool first = true, changes = skr_can_change(a);
    unsigned told = changes ? ~0u : SKR_SWAP ? a->device->changes : 0; /* enum skr_changes */
    if (skr_offers(a->fs, a->device, SKR_RESOURCES)) {
        /* A fixed image never changes, so a subscription is kept by sending nothing. */
        bool watch = (SKR_SUBSCRIBE && !a->modern) || (told & SKR_CHANGES_CONTENT) != 0;
        bool list = (told & SKR_CHANGES_RESOURCES) != 0;
        push_member(a, &first,
                    watch && list ? "\"resources\":{\"subscribe\":true,\"listChanged\":true}"
                    : list        ? "\"resources\":{\"listChanged\":true}"
                    : watch       ? "\"resources\":{\"subscribe\":true}"
                                  : "\"resources\":{}");
    }
    if (skr_offers(a->fs, a->device, SKR_TOOLS)) {
        push_member(a, &first, (told & SKR_CHANGES_TOOLS) != 0 ? "\"tools\":{\"listChanged\":true}" : "\"tools\":{}");
    }
    if (skr_offers(a->fs, a->device, SKR_HAS_PROMPTS)) {
        push_member(a, &first,
                    (told & SKR_CHANGES_PROMPTS) != 0 ? "\"prompts\":{\"listChanged\":true}" : "\"prompts\":{}");
    }
    if (skr_offers(a->fs, a->device, SKR_COMPLETIONS) && a->version != SKR_V_2024_11_05) {
        push_member(a, &first, "\"completions\":{}");
    }
#if SKR_TASKS
    if (!a->modern && a->task_support && skr_offers(a->fs, a->device, SKR_HAS_TASKS)) {
        push_member(a, &first, "\"tasks\":{\"list\":{},\"cancel\":{},\"requests\":{\"tools\":{\"call\":{}}}}");
    }
#endif
    if (SKR_LOGGING && (!a->modern || (SKR_NOTES && a->device->logs))) {
        push_member(a, &first, "\"logging\":{}");
    }
}

#define TASKS "\"io.modelcontextprotocol/tasks\":{}"

#if SKR_DIRECTORY_READ
#define DIRECTORY_READ "\"directoryRead\":true"
#else
#define DIRECTORY_READ "" /* which means false (SK-A-02) */
#endif

/* What is said of skills, behind the resources that they come with (SK-X-14). */
static void push_skill_capabilities(struct skr_answer *a)
{
    static const char extension[] = "{\"io.modelcontextprotocol/skills\":{" DIRECTORY_READ "}}";
    bool tasks = SKR_TASKS && a->modern && skr_offers(a->fs, a->device, SKR_HAS_TASKS);
    if (!skr_offers(a->fs, a->device, SKR_SKILLS)) {
        if (tasks) {
            skr_push_text(a, ",\"extensions\":{" TASKS "}");
        }
        return;
    }
    skr_push_text(a, ",\"extensions\":");
    if (tasks) {
        skr_push(a, SKR_RAW, (struct skr_span){extension, sizeof extension - 2});
        skr_push_text(a, "," TASKS "}");
    } else {
        skr_push_text(a, extension);
    }
    if (SKR_DIALECT_B) { /* some SDKs drop members that they do not know (SK-B-12) */
        skr_push_text(a, ",\"experimental\":");
        skr_push_text(a, extension);
    }
    if (SKR_DIALECT_D || SKR_DIALECT_E || SKR_DIALECT_F) {
        bool scripts = SKR_DIALECT_F && skr_offers(a->fs, a->device, SKR_SCRIPTS);
        skr_push_text(a,
                      skr_can_change(a) ? ",\"skills\":{\"listChanged\":true" : ",\"skills\":{\"listChanged\":false");
        skr_push_text(a, !SKR_DIALECT_F ? "}" : scripts ? ",\"scripts\":true}" : ",\"scripts\":false}");
    }
}

static void push_instructions(struct skr_answer *a)
{
    if (a->fs->header->instructions.len > 0) {
        skr_push_text(a, ",\"instructions\":");
        skr_push_rom(a, a->fs->header->instructions);
    }
}

/* ---- initialize ---- */

static bool initialize_body(struct skr_answer *a)
{
    if (a->body_step++ == 0) {
        skr_push_text(a, "\"protocolVersion\":\"");
        skr_push_text(a, a->as.initialize.version);
        skr_push_text(a, "\",\"capabilities\":{");
        push_capabilities(a);
        return true;
    }
    push_skill_capabilities(a);
    skr_push_text(a, "},\"serverInfo\":");
    skr_push_rom(a, a->fs->header->server_info);
    push_instructions(a);
    return false;
}

void skr_initialize(struct skr_call *call)
{
    struct skr_span asked;
    static const char *const objects[] = {"capabilities", "clientInfo"};
    if (!skr_rpc_string(call, "protocolVersion", true, &asked)) {
        return;
    }
    for (unsigned i = 0; i < 2; i++) { /* VER-01 */
        if (!skr_json_is_object(&call->json, skr_json_get(&call->json, call->params, objects[i]))) {
            skr_rpc_error(call, SKR_NOT_OBJECT, skr_span_of(objects[i]));
            return;
        }
    }
    uint8_t version = skr_version_find(asked);
    if (version == SKR_V_NONE || version > SKR_NEWEST_LEGACY) { /* VER-02, VER-03 */
        version = SKR_NEWEST_LEGACY;
    }
#if SKR_JOBS
    if (call->conn->wire == SKR_LINE) { /* over HTTP it begins a session */
        skr_job_restart(call->conn);
    }
#endif
    call->legacy->version = call->answer->version = version;
    call->legacy->log_level = SKR_LEVEL_WARNING;
#if SKR_ASK
    call->legacy->can =
        skr_ask_capabilities(&call->json, skr_json_get(&call->json, call->params, "capabilities"), version);
#endif
#if SKR_SWAP
    skr_notify_promise(call);
#endif
    call->answer->as.initialize.version = skr_version_text(version);
    call->answer->of.server = call->srv;
#if SKR_TASKS
    call->answer->task_support = version == SKR_V_2025_11_25;
#endif
    skr_rpc_result(call, initialize_body);
}

/* ---- server/discover ---- */

static bool discover_body(struct skr_answer *a)
{
    if (a->body_step++ == 0) {
        skr_push_text(a, "\"supportedVersions\":");
        skr_push_text(a, skr_versions_json);
        skr_push_text(a, ",\"capabilities\":{");
        push_capabilities(a);
        return true;
    }
    push_skill_capabilities(a);
    skr_push_text(a, "}");
    push_instructions(a);
    if (!SKR_RESULT_INFO) { /* here the name is wanted even when other results go without */
        skr_push_text(a, ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
        skr_push_rom(a, a->fs->header->server_info);
        skr_push_text(a, "}");
    }
    return false;
}

void skr_discover(struct skr_call *call)
{
    call->answer->of.server = call->srv;
    skr_rpc_result(call, discover_body);
}

/* ---- ping, logging ---- */

void skr_ping(struct skr_call *call)
{
    skr_rpc_result(call, NULL);
}

#if SKR_LOGGING

void skr_set_level(struct skr_call *call)
{
    struct skr_span level;
    if (!skr_rpc_string(call, "level", true, &level)) {
        return;
    }
    if (!skr_log_level(level, &call->legacy->log_level)) {
        skr_rpc_error(call, SKR_BAD_LEVEL, level);
        return;
    }
    skr_rpc_result(call, NULL);
}

#endif
