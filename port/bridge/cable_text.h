/* cable_text.h -- what cable.c leaves to cable_text.c: messages, log lines and probes, told apart byte by byte. */
#ifndef SKR_CABLE_TEXT_H
#define SKR_CABLE_TEXT_H

#include "cable.h"

/* A byte that came outside of frames, or on a plain line. */
void skr_cable_text(struct skr_cable *c, uint8_t byte);

/* A byte that came in a frame. */
void skr_cable_payload(struct skr_cable *c, uint8_t byte);

/* Forgets whatever part of a line has arrived. */
void skr_cable_text_reset(struct skr_cable *c);

#endif
