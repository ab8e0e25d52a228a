/* skr_sockets_listener.h -- bind, accept, refuse. */
#ifndef SKR_SOCKETS_LISTENER_H
#define SKR_SOCKETS_LISTENER_H

#include "skr_sockets.h"

/* Binds and listens. Returns 0 or errno. */
int skr_sockets_listener_open(struct skr_sockets_listener *listener, const struct skr_sockets_endpoint *where);

/* The outcome of accepting a client. */
enum skr_sockets_accept {
    SKR_SOCKETS_CLIENT, /* *fd is its socket, *peer its address */
    SKR_SOCKETS_EMPTY,  /* no client is waiting */
    SKR_SOCKETS_SHORT,  /* a client is, but the stack has no descriptor or memory left: try later */
};

enum skr_sockets_accept skr_sockets_listener_accept(const struct skr_sockets_listener *listener, int *fd,
                                                    struct skr_sockets_address *peer);

/* Tells a client that every slot is taken. The socket is new, so the few bytes always fit its buffer. */
void skr_sockets_listener_refuse(const struct skr_sockets_listener *listener, int fd);

#endif
