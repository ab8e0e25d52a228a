/* listener.h -- a socket where clients arrive. */
#ifndef SKR_LISTENER_H
#define SKR_LISTENER_H

#include "options.h"

struct posix_listener {
    int fd;
    enum skr_wire wire;
    bool secure; /* over TLS */
    const struct posix_site *site;
    struct posix_address address; /* as bound: with the port the system picked for 0 */
};

/* Binds and listens. False, after a message, when that fails. */
bool posix_listener_open(struct posix_listener *listener, const struct posix_listen *wanted);

/* Prints where the listener serves: `serving 3 skills, 2 tools at <url>`. */
void posix_listener_announce(const struct posix_listener *listener, const char *what,
                             const struct posix_options *options);

/* The outcome of accepting a client. */
enum posix_accept {
    POSIX_ACCEPT_CLIENT, /* *fd is its socket, non-blocking; *peer is its address */
    POSIX_ACCEPT_EMPTY,  /* no client is waiting */
    POSIX_ACCEPT_SHORT,  /* a client is, but the system has no descriptor or memory left: try later */
};

enum posix_accept posix_listener_accept(const struct posix_listener *listener, int *fd, struct posix_address *peer);

/* Tells a client that every slot is taken. The socket is new, so the few bytes
 * always fit its buffer. */
void posix_listener_refuse(const struct posix_listener *listener, int fd, unsigned slots);

#endif
