/* backend.c -- see backend.h. It is the backend of a device, except for the methods of skills, and for responses that a job slot
 * contains. */
#include "backend.h"

#include "../bridge/client_requests.h"
#include "console.h"
#include "handler/client_request.h"
#include "handler/tool_call.h"
#include "image.h"
#include "job_slots.h"
#include "mcp/method.h"
#include "random.h"
#include "response/backend.h"
#include "skill_files.h"
#include "store/store.h"
#include "subscription/notify.h"
#define SKR_TOOLS_TABLE
#include "tools.h"

struct skr_server fleet_server;

/* ---- Methods ---- */

/* Methods with handlers of the fleet. */
static const struct {
    const char *name;
    void (*handle)(struct skr_call *call);
} methods[] = {
    {"resources/read", fleet_skills_read}, {"resources/directory/read", fleet_skills_directory},
    {"resources/list", fleet_skills_list}, {"skills/list", fleet_skills_list},
    {"skills/get", fleet_skills_get},
};
#define METHODS (sizeof methods / sizeof methods[0])

static struct skr_method rows[METHODS]; /* the core's, with these handlers */

static void make_rows(void)
{
    for (size_t i = 0; i < METHODS; i++) {
        rows[i] = *skri_method_named(skr_span_of(methods[i].name));
        rows[i].handle = methods[i].handle;
    }
}

static const struct skr_method *find_method(const struct skr_call *call)
{
    for (size_t i = 0; i < METHODS; i++) {
        if (skr_json_equals_span(&call->json, call->method, rows[i].name)) {
            return &rows[i];
        }
    }
    return skri_method_find(call);
}

/* ---- Responses ---- */

static bool render_slot(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->outcome.text);
    return false;
}

/* A slot may have the members of the result; any other response is as in a device. */
static void result_respond(struct skr_response *a, const struct skr_tool_call *tool_call, struct skr_output *out)
{
    const struct fleet_slot *s = fleet_slot_with_result(&fleet_server, tool_call);

    if (s == NULL || out->code != 0 || out->failed) {
        skri_tool_call_respond(a, tool_call, out);
        return;
    }
    a->outcome.text = (struct skr_span){s->text.p, s->text.n};
    a->envelope.live = true;
    a->envelope.cached = a->envelope.modern && fleet_skills_is_read(tool_call->tool);
    a->envelope.result = s->input_required ? SKR_INPUT_REQUIRED : SKR_COMPLETE;
    skri_response_result(a, render_slot);
}

/* ---- The server ---- */

void fleet_backend_turn(void)
{
    static uint32_t notified;

    if (notified != fleet_builds.changes) {
        notified = fleet_builds.changes;
        skr_server_notify(&fleet_server, SKR_CHANGES_RESOURCES);
    }
}

bool fleet_backend_open(void)
{
    static struct skr_tool tools[SKR_TOOL_COUNT];
    static struct skr_device device = {.tools = tools, .tool_count = SKR_TOOL_COUNT, .changes = SKR_CHANGES_RESOURCES};
    static struct skr_backend backend;
    uint8_t seed[16];

    for (size_t i = 0; i < SKR_TOOL_COUNT; i++) {
        tools[i] = skr_tools[i];
        tools[i].deadline_ms = SKR_JOB_DEADLINE_MAX_MS; /* devices have their own deadlines */
        tools[i].read_only = true;                      /* rights.c decides, by the tool of the device */
    }
    int error = skr_server_init(&fleet_server, &device, skills_image, skills_image_size);
    if (error != 0 || !host_random(seed, sizeof seed)) {
        host_log("%s", error != 0 ? skr_server_reason(error) : "the system has no random bytes");
        return false;
    }
    skr_server_seed(&fleet_server, seed);
    make_rows();
    backend = *fleet_server.backend;
    backend.method = find_method;
    backend.make_response = result_respond;
    backend.requests = &bridge_client_requests;
    fleet_server.backend = &backend;
    return fleet_slots_open();
}
