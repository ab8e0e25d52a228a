/* serial_text.h -- separates messages, log lines and responses to probes on a serial line, byte by byte. */
#ifndef TRANSPORT_SERIAL_TEXT_H
#define TRANSPORT_SERIAL_TEXT_H

#include "serial.h"

/* Takes a byte from outside of frames, or of a plain line. */
void transport_serial_text(struct transport_serial *c, uint8_t byte);

/* Takes a byte from a frame. */
void transport_serial_payload(struct transport_serial *c, uint8_t byte);

/* Drops the part of a line that has arrived. */
void transport_serial_text_reset(struct transport_serial *c);

#endif
