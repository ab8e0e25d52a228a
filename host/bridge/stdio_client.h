/* stdio_client.h -- the agent that started the bridge, on stdin and stdout.
 *
 * To the core it is a client on a socket like any other: the core has one end of a socket pair, and the other end is
 * connected to stdin and stdout here. */
#ifndef BRIDGE_STDIO_CLIENT_H
#define BRIDGE_STDIO_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

/* Creates the pair and returns the core's end; -1 when the system has no sockets left. */
int bridge_stdio_open(void);

/* Moves bytes without blocking. False when the client has ended and has all its responses. */
bool bridge_stdio_turn(void);

/* The descriptors to wait for, up to three, each with poll's events; returns their number. */
unsigned bridge_stdio_wants(int fds[3], short events[3]);

#endif
