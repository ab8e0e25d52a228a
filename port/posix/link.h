/* link.h -- one socket joined to one connection of the core: input goes to the core, the core's responses go out, and a
 * clock watches both. It does not wait, and does not see other links; net.c decides what a verdict means. */
#ifndef SKR_LINK_H
#define SKR_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "../carrier.h"
#include "../pace.h"
#include "address.h"
#include "skillrom.h"

struct posix_link {
    int fd; /* -1: the slot is free */
    enum skr_wire wire;
    bool peer_done;             /* half-closed: the peer will send no more, but may read */
    bool served;                /* has had a response */
    enum skr_activity doing;    /* as of the last turn */
    uint32_t watched;           /* for net.c: the events it is waited for */
    uint32_t sent, taken;       /* bytes given to the system, and acknowledged by the peer when last checked */
    uint64_t since_ms;          /* when the current wait began; posix_link_check says for what */
    struct skr_pace pace;       /* while a request comes or a response leaves */
    struct posix_address peer;  /* all zero: not a client of the Internet */
    const char *name;           /* what messages call such a client */
    struct skr_carrier carrier; /* its connection, with TLS in between if wanted */
};

/* What is to become of a link after a turn. */
enum posix_verdict {
    POSIX_LINK_STAYS,
    POSIX_LINK_ENDED, /* everything has been sent; let the peer read it, then close */
    POSIX_LINK_GONE,  /* the peer cannot read any more: close immediately */
};

/* Puts a newly accepted, non-blocking socket into a free slot. The caller sets its peer, and TLS if wanted. */
void posix_link_open(struct posix_link *link, struct skr_server *server, enum skr_wire wire, int fd, uint64_t now_ms);

/* One turn: at most one read, when the socket has something, and as many writes
 * as the budget allows. */
enum posix_verdict posix_link_turn(struct posix_link *link, bool readable, uint64_t now_ms);

/* Where its client is, as in 127.0.0.1:40312; one that is not of the Internet is on stdin (host/bridge). */
#define POSIX_LINK_WHO (POSIX_ADDRESS_TEXT + 6)
void posix_link_who(const struct posix_link *link, char who[POSIX_LINK_WHO]);

/* How long a link may take, in milliseconds. */
struct posix_patience {
    uint32_t timeout_ms; /* for a request to come, or for a byte to be taken */
    uint32_t idle_ms;    /* kept alive without a request */
    uint32_t grace_ms;   /* before it may have to give way to another */
};

/* Checks whether the current wait has lasted too long, and if so does what is due. */
enum posix_verdict posix_link_check(struct posix_link *link, const struct posix_patience *patience, uint64_t now_ms);

/* The server is about to end. True when there is something left to send (posix_link_turn). */
bool posix_link_end(struct posix_link *link);

/* Its claim to its slot when a newcomer needs one. */
enum skr_claim posix_link_claim(const struct posix_link *link, uint32_t grace_ms, uint64_t now_ms);

/* Of two with the same claim: has the first moved less, or for longer not at all? */
bool posix_link_moves_less(const struct posix_link *a, const struct posix_link *b, enum skr_claim claim);

/* Tells the peer that it took too long, if the protocol allows that. Close it afterwards. */
void posix_link_give_way(struct posix_link *link, uint64_t now_ms);

/* Closes the connection, but not the socket. With `notify`, notifies the peer first if the protocol allows that. */
void posix_link_close(struct posix_link *link, bool notify);

#endif
