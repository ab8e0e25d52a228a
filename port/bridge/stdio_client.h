/* stdio_client.h -- the agent that started the bridge, on stdin and stdout.
 *
 * To the core it is a client on a socket like any other: a pair of sockets, one end with the
 * core, and here the other end is joined with stdin and stdout. */
#ifndef SKR_STDIO_CLIENT_H
#define SKR_STDIO_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

/* Makes the pair. The core's end; -1 when the system has no sockets left. */
int skr_stdio_open(void);

/* Moves what can be moved without waiting. False when the client is done and has everything. */
bool skr_stdio_turn(void);

/* What to wait for: up to three descriptors, each with poll's events. */
unsigned skr_stdio_wants(int fds[3], short events[3]);

#endif
