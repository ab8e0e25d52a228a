/* skr_sockets_linger.h -- connections that have had their last response.
 *
 * Closing a socket with unread input makes the stack reset the connection, and a reset may overtake the response: the
 * peer then sees an error instead of the 413 or 503 that was meant for it. So our side is shut, what still comes is
 * read and thrown away, and the socket closes when the peer has closed, or after a while. This needs no connection of
 * the core: the slot is free immediately. */
#ifndef SKR_SOCKETS_LINGER_H
#define SKR_SOCKETS_LINGER_H

#include "skr_sockets.h"

/* Shuts our side of fd and takes it over. When all lingers are in use, the oldest is closed. */
void skr_sockets_linger_on(struct skr_sockets *net, int fd);

/* Input has arrived on this one: discards it, and closes the socket at end of file. */
void skr_sockets_linger_turn(struct skr_sockets *net, struct skr_sockets_linger *one);

/* Closes those whose time is up; with `all`, every one. */
void skr_sockets_linger_check(struct skr_sockets *net, bool all);

#endif
