/* link.h -- one socket joined to one connection of the core: what comes in goes
 * to the core, what the core has to say leaves, and a clock watches both. It
 * knows nothing of epoll or of the other links; net.c decides what a verdict
 * means. */
#ifndef SKR_LINK_H
#define SKR_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "skillrom.h"

struct skr_link {
    int fd; /* -1: the slot is free */
    enum skr_wire wire;
    bool peer_done;       /* half-closed: the peer will send no more, but may read */
    bool served;          /* has had an answer */
    enum skr_doing doing; /* as of the last turn */
    uint32_t watched;     /* for net.c: the epoll events it is registered for */
    int queued;           /* bytes the system held for the peer when we last looked */
    uint64_t since_ms;    /* when the current wait began; skr_link_check tells for what */
    struct skr_conn *conn;
};

/* What is to become of a link after a turn. */
enum skr_verdict {
    SKR_LINK_STAYS,
    SKR_LINK_ENDED, /* all is said; let the peer read it, then close */
    SKR_LINK_GONE,  /* nobody is there to read: close at once */
};

/* Puts a freshly accepted, non-blocking socket into a free slot. */
void skr_link_open(struct skr_link *link, struct skr_server *server, enum skr_wire wire, int fd,
                   uint64_t now_ms);

/* One turn: at most one read, when the socket has something, and as many writes
 * as the budget allows. */
enum skr_verdict skr_link_turn(struct skr_link *link, bool readable, uint64_t now_ms);

/* Has the current wait lasted too long? Then does what is due. */
enum skr_verdict skr_link_check(struct skr_link *link, uint32_t timeout_ms, uint32_t idle_ms,
                                uint64_t now_ms);

/* The server is about to end. True when there are last words to send (skr_link_turn). */
bool skr_link_end(struct skr_link *link);

/* True when a newcomer may have the slot: kept alive, but not asking anything. */
bool skr_link_can_yield(const struct skr_link *link, uint64_t now_ms);

#endif
