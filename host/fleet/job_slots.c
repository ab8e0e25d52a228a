/* job_slots.c -- see job_slots.h. */
#include "job_slots.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "console.h"
#include "memory.h"
#include "response/request.h"

uint32_t fleet_response_ms = FLEET_RESPONSE_MS;
static struct fleet_slot *slots;
static char *texts;

bool fleet_slots_open(void)
{
    size_t n = SKR_JOBS * sizeof *slots, room = (size_t)SKR_JOBS * FLEET_RESULT;
    void *p = fleet_memory(n + room);

    if (p == NULL) {
        host_log("no memory for results: %s", strerror(errno));
        return false;
    }
    slots = p;
    texts = (char *)p + n;
    return true;
}

struct fleet_slot *fleet_slot_of(const struct skr_call *call)
{
    return &slots[call->job - call->srv->jobs];
}

struct fleet_slot *fleet_slot_begin(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_of(call);

    s->kind = FLEET_SLOT_HANDLER;
    s->modern = call->modern;
    s->srv = call->srv;
    s->job = call->job;
    s->text = (struct fleet_json){texts + (size_t)(s - slots) * FLEET_RESULT, 0, FLEET_RESULT, false};
    s->client = fleet_rights_of(call->conn);
    s->since_ms = host_clock_ms();
    s->count = s->begun = s->done = s->pending = s->left_out = 0;
    s->responded = s->has_digest = s->directory = s->offered = s->awaits_client = s->input_required = s->reads = false;
    s->capabilities_n = 0;
    s->latest = FLEET_NO_DEVICE;
    s->latest_outcome = "";
    s->failure = NULL;
    s->media = (struct skr_span){NULL, 0};
    s->tries = 0;
    return s;
}

/* The tool call of a job is a member of the job, in the server's array. */
const struct fleet_slot *fleet_slot_with_result(const struct skr_server *server, const struct skr_tool_call *tool_call)
{
    uintptr_t at = (uintptr_t)tool_call - (uintptr_t)server->jobs;
    const struct fleet_slot *s = at < sizeof server->jobs ? &slots[at / sizeof *server->jobs] : NULL;

    return s != NULL && s->kind == FLEET_SLOT_RESULT ? s : NULL;
}

int fleet_slot_structured(struct skr_call *call, struct fleet_slot *s)
{
    if (s->text.over) {
        return skr_fail(call, "the result has more bytes than FLEET_RESULT; ask for less");
    }
    skr_begin_structured(call);
    skr_put_static(call, (struct skr_span){s->text.p, s->text.n});
    return 0;
}
