/* progress.h -- progress and log messages of a run, until they have left (progress.c). */
#ifndef SKR_NOTES_H
#define SKR_NOTES_H

#include "response/request.h"

#define SKR_NOTE_HEAD 4 /* bytes in front of a note's text: length and event number, two each */

/* Sets which messages the request wants. Returns its progress token as JSON text, or nothing. */
struct skr_span skri_progress_begin(struct skr_call *call, struct skr_job *job);

/* The next note to be sent; empty when there is none. It stays in place until it has been sent: skri_progress_left. */
struct skr_span skri_progress_next(const struct skr_job *job);
void skri_progress_left(struct skr_job *job);

/* The next note is event number `event` of its stream. */
void skri_progress_number(struct skr_job *job, uint16_t event);

/* Drops the oldest note that has been sent. False when there is none, or while a message is being sent, whose bytes
 * would move. */
bool skri_progress_forget(struct skr_job *job);

/* The notes after event number `event` are to be sent again. */
void skri_progress_again(struct skr_job *job, uint16_t event);

#endif
