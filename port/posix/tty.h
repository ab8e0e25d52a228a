/* tty.h -- open a serial port in raw mode. */
#ifndef SKR_TTY_H
#define SKR_TTY_H

#include <stdbool.h>
#include <stdint.h>

/* The usual speed. */
#define POSIX_TTY_BAUD 115200

/* True when the system supports this speed: the usual ones from 1200 to 4000000. */
bool posix_tty_supports(uint32_t baud);

/* Opens and locks the port: raw, eight bits, no parity, one stop bit, no flow control, non-blocking. -1 on failure,
 * with errno: ENOTTY when it is not a serial port, EBUSY when another program has it. That program does not notice
 * the attempt. */
int posix_tty_open(const char *path, uint32_t baud);

/* Also excludes programs that ignore locks. */
void posix_tty_exclude(int fd);

/* Closes it, for the next program to open: a pseudo-terminal, as an emulator has, would stay excluded. */
void posix_tty_close(int fd);

/* Changes the speed of an open port, and drops what was received at the old one. */
bool posix_tty_set_baud(int fd, uint32_t baud);

#endif
