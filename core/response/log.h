/* log.h -- tells the program what became of each request: skr_server_log_to. Only in profile host. */
#ifndef SKR_LOG_H
#define SKR_LOG_H

#include "response/request.h"

#if SKR_REQUEST_LOG

/* A request has come, and so far only this is known of it. It takes the place of one that gets no answer. */
void skri_log_begin(struct skr_conn *c, const char *method);

/* Its method and what it is about are in call->json, not decoded yet. */
void skri_log_name(struct skr_call *call);

/* It has been handled. Without an answer of its own it is forgotten; if a run is to answer it while c goes on with others,
 * the run keeps it. */
void skri_log_handled(struct skr_call *call, bool answered);

/* The answer of this run is the next to be sent on c. */
void skri_log_resume(struct skr_conn *c, struct skr_job *job);

/* The run's request gets no answer. */
void skri_log_lost(struct skr_job *job);

/* k bytes have been sent; the answer has left, or will not, because the connection ends. */
static inline void skri_log_sent(struct skr_conn *c, size_t k)
{
    c->logged.sent += (uint32_t)k;
}
void skri_log_end(struct skr_conn *c, bool whole);

#else

#define skri_log_begin(c, method) ((void)(c), (void)(method))
#define skri_log_name(call) ((void)(call))
#define skri_log_handled(call, answered) ((void)(call))
#define skri_log_resume(c, job) ((void)(c))
#define skri_log_lost(job) ((void)(job))
#define skri_log_sent(c, k) ((void)(c))
#define skri_log_end(c, whole) ((void)(c))

#endif

#endif
