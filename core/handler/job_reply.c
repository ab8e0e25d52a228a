/* job_reply.c -- the replies of clients to the questions of runs. See job.h. */
#include "handler/client_request.h"
#include "handler/job.h"
#include "text/number.h"

#if SKR_INTERACTIVE

/* The question that a response with this id answers, or NULL. */
static struct skr_client_request *find_question(struct skr_job *job, struct skr_span id)
{
    for (unsigned i = 0; i < job->question_count; i++) {
        char digits[SKR_NUMBER_DIGITS], *end = digits + sizeof digits;
        size_t n = skr_number_text(job->questions[i].id, 10, end);
        if (job->questions[i].id > 0 && skr_span_eq((struct skr_span){end - n, n}, id)) {
            return &job->questions[i];
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
        struct skr_client_request *question =
            open && skri_job_is_theirs(job, call->conn, session) ? find_question(job, id) : NULL;
        if (question != NULL) {
            question->answered = true;
            call->reply = skr_json_get(&call->json, 0, "result");
            skri_job_go_on(s, job, call);
            return;
        }
    }
}

void skr_conn_rx_end(struct skr_conn *c)
{
    struct skr_server *s = c->srv;
    struct skr_call nothing = {.reply = -1};
    for (struct skr_job *job = s->jobs; job < s->jobs + SKR_JOBS; job++) {
        if (!skri_job_is_working(job) || job->conn != c || !skri_job_asks(job)) {
            continue;
        }
        for (unsigned i = 0; i < job->question_count; i++) {
            job->questions[i].answered = true;
        }
        skri_job_go_on(s, job, &nothing);
        if (skri_job_is_working(job) && skri_job_asks(job)) { /* it asks again, and nobody will reply */
            skri_job_drop(s, job);
        }
    }
}
#endif
