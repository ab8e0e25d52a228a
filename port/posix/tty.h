/* tty.h -- open a serial port as a line of bytes that nothing interprets. */
#ifndef SKR_TTY_H
#define SKR_TTY_H

#include <stdbool.h>
#include <stdint.h>

/* What one usually finds at the other end. */
#define SKR_TTY_BAUD 115200

/* True when the system knows this speed: the usual ones from 1200 to 4000000. */
bool skr_tty_knows(uint32_t baud);

/* Opens and locks the port: raw, eight bits, no parity, one stop bit, no flow control,
 * non-blocking. -1: errno tells why; ENOTTY when it is no serial port, EBUSY when another
 * program has it, which does not notice that we looked. */
int skr_tty_open(const char *path, uint32_t baud);

/* Keeps programs out of an open port that do not look at locks, too. */
void skr_tty_exclude(int fd);

/* Changes the speed of an open port, and drops what has come at the other one. */
bool skr_tty_set_baud(int fd, uint32_t baud);

#endif
