/* job_reply.c -- the replies of clients to the requests of jobs: elicitation, sampling and roots. See job.h. */
#include "handler/client_request.h"
#include "handler/job.h"
#include "text/number.h"

#if SKR_INTERACTIVE

/* The client request that a response with this id belongs to, or NULL. */
static struct skr_client_request *request_with_id(struct skr_job *job, struct skr_span id)
{
    for (unsigned i = 0; i < job->requests.count; i++) {
        char digits[SKR_NUMBER_DIGITS], *end = digits + sizeof digits;
        size_t n = skr_number_text(job->requests.list[i].id, 10, end);
        if (job->requests.list[i].id > 0 && skr_span_eq((struct skr_span){end - n, n}, id)) {
            return &job->requests.list[i];
        }
    }
    return NULL;
}

void skri_job_reply(struct skr_call *call)
{
    struct skr_server *s = call->srv;
    uint16_t session = skri_job_session(call->conn);
    struct skr_span id = skr_json_raw(&call->json, call->id);

    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        bool open = skri_job_is_working(job) && !job->modern;
        struct skr_client_request *request =
            open && skri_job_is_theirs(job, call->conn, session) ? request_with_id(job, id) : NULL;
        if (request != NULL) {
            request->replied = true;
            call->reply = skr_json_get(&call->json, 0, "error") < 0 ? skr_json_get(&call->json, 0, "result") : -1;
            skri_job_continue(s, job, call);
            return;
        }
    }
}

void skr_conn_rx_end(struct skr_conn *c)
{
    struct skr_server *s = c->srv;
    struct skr_call nothing = {.reply = -1};

    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (!skri_job_is_working(job) || job->conn != c || !skri_job_has_requests(job)) {
            continue;
        }
        for (unsigned i = 0; i < job->requests.count; i++) {
            job->requests.list[i].replied = true;
        }
        skri_job_continue(s, job, &nothing);
        if (skri_job_is_working(job) && skri_job_has_requests(job)) { /* it has sent another, and nobody will reply */
            skri_job_drop(s, job);
        }
    }
}
#endif
