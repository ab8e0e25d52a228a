/* dial.h -- one connection to a device on a network. Nothing here waits: each call does what can be done now. */
#ifndef SKR_DIAL_H
#define SKR_DIAL_H

#include <sys/types.h>

#include "target.h"
#include "trust.h"

struct bridge_connection {
    int fd;                     /* -1: closed */
    bool ready;                 /* connected, and the server is the right one */
    bool connected;             /* but TLS may not be ready */
    struct skr_tls_client *tls; /* set by the owner, as is the next; NULL: no TLS */
    struct skr_tls_trust *trust;
    int tls_error;     /* BearSSL's, if that is why it failed; otherwise 0 */
    unsigned at;       /* which address of the target */
    uint64_t since_ms; /* when this address was first tried */
    int error;         /* errno of the last failure; 0: the peer has ended the connection */
};

/* Begins to connect; the target has been looked up. */
void bridge_connection_open(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms);

/* Goes on connecting, with the next address where one fails. False: none could be reached (d->error); it is closed. */
bool bridge_connection_turn(struct bridge_connection *d, const struct bridge_target *t, uint64_t now_ms);

/* Both return how many bytes were moved, 0 when none can be at present, and -1 when the connection is over. */
ssize_t bridge_connection_read(struct bridge_connection *d, void *to, size_t room);
ssize_t bridge_connection_write(struct bridge_connection *d, const void *from, size_t n);

/* What to poll it for, when its owner would read, or has something to write. */
short bridge_connection_events(const struct bridge_connection *d, bool reads, bool writes);

void bridge_connection_close(struct bridge_connection *d);

/* Why it has failed, and what to do. */
const char *bridge_connection_why(const struct bridge_connection *d);

/* True when that was the certificate. */
bool bridge_connection_is_distrusted(const struct bridge_connection *d);

/* ---- A device that cannot be reached ---- */

struct bridge_transport;

/* Why, for the person at stderr, once, and for clients, as the inside of a JSON string. */
struct bridge_outage {
    bool said;
    uint64_t next_ms; /* when to try again */
    char remedy[384];
};

/* It cannot be reached; `why` says what happened and what to do. */
void bridge_outage_say(struct bridge_outage *a, const struct bridge_transport *way, const char *why);

/* Only for clients. */
void bridge_outage_note(struct bridge_outage *a, const char *why);

#endif
