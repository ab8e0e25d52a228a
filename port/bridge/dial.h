/* dial.h -- one connection to a device on a network. Nothing here waits: each call does what can be done now. */
#ifndef SKR_DIAL_H
#define SKR_DIAL_H

#include <sys/types.h>

#include "target.h"
#include "trust.h"

struct skr_dial {
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
void skr_dial_open(struct skr_dial *d, const struct skr_target *t, uint64_t now_ms);

/* Goes on connecting, with the next address where one fails. False: none could be reached (d->error); it is closed. */
bool skr_dial_turn(struct skr_dial *d, const struct skr_target *t, uint64_t now_ms);

/* Both return how many bytes were moved, 0 when none can be at present, and -1 when the connection is over. */
ssize_t skr_dial_read(struct skr_dial *d, void *to, size_t room);
ssize_t skr_dial_write(struct skr_dial *d, const void *from, size_t n);

/* What to poll it for, when its owner would read, or has something to write. */
short skr_dial_events(const struct skr_dial *d, bool reads, bool writes);

void skr_dial_close(struct skr_dial *d);

/* Why it has failed, and what to do. */
const char *skr_dial_why(const struct skr_dial *d);

/* True when that was the certificate. */
bool skr_dial_is_distrusted(const struct skr_dial *d);

/* ---- A device that cannot be reached ---- */

struct skr_way;

/* Why, for the person at stderr, once, and for clients, as the inside of a JSON string. */
struct skr_absence {
    bool said;
    uint64_t next_ms; /* when to try again */
    char remedy[384];
};

/* It cannot be reached; `why` says what happened and what to do. */
void skr_absence_say(struct skr_absence *a, const struct skr_way *way, const char *why);

/* Only for clients. */
void skr_absence_note(struct skr_absence *a, const char *why);

#endif
