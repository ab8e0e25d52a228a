/* stdio_client.h -- the agent that started the bridge, on stdin and stdout.
 *
 * To the core it is a client on a socket like any other: the core has one end of a socket pair, and the other end is
 * connected to stdin and stdout here. */
#ifndef SKR_STDIO_CLIENT_H
#define SKR_STDIO_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the pair and returns the core's end; -1 when the system has no sockets left. */
int bridge_stdio_open(void);

/* Moves what can be moved without blocking. False when the client is done and has all its answers. */
bool bridge_stdio_turn(void);

/* What to wait for: up to three descriptors, each with poll's events. */
unsigned bridge_stdio_wants(int fds[3], short events[3]);

#endif
