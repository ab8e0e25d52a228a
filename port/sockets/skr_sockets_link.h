/* skr_sockets_link.h -- one socket joined to one connection of the core: input goes to the core, the core's responses
 * go out, and a clock watches both. It does not wait, and does not see other links; skr_sockets.c decides what a
 * verdict means. */
#ifndef SKR_SOCKETS_LINK_H
#define SKR_SOCKETS_LINK_H

#include "skr_sockets.h"

/* The fate of a link after a turn. */
enum skr_sockets_verdict {
    SKR_SOCKETS_STAYS,
    SKR_SOCKETS_ENDED, /* everything has been sent; let the peer read it, then close */
    SKR_SOCKETS_GONE,  /* the peer cannot read any more: close immediately */
};

/* Puts a socket into a free slot. */
void skr_sockets_link_open(struct skr_sockets_slot *link, struct skr_server *server, enum skr_wire wire, int fd,
                           uint32_t now_ms);

/* One turn: at most one read, when the socket has something, and as many writes as the budget allows. */
enum skr_sockets_verdict skr_sockets_link_turn(struct skr_sockets_slot *link, bool readable, uint32_t now_ms);

/* Checks whether the current wait has lasted too long, and if so does what is due. */
enum skr_sockets_verdict skr_sockets_link_check(struct skr_sockets_slot *link, const struct skr_sockets *net);

/* The events to wait for now. */
uint8_t skr_sockets_link_wants(const struct skr_sockets_slot *link);

/* The server is about to end. True when there is something left to send (skr_sockets_link_turn). */
bool skr_sockets_link_end(struct skr_sockets_slot *link);

/* Tells the peer that it took too long, if the protocol allows that. Close it afterwards. */
void skr_sockets_link_give_way(struct skr_sockets_slot *link, uint32_t now_ms);

/* Closes the connection, but not the socket. With `notify`, notifies the peer first if the protocol allows that. */
void skr_sockets_link_close(struct skr_sockets_slot *link, bool notify);

#endif
