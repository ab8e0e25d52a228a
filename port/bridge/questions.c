/* questions.c -- in place of core/run/ask.c: the questions that a job of the bridge holds are a device's.
 *
 * They go to clients of the initialize era only, as requests; the others get theirs as a result,
 * which is passed on like any other. A question's `key` tells which of its request's `asked` it is,
 * and its text is what follows the id of a request. */
#include "run/ask.h"
#include "run/job_state.h"

#include <string.h>

bool skr_ask_begin(struct skr_call *call, struct skr_job *job)
{
    (void)job;
    call->replies = call->reply = -1;
    return true; /* a state that the client kept, the device looks at */
}

void skr_ask_before(struct skr_job *job)
{
    (void)job;
}

/* The text of questions stays until all are answered and none is leaving. */
static void make_room(struct skr_job *job)
{
    if (job->question_count == 0 && !skr_job_is_leaving(job)) {
        job->asked = 0;
    }
}

void skr_ask_after(struct skr_call *call, struct skr_job *job)
{
    unsigned left = 0;
    (void)call;
    for (unsigned i = 0; job->running && i < job->question_count; i++) {
        if (!job->questions[i].answered) {
            job->questions[left++] = job->questions[i];
        }
    }
    job->question_count = (uint8_t)left;
    make_room(job);
}

void skr_ask_told(const struct skr_server *s, struct skr_job *job)
{
    (void)s;
    make_room(job);
}

void skr_ask_result(const struct skr_server *s, struct skr_answer *a, struct skr_job *job)
{
    (void)s;
    (void)a;
    (void)job;
}

struct skr_question *skr_ask_unsent(struct skr_job *job)
{
    for (unsigned i = 0; i < job->question_count; i++) {
        if (!job->questions[i].sent) {
            return &job->questions[i];
        }
    }
    return NULL;
}

struct skr_span skr_ask_request(const struct skr_server *s, const struct skr_job *job,
                                const struct skr_question *question)
{
    return (struct skr_span){s->job_output[job - s->jobs] + question->at, question->n};
}

struct skr_question *skr_ask_find(struct skr_job *job, struct skr_span id)
{
    for (unsigned i = 0; i < job->question_count; i++) {
        uint32_t value = 0;
        for (size_t at = 0; at < id.n && at < 9 && id.p[at] >= '0' && id.p[at] <= '9'; at++) {
            value = value * 10 + (uint32_t)(id.p[at] - '0');
        }
        if (value != 0 && value == job->questions[i].id) {
            return &job->questions[i];
        }
    }
    return NULL;
}
