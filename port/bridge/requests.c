/* requests.c -- slots for requests, and the core's jobs for them. See requests.h. */
#include "requests.h"

#include <stdio.h>

struct skr_server skr_bridge_server;
struct skr_request skr_requests[SKR_BRIDGE_REQUESTS];

/* One for each request: the core identifies a job by its tool. */
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

void skr_request_end(struct skr_request *q, int code, int n)
{
    q->value = q->small;
    q->value_n = (size_t)n;
    q->failed = true;
    q->code = code;
    q->state = SKR_REQUEST_DONE;
}

void skr_request_refuse(struct skr_request *q, int code, const char *why, struct skr_span what)
{
    int n = snprintf(q->small, sizeof q->small, "{\"code\":%d,\"message\":\"%s%.*s\"}", code, why,
                     (int)(what.n < SKR_BRIDGE_QUOTED ? what.n : 0), what.p);
    skr_request_end(q, code, n);
}

/* ---- Large answers ---- */

void skr_relay_take_place(struct skr_relay *r)
{
    r->way->in = NULL;
    for (unsigned i = 0; i < SKR_BRIDGE_LARGES; i++) {
        if (!r->large_used[i]) {
            r->way->in = r->larges[i];
            r->way->in_size = SKR_BRIDGE_LARGE;
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
        if (r->way->in == NULL) {
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

/* ---- Jobs ---- */

struct skr_job *skr_request_job(const struct skr_request *q)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        if (skr_bridge_server.jobs[i].run.tool == skr_request_place(q)) {
            return &skr_bridge_server.jobs[i];
        }
    }
    return NULL;
}

void skr_requests_tidy(void)
{
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        if (q->state == SKR_REQUEST_DONE && skr_request_job(q) == NULL) {
            skr_request_release(q);
        }
    }
}

struct skr_request *skr_requests_spare(void)
{
    skr_requests_tidy();
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        if (q->state == SKR_REQUEST_FREE && skr_request_job(q) == NULL) {
            return q;
        }
    }
    return NULL;
}

void skr_relay_has_read(struct skr_relay *r, uint32_t line)
{
    r->read = (int32_t)(line - r->read) > 0 ? line : r->read;
}
