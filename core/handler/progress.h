/* progress.h -- progress and log messages of a job, until they have been sent (progress.c). */
#ifndef SKR_PROGRESS_H
#define SKR_PROGRESS_H

#include "response/request.h"

#define SKR_MESSAGE_HEAD 4 /* bytes before a message's text: length and event number, two each */

/* Sets which messages the request wants. Returns its progress token as JSON text, or nothing. */
struct skr_span skri_progress_begin(struct skr_call *call, struct skr_job *job);

/* The next message to be sent; empty when there is none. It stays in place until skri_progress_sent. */
struct skr_span skri_progress_next(const struct skr_job *job);
void skri_progress_sent(struct skr_job *job);

/* The next message is event number `event` of its stream. */
void skri_progress_number(struct skr_job *job, uint16_t event);

/* Drops the oldest message that has been sent. False when there is none, or while one is being sent, whose bytes would
 * move. */
bool skri_progress_forget(struct skr_job *job);

/* The messages after event number `event` are to be sent again. */
void skri_progress_again(struct skr_job *job, uint16_t event);

#endif
