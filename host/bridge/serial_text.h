/* cable_text.h -- what cable.c leaves to cable_text.c: messages, log lines and probes, told apart byte by byte. */
#ifndef SKR_CABLE_TEXT_H
#define SKR_CABLE_TEXT_H

#include "serial.h"

/* A byte that came outside of frames, or on a plain line. */
void bridge_serial_text(struct bridge_serial *c, uint8_t byte);

/* A byte that came in a frame. */
void bridge_serial_payload(struct bridge_serial *c, uint8_t byte);

/* Forgets whatever part of a line has arrived. */
void bridge_serial_text_reset(struct bridge_serial *c);

#endif
