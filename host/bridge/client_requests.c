/* client_requests.c -- see client_requests.h. A job of the bridge holds the client requests of a device.
 *
 * They go only to clients of the initialize era, as requests; other clients get them as a result, which is passed on like any
 * other. The `key` is the index in `client_requests` of its struct bridge_request, and the text follows the id in a request. */
#include "client_requests.h"

#include <stdio.h>
#include <string.h>

#include "handler/job_state.h"

static bool requests_begin(struct skr_call *call, struct skr_job *job)
{
    (void)job;
    call->replies = call->reply = -1;
    return true; /* the device checks the state that a client sends back */
}

static void requests_before(struct skr_job *job)
{
    (void)job;
}

/* The texts stay until all have responses and none is being sent. */
static void make_room(struct skr_job *job)
{
    if (job->requests.count == 0 && !skri_job_is_leaving(job)) {
        job->requests.bytes = 0;
    }
}

static void requests_after(struct skr_call *call, struct skr_job *job, bool pending)
{
    unsigned left = 0;

    (void)call;
    for (unsigned i = 0; pending && i < job->requests.count; i++) {
        if (!job->requests.list[i].replied) {
            job->requests.list[left++] = job->requests.list[i];
        }
    }
    job->requests.count = (uint8_t)left;
    make_room(job);
}

static void requests_sent(const struct skr_server *s, struct skr_job *job)
{
    (void)s;
    make_room(job);
}

static void give_result(struct skr_server *s, struct skr_response *a, struct skr_job *job)
{
    (void)s;
    (void)a;
    (void)job;
}

static struct skr_client_request *next_unsent(struct skr_job *job)
{
    for (unsigned i = 0; i < job->requests.count; i++) {
        if (!job->requests.list[i].sent) {
            return &job->requests.list[i];
        }
    }
    return NULL;
}

static struct skr_span request_of(const struct skr_server *s, const struct skr_job *job,
                                  const struct skr_client_request *request)
{
    return (struct skr_span){s->job_output[job - s->jobs] + request->at, request->n};
}

const struct skr_client_request_ops bridge_client_requests = {
    requests_begin, requests_before, requests_after, requests_sent, give_result, next_unsent, request_of};

/* ---- Adding ---- */

struct bridge_text_room bridge_client_requests_room(const struct skr_server *s, const struct skr_job *job)
{
    return (struct bridge_text_room){(char *)s->job_output[job - s->jobs] + job->requests.bytes,
                                     SKR_JOB_OUTPUT_MAX - job->requests.bytes};
}

int bridge_client_requests_write(struct bridge_text_room to, struct skr_span method, struct skr_span params)
{
    int n = snprintf(to.p, to.n, "\"method\":%.*s,\"params\":%.*s}", (int)method.n, method.p, (int)params.n, params.p);

    return n >= 0 && (size_t)n < to.n ? n : -1;
}

void bridge_client_requests_add(struct skr_server *s, struct skr_job *job, uint32_t n, unsigned key)
{
    job->requests.list[job->requests.count++] =
        (struct skr_client_request){.at = job->requests.bytes, .n = n, .key = (uint8_t)key};
    job->requests.bytes += n;
    job->requests.change = ++s->counters.jobs;
}

bool bridge_client_requests_move(struct skr_server *s, const struct skr_job *from,
                                 const struct skr_client_request *request, struct skr_job *to, unsigned key)
{
    struct skr_span text = request_of(s, from, request);
    struct bridge_text_room room = bridge_client_requests_room(s, to);

    if (text.n > room.n) {
        return false;
    }
    memcpy(room.p, text.p, text.n);
    bridge_client_requests_add(s, to, request->n, key);
    to->requests.list[to->requests.count - 1].id = request->id;
    to->requests.list[to->requests.count - 1].sent = request->sent; /* it is sent once */
    return true;
}
