/* notes.h -- progress and log messages of a run, until they have left (notes.c). */
#ifndef SKR_NOTES_H
#define SKR_NOTES_H

#include "answer/request.h"

#define SKR_NOTE_HEAD 4 /* bytes in front of a note's text: length and event number, two each */

/* What the request wants to hear of. Returns its progress token as JSON text, or nothing. */
struct skr_span skri_notes_begin(struct skr_call *call, struct skr_job *job);

/* The next note to be sent; empty when there is none. It stays where it is until it has
 * left: skri_notes_left. */
struct skr_span skri_notes_next(const struct skr_job *job);
void skri_notes_left(struct skr_job *job);

/* The next note is event number `event` of its stream. */
void skri_notes_number(struct skr_job *job, uint16_t event);

/* The oldest that has been sent makes room. False when there is none, or while one is leaving: it would be
 * moved under the port's hands. */
bool skri_notes_forget(struct skr_job *job);

/* Those behind event number `event` are to be sent again. */
void skri_notes_again(struct skr_job *job, uint16_t event);

#endif
