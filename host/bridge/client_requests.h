/* questions.h -- questions from devices to clients of the initialize era (questions.c). */
#ifndef SKR_BRIDGE_QUESTIONS_H
#define SKR_BRIDGE_QUESTIONS_H

#include "handler/client_request.h"

extern const struct skr_client_request_ops bridge_client_requests;

/* A question for the client of a job, in three steps, so that its text can be edited before it counts: where its text goes, the
 * text itself, of which the length is returned, or -1 when there is no room; and the question. Whoever answers finds it by
 * `key`. There must be less than SKR_CLIENT_REQUESTS of them. */
struct bridge_text_room {
    char *p;
    size_t n;
};
struct bridge_text_room bridge_client_requests_room(const struct skr_server *s, const struct skr_job *job);
int bridge_client_requests_write(struct bridge_text_room to, struct skr_span method, struct skr_span params);
void bridge_client_requests_add(struct skr_server *s, struct skr_job *job, uint32_t n, unsigned key);

/* A question of one job becomes one of another of the same client, with another key. What the client has been asked already it
 * is not asked again; its reply then goes to the other job. False: no room. */
bool bridge_client_requests_move(struct skr_server *s, const struct skr_job *from,
                                 const struct skr_client_request *question, struct skr_job *to, unsigned key);

#endif
