/* listen.h -- the messages that begin and end a subscriptions/listen (listen.c). */
#ifndef SKR_LISTEN_H
#define SKR_LISTEN_H

#include "answer/answer.h"

/* Makes `a`, whose id is set, the acknowledgement; unless a->open says that the subscription goes on, also its end.
 * a->total has the lists that are honoured, a->subject the URIs. */
void skr_listen_begin(struct skr_answer *a);

/* Makes `a`, whose id is set, the last words of a feed. */
void skr_listen_end(struct skr_answer *a);

#endif
