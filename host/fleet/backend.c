/* front.c -- see front.h. The backend is the device's, but for the methods that concern skills, and for answers that are a
 * device's own. */
#include "backend.h"

#include "../bridge/client_requests.h"
#include "response/backend.h"
#include "changes.h"
#include "image.h"
#include "mcp/method.h"
#include "subscription/notify.h"
#include "random.h"
#include "handler/client_request.h"
#include "handler/tool_call.h"
#include "console.h"
#include "skills.h"
#include "job_slots.h"
#include "store/store.h"
#define SKR_TOOLS_TABLE
#include "tools.h"

struct skr_server fleet_server;

/* ---- Methods ---- */

/* Methods that the fleet answers in its own way. */
static const struct {
    const char *name;
    void (*handle)(struct skr_call *call);
} own[] = {
    {"resources/read", fleet_skills_read}, {"resources/directory/read", fleet_skills_directory},
    {"resources/list", fleet_skills_list}, {"skills/list", fleet_skills_list},
    {"skills/get", fleet_skills_get},
};
#define OWN_COUNT (sizeof own / sizeof own[0])

static struct skr_method rows[OWN_COUNT]; /* the core's, each with its own handler */

static void make_rows(void)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        rows[i] = *skri_method_named(skr_span_of(own[i].name));
        rows[i].handle = own[i].handle;
    }
}

static const struct skr_method *find_method(const struct skr_call *call)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        if (skr_json_equals_span(&call->json, call->method, rows[i].name)) {
            return &rows[i];
        }
    }
    return skri_method_find(call);
}

/* ---- Answers ---- */

static bool slot_body(struct skr_response *a)
{
    skri_push(a, SKR_RAW, a->output);
    return false;
}

/* The slot has the members of the result; everything else is as in a device. */
static void answer(struct skr_response *a, const struct skr_tool_call *run, struct skr_output *out)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        const struct fleet_slot *s = &fleet_slots_of_jobs[i];
        if (run == &fleet_server.jobs[i].call && s->kind == FLEET_SLOT_RESULT && out->code == 0 && !out->failed) {
            a->output = (struct skr_span){s->text.p, s->text.n};
            a->live = true;
            a->cached = a->modern && fleet_skills_is_read(run->tool);
            a->result = s->asked ? SKR_INPUT_REQUIRED : SKR_COMPLETE;
            skri_response_result(a, slot_body);
            return;
        }
    }
    skri_tool_call_respond(a, run, out);
}

/* ---- The server ---- */

void fleet_backend_turn(void)
{
    static uint32_t told;
    if (told != fleet_list_changes) {
        told = fleet_list_changes;
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
        tools[i].deadline_ms = SKR_JOB_DEADLINE_MAX_MS; /* devices have deadlines of their own */
        tools[i].read_only = true;                      /* whether a call only looks depends on the device's tool */
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
    backend.answer = answer;
    backend.requests = &bridge_client_requests;
    fleet_server.backend = &backend;
    return fleet_slots_open();
}
