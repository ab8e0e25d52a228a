/* listen.h -- the messages that begin and end a subscriptions/listen (listen.c). */
#ifndef SKR_LISTEN_H
#define SKR_LISTEN_H

#include "answer/answer.h"

/* Makes `a`, whose id is set, the acknowledgement; unless a->open says that the subscription goes on, also its end.
 * a->as.listen has what is honoured. */
void skri_listen_begin(struct skr_answer *a);

/* Makes `a`, whose id is set, the last words of a feed. */
void skri_listen_end(struct skr_answer *a);

#endif
