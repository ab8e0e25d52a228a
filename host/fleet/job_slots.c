/* slots.c -- see slots.h. */
#include "job_slots.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "response/request.h"
#include "memory.h"
#include "console.h"

struct fleet_slot *fleet_slots_of_jobs;
uint32_t fleet_slots_response_ms = FLEET_RESPONSE_MS;
static char *texts;

bool fleet_slots_open(void)
{
    size_t slots = SKR_JOBS * sizeof *fleet_slots_of_jobs, room = (size_t)SKR_JOBS * FLEET_RESULT;
    void *p = fleet_memory(slots + room);
    if (p == NULL) {
        host_log("no memory for results: %s", strerror(errno));
        return false;
    }
    fleet_slots_of_jobs = p;
    texts = (char *)p + slots;
    return true;
}

static size_t number(const struct skr_call *call)
{
    return (size_t)(call->job - call->srv->jobs);
}

struct fleet_slot *fleet_slot_of(const struct skr_call *call)
{
    return &fleet_slots_of_jobs[number(call)];
}

struct fleet_slot *fleet_slot_begin(struct skr_call *call)
{
    struct fleet_slot *s = fleet_slot_of(call);
    s->kind = FLEET_SLOT_HANDLED;
    s->modern = call->modern;
    s->srv = call->srv;
    s->job = call->job;
    s->text = (struct fleet_json){texts + number(call) * FLEET_RESULT, 0, FLEET_RESULT, false};
    s->whom = fleet_rights_of(call->conn);
    s->since_ms = host_clock_ms();
    s->count = s->begun = s->done = s->under_way = s->left_out = 0;
    s->answered = s->has_digest = s->directory = s->offered = s->asks = s->asked = s->reads = false;
    s->offers_n = 0;
    s->latest = FLEET_NO_DEVICE;
    s->latest_how = "";
    s->wrong = NULL;
    s->media = (struct skr_span){NULL, 0};
    s->tries = 0;
    return s;
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
