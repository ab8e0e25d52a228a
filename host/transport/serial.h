/* serial.h -- a serial port, which may appear and disappear.
 *
 * Opens the port and probes the device: a hello for the reliable mode and a ping as a plain line, at the given speed or at the
 * usual ones in turn. */
#ifndef TRANSPORT_SERIAL_H
#define TRANSPORT_SERIAL_H

#include "transport.h"

struct transport_serial {
    struct transport base; /* plain: lines; reliable: frames; shared: lines to the bridge that has the port */

    /* set by the owner before the first turn */
    uint32_t baud; /* 0 tries the usual ones */
    bool plain;    /* never request the reliable mode */
    bool alone;    /* do not share the port with other bridges */

    int fd;       /* -1 if closed */
    int listener; /* where other bridges connect to share this port; -1 if closed */

    unsigned speed;   /* which of the usual ones */
    unsigned tries;   /* at this speed */
    bool plain_heard; /* a ping got its response */
    uint16_t nonce;
    uint64_t sent_ms;   /* last time bytes were sent */
    int open_error;     /* why the port could not be opened; 0 if it is open */
    bool reported_gone; /* it has been reported that the port is missing */

    struct skr_frame frame;
    uint8_t frame_rx[223], frame_tx[4096];
    char text[TRANSPORT_TEXT]; /* a message to send, and how far it has got */
    size_t text_at, text_n;
    uint8_t out[4096]; /* bytes the port has not taken yet */
    size_t out_at, out_n;
    uint8_t got[4096]; /* bytes from the port, and how many have been processed */
    size_t got_at, got_n;
    char log[TRANSPORT_LOG_LINE];
    size_t log_n;
    uint8_t line; /* enum serial_line */
};

/* Initialises c, whose owner's fields are set. */
void transport_serial_init(struct transport_serial *c);

/* ---- Messages, log lines and responses to probes, separated byte by byte (serial_text.c) ---- */

/* Takes a byte from outside of frames, or of a plain line. */
void transport_serial_text(struct transport_serial *c, uint8_t byte);

/* Takes a byte from a frame. */
void transport_serial_payload(struct transport_serial *c, uint8_t byte);

/* Drops the part of a line that has arrived. */
void transport_serial_text_reset(struct transport_serial *c);

/* ---- Why the port cannot be used (serial_error.c) ---- */

/* Sets c->open_error and the remedy that clients get. */
void transport_serial_set_error(struct transport_serial *c, int error);

/* The message for c->open_error. */
const char *transport_serial_error(const struct transport_serial *c);

#endif
