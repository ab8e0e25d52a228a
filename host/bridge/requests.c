/* requests.c -- slots for requests, and the core's jobs for them. See requests.h. */
#include "requests.h"

#include <stdio.h>

struct skr_server bridge_server;
struct bridge_request bridge_requests[BRIDGE_REQUESTS];

/* One for each request: the core identifies a job by its tool. */
static struct skr_tool tools[BRIDGE_REQUESTS];

void bridge_requests_init(int (*run)(struct skr_call *call))
{
    for (size_t i = 0; i < BRIDGE_REQUESTS; i++) {
        tools[i] = (struct skr_tool){.name = "device", .run = run, .deadline_ms = SKR_JOB_DEADLINE_MAX_MS};
    }
}

struct bridge_request *bridge_request_of(const struct skr_tool *tool)
{
    return &bridge_requests[tool - tools];
}

const struct skr_tool *bridge_request_tool(const struct bridge_request *q)
{
    return &tools[q - bridge_requests];
}

void bridge_request_end(struct bridge_request *q, int code, int n)
{
    q->value = q->small;
    q->value_n = (size_t)n;
    q->failed = true;
    q->code = code;
    q->state = BRIDGE_REQUEST_DONE;
}

void bridge_request_refuse(struct bridge_request *q, int code, const char *why, struct skr_span what)
{
    int n = snprintf(q->small, sizeof q->small, "{\"code\":%d,\"message\":\"%s%.*s\"}", code, why,
                     (int)(what.n < BRIDGE_QUOTED ? what.n : 0), what.p);

    bridge_request_end(q, code, n);
}

/* ---- Large responses ---- */

void bridge_relay_take_buffer(struct bridge_relay *r)
{
    r->transport->in = NULL;
    for (unsigned i = 0; i < BRIDGE_LARGES; i++) {
        if (!r->large_used[i]) {
            r->transport->in = r->larges[i];
            r->transport->in_size = TRANSPORT_LARGE;
            return;
        }
    }
}

void bridge_request_give_back(struct bridge_request *q)
{
    struct bridge_relay *r = q->relay;

    if (q->large >= 0) {
        r->large_used[q->large] = false;
        q->large = -1;
        if (r->transport->in == NULL) {
            bridge_relay_take_buffer(r);
        }
    }
}

void bridge_request_release(struct bridge_request *q)
{
    bridge_request_give_back(q);
    q->state = BRIDGE_REQUEST_FREE;
    q->relay = NULL;
}

/* ---- Jobs ---- */

struct skr_job *bridge_request_job(const struct bridge_request *q)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
        if (bridge_server.jobs[i].call.tool == bridge_request_tool(q)) {
            return &bridge_server.jobs[i];
        }
    }
    return NULL;
}

void bridge_requests_tidy(void)
{
    for (struct bridge_request *q = bridge_requests; q < bridge_requests + BRIDGE_REQUESTS; q++) {
        if (q->state == BRIDGE_REQUEST_DONE && bridge_request_job(q) == NULL) {
            bridge_request_release(q);
        }
    }
}

struct bridge_request *bridge_requests_spare(void)
{
    bridge_requests_tidy();
    for (struct bridge_request *q = bridge_requests; q < bridge_requests + BRIDGE_REQUESTS; q++) {
        if (q->state == BRIDGE_REQUEST_FREE && bridge_request_job(q) == NULL) {
            return q;
        }
    }
    return NULL;
}

void bridge_relay_has_read(struct bridge_relay *r, uint32_t line)
{
    r->read = (int32_t)(line - r->read) > 0 ? line : r->read;
}
