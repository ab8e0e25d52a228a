/* log.h -- logs each finished request: skr_server_log_to. Only in profile host. */
#ifndef SKR_LOG_H
#define SKR_LOG_H

#include "response/request.h"

#if SKR_REQUEST_LOG

/* A request has arrived, and only this is known of it yet. It replaces one that gets no response. */
void skri_log_begin(struct skr_conn *c, const char *method);

/* Its method and subject are in call->json, not decoded yet. */
void skri_log_name(struct skr_call *call);

/* The request has been handled. Without a response it is forgotten; if its job will give the response while c handles
 * other requests, the job keeps it. */
void skri_log_handled(struct skr_call *call, bool has_response);

/* The response of this job is the next to be sent on c. */
void skri_log_resume(struct skr_conn *c, struct skr_job *job);

/* The job's request gets no response. */
void skri_log_lost(struct skr_job *job);

/* k bytes have been sent; the response has been sent, or will not be, because the connection ends. */
static inline void skri_log_sent(struct skr_conn *c, size_t k)
{
    c->logged.sent += (uint32_t)k;
}
void skri_log_end(struct skr_conn *c, bool whole);

#else

#define skri_log_begin(c, method) ((void)(c), (void)(method))
#define skri_log_name(call) ((void)(call))
#define skri_log_handled(call, has_response) ((void)(call))
#define skri_log_resume(c, job) ((void)(c))
#define skri_log_lost(job) ((void)(job))
#define skri_log_sent(c, k) ((void)(c))
#define skri_log_end(c, whole) ((void)(c))

#endif

#endif
