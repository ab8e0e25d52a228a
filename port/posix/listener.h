/* listener.h -- a socket where clients arrive. */
#ifndef SKR_LISTENER_H
#define SKR_LISTENER_H

#include "options.h"

struct skr_listener {
    int fd;
    enum skr_wire wire;
    bool secure;                /* over TLS */
    struct skr_address address; /* as bound: with the port the system picked for 0 */
};

/* Binds and listens. False, after a message, when that fails. */
bool skr_listener_open(struct skr_listener *listener, const struct skr_listen *wanted);

/* Prints where the listener serves: `serving 3 skills, 2 tools at <url>`. */
void skr_listener_announce(const struct skr_listener *listener, const char *what, const struct skr_options *options);

/* The outcome of accepting a client. */
enum skr_accept {
    SKR_ACCEPT_CLIENT, /* *fd is its socket, non-blocking; *peer is its address */
    SKR_ACCEPT_EMPTY,  /* nobody is waiting */
    SKR_ACCEPT_SHORT,  /* a client is, but the system has no descriptor or memory left: try later */
};

enum skr_accept skr_listener_accept(const struct skr_listener *listener, int *fd, struct skr_address *peer);

/* Tells a client that every slot is taken. The socket is new, so the few bytes
 * always fit its buffer. */
void skr_listener_refuse(const struct skr_listener *listener, int fd, unsigned slots);

#endif
