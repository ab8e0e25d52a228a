/* connection.h -- one connection to a device on a network. No function waits: each does what is possible immediately. */
#ifndef TRANSPORT_CONNECTION_H
#define TRANSPORT_CONNECTION_H

#include <sys/types.h>

#include "target.h"
#include "trust.h"

struct transport_connection {
    int fd;                     /* -1: closed */
    bool ready;                 /* connected, and the server is the right one */
    bool connected;             /* but TLS may not be ready */
    struct skr_tls_client *tls; /* set by the owner, as is the next; NULL for plain TCP */
    struct skr_tls_trust *trust;
    int tls_error;     /* BearSSL's, if that is why it failed; otherwise 0 */
    unsigned at;       /* which address of the target */
    uint64_t since_ms; /* when this address was first tried */
    int error;         /* errno of the last failure; 0 if the peer has ended the connection */
};

/* Begins to connect; the target has been looked up. */
void transport_connection_open(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms);

/* Goes on connecting, with the next address where one fails. False if none could be reached (c->error); it is then closed. */
bool transport_connection_turn(struct transport_connection *c, const struct transport_target *t, uint64_t now_ms);

/* Both return how many bytes were moved, 0 when none can be at present, and -1 when the connection is over. */
ssize_t transport_connection_read(struct transport_connection *c, void *to, size_t room);
ssize_t transport_connection_write(struct transport_connection *c, const void *from, size_t n);

/* The events to poll for, when its owner would read, or has something to write. */
short transport_connection_events(const struct transport_connection *c, bool reads, bool writes);

void transport_connection_close(struct transport_connection *c);

/* The reason of a failure, and the remedy. */
const char *transport_connection_why(const struct transport_connection *c);

/* True if the certificate was the reason. */
bool transport_connection_is_distrusted(const struct transport_connection *c);

#endif
