/* slots.c -- see slots.h. */
#include "slots.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "answer/request.h"
#include "map.h"
#include "say.h"

struct skr_slot *skr_slots_of_jobs;
uint32_t skr_slots_answer_ms = SKR_FLEET_ANSWER_MS;
static char *texts;

bool skr_slots_open(void)
{
    size_t slots = SKR_JOBS * sizeof *skr_slots_of_jobs, room = (size_t)SKR_JOBS * SKR_FLEET_RESULT;
    void *p = skr_map(slots + room);
    if (p == NULL) {
        skr_say("no memory for results: %s", strerror(errno));
        return false;
    }
    skr_slots_of_jobs = p;
    texts = (char *)p + slots;
    return true;
}

static size_t number(const struct skr_call *call)
{
    return (size_t)(call->job - call->srv->jobs);
}

struct skr_slot *skr_slot_of(const struct skr_call *call)
{
    return &skr_slots_of_jobs[number(call)];
}

struct skr_slot *skr_slot_begin(struct skr_call *call)
{
    struct skr_slot *s = skr_slot_of(call);
    s->kind = SKR_SLOT_HANDLED;
    s->modern = call->modern;
    s->srv = call->srv;
    s->job = call->job;
    s->text = (struct skr_text){texts + number(call) * SKR_FLEET_RESULT, 0, SKR_FLEET_RESULT, false};
    s->whom = skr_rights_of(call->conn);
    s->since_ms = skr_clock_ms();
    s->count = s->begun = s->done = s->under_way = s->left_out = 0;
    s->answered = s->has_digest = s->directory = s->offered = s->asks = s->asked = s->reads = false;
    s->offers_n = 0;
    s->latest = SKR_NO_DEVICE;
    s->latest_how = "";
    s->wrong = NULL;
    s->media = (struct skr_span){NULL, 0};
    s->tries = 0;
    return s;
}

int skr_slot_structured(struct skr_call *call, struct skr_slot *s)
{
    if (s->text.over) {
        return skr_fail(call, "the result has more bytes than SKR_FLEET_RESULT; ask for less");
    }
    skr_begin_structured(call);
    skr_put_static(call, (struct skr_span){s->text.p, s->text.n});
    return 0;
}
