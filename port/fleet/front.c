/* front.c -- see front.h. The backend is the device's, but for the methods that concern skills, and for answers that are a
 * device's own. */
#include "front.h"

#include "../bridge/questions.h"
#include "answer/backend.h"
#include "changes.h"
#include "image.h"
#include "mcp/method.h"
#include "news/notify.h"
#include "random.h"
#include "run/ask.h"
#include "run/run.h"
#include "say.h"
#include "skills.h"
#include "slots.h"
#include "store/store.h"
#define SKR_TOOLS_TABLE
#include "tools.h"

struct skr_server skr_fleet_server;

/* ---- Methods ---- */

/* Methods that the fleet answers in its own way. */
static const struct {
    const char *name;
    void (*handle)(struct skr_call *call);
} own[] = {
    {"resources/read", skr_skills_read}, {"resources/directory/read", skr_skills_directory},
    {"resources/list", skr_skills_list}, {"skills/list", skr_skills_list},
    {"skills/get", skr_skills_get},
};
#define OWN_COUNT (sizeof own / sizeof own[0])

static struct skr_method rows[OWN_COUNT]; /* the core's, each with its own handler */

static void make_rows(void)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        rows[i] = *skri_method_named(skri_span_of(own[i].name));
        rows[i].handle = own[i].handle;
    }
}

static const struct skr_method *find_method(const struct skr_call *call)
{
    for (size_t i = 0; i < OWN_COUNT; i++) {
        if (skri_json_equals_span(&call->json, call->method, rows[i].name)) {
            return &rows[i];
        }
    }
    return skri_method_find(call);
}

/* ---- Answers ---- */

static bool slot_body(struct skr_answer *a)
{
    skri_push(a, SKR_RAW, a->output);
    return false;
}

/* The slot has the members of the result; everything else is as in a device. */
static void answer(struct skr_answer *a, const struct skr_run *run, struct skr_output *out)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        const struct skr_slot *s = &skr_slots_of_jobs[i];
        if (run == &skr_fleet_server.jobs[i].run && s->kind == SKR_SLOT_RESULT && out->code == 0 && !out->failed) {
            a->output = (struct skr_span){s->text.p, s->text.n};
            a->live = true;
            a->cached = a->modern && skr_skills_is_read(run->tool);
            a->result = s->asked ? SKR_INPUT_REQUIRED : SKR_COMPLETE;
            skri_answer_result(a, slot_body);
            return;
        }
    }
    skri_run_answer(a, run, out);
}

/* ---- The server ---- */

void skr_fleet_front_turn(void)
{
    static uint32_t told;
    if (told != skr_changes_of_lists) {
        told = skr_changes_of_lists;
        skr_server_notify(&skr_fleet_server, SKR_CHANGES_RESOURCES);
    }
}

bool skr_fleet_front_open(void)
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
    int error = skr_server_init(&skr_fleet_server, &device, skills_image, skills_image_size);
    if (error != 0 || !skr_random(seed, sizeof seed)) {
        skr_say("%s", error != 0 ? skr_server_reason(error) : "the system has no random bytes");
        return false;
    }
    skr_server_seed(&skr_fleet_server, seed);
    make_rows();
    backend = *skr_fleet_server.backend;
    backend.method = find_method;
    backend.answer = answer;
    backend.asking = &skr_questions;
    skr_fleet_server.backend = &backend;
    return skr_slots_open();
}
