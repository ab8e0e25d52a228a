/* requests.c -- the places for requests, and the runs of the core that they are. See requests.h. */
#include "requests.h"

struct skr_server skr_bridge_server;
struct skr_request skr_requests[SKR_BRIDGE_REQUESTS];

/* One for each request: the core knows a run by its tool. */
static struct skr_tool places[SKR_BRIDGE_REQUESTS];

void skr_requests_init(int (*run)(struct skr_call *call))
{
    for (size_t i = 0; i < SKR_BRIDGE_REQUESTS; i++) {
        places[i] = (struct skr_tool){.name = "device", .run = run, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS};
    }
}

struct skr_request *skr_request_of(const struct skr_tool *place)
{
    return &skr_requests[place - places];
}

const struct skr_tool *skr_request_place(const struct skr_request *q)
{
    return &places[q - skr_requests];
}

/* ---- Answers that are large ---- */

void skr_relay_take_place(struct skr_relay *r)
{
    r->cable.in = NULL;
    for (unsigned i = 0; i < SKR_BRIDGE_LARGES; i++) {
        if (!r->large_used[i]) {
            r->cable.in = r->larges[i];
            r->cable.in_size = SKR_BRIDGE_LARGE;
            return;
        }
    }
}

void skr_request_give_back(struct skr_request *q)
{
    struct skr_relay *r = q->relay;
    if (q->large >= 0) {
        r->large_used[q->large] = false;
        q->large = -1;
        if (r->cable.in == NULL) {
            skr_relay_take_place(r);
        }
    }
}

void skr_request_release(struct skr_request *q)
{
    skr_request_give_back(q);
    q->state = SKR_REQUEST_FREE;
    q->relay = NULL;
}

/* ---- Runs ---- */

static struct skr_job *job_at(const struct skr_tool *place)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        if (skr_bridge_server.jobs[i].run.tool == place) {
            return &skr_bridge_server.jobs[i];
        }
    }
    return NULL;
}

static bool is_used(const struct skr_tool *place)
{
    return job_at(place) != NULL;
}

struct skr_job *skr_request_job(const struct skr_request *q)
{
    return job_at(&places[q - skr_requests]);
}

void skr_requests_tidy(void)
{
    for (size_t i = 0; i < SKR_BRIDGE_REQUESTS; i++) {
        if (skr_requests[i].state == SKR_REQUEST_DONE && !is_used(&places[i])) {
            skr_request_release(&skr_requests[i]);
        }
    }
}

struct skr_request *skr_requests_spare(void)
{
    skr_requests_tidy();
    for (size_t i = 0; i < SKR_BRIDGE_REQUESTS; i++) {
        if (skr_requests[i].state == SKR_REQUEST_FREE && !is_used(&places[i])) {
            return &skr_requests[i];
        }
    }
    return NULL;
}

void skr_relay_has_read(struct skr_relay *r, uint32_t line)
{
    r->read = (int32_t)(line - r->read) > 0 ? line : r->read;
}
