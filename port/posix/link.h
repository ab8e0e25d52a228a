/* link.h -- one socket joined to one connection of the core: input goes to the core, the core's answers go out, and a
 * clock watches both. It knows nothing of waiting or of the other links; net.c decides what a verdict means. */
#ifndef SKR_LINK_H
#define SKR_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "../carrier.h"
#include "../pace.h"
#include "address.h"
#include "skillrom.h"

struct skr_link {
    int fd; /* -1: the slot is free */
    enum skr_wire wire;
    bool peer_done;             /* half-closed: the peer will send no more, but may read */
    bool served;                /* has had an answer */
    enum skr_doing doing;       /* as of the last turn */
    uint32_t watched;           /* for net.c: the events it is waited for */
    uint32_t sent, taken;       /* bytes given to the system, and acknowledged by the peer when last checked */
    uint64_t since_ms;          /* when the current wait began; skr_link_check says for what */
    struct skr_pace pace;       /* while a request comes or an answer leaves */
    struct skr_address peer;    /* all zero: not a client of the Internet */
    const char *name;           /* what messages call such a client */
    struct skr_carrier carrier; /* its connection, with TLS in between if wanted */
};

/* What is to become of a link after a turn. */
enum skr_verdict {
    SKR_LINK_STAYS,
    SKR_LINK_ENDED, /* everything has been sent; let the peer read it, then close */
    SKR_LINK_GONE,  /* nobody is there to read: close at once */
};

/* Puts a newly accepted, non-blocking socket into a free slot. The caller sets its peer, and TLS if wanted. */
void skr_link_open(struct skr_link *link, struct skr_server *server, enum skr_wire wire, int fd, uint64_t now_ms);

/* One turn: at most one read, when the socket has something, and as many writes
 * as the budget allows. */
enum skr_verdict skr_link_turn(struct skr_link *link, bool readable, uint64_t now_ms);

/* Where its client is, as in 127.0.0.1:40312; one that is not of the Internet is on stdin (port/bridge). */
#define SKR_LINK_WHO (SKR_ADDRESS_TEXT + 6)
void skr_link_who(const struct skr_link *link, char who[SKR_LINK_WHO]);

/* How long a link may take, in milliseconds. */
struct skr_patience {
    uint32_t timeout_ms; /* for a request to come, or for a byte to be taken */
    uint32_t idle_ms;    /* kept alive without a request */
    uint32_t grace_ms;   /* before it may have to give way to another */
};

/* Checks whether the current wait has lasted too long, and if so does what is due. */
enum skr_verdict skr_link_check(struct skr_link *link, const struct skr_patience *patience, uint64_t now_ms);

/* The server is about to end. True when there is something left to send (skr_link_turn). */
bool skr_link_end(struct skr_link *link);

/* Its claim to its slot when a newcomer needs one. */
enum skr_claim skr_link_claim(const struct skr_link *link, uint32_t grace_ms, uint64_t now_ms);

/* Of two with the same claim: has the first moved less, or for longer not at all? */
bool skr_link_moves_less(const struct skr_link *a, const struct skr_link *b, enum skr_claim claim);

/* Tells the peer that it took too long, if the protocol allows that. Close it afterwards. */
void skr_link_give_way(struct skr_link *link, uint64_t now_ms);

/* Closes the connection, but not the socket. With `tell`, tells the peer first if the protocol allows that. */
void skr_link_close(struct skr_link *link, bool tell);

#endif
