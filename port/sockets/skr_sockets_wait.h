/* skr_sockets_wait.h -- how the loop learns which sockets are ready: poll (skr_sockets_poll.c), select
 * (skr_sockets_select.c), or functions of the program (SKR_SOCKETS_OWN), as port/posix has them for epoll.
 *
 * Each place says what it wants; a wait says of each what is ready. So poll and select keep nothing between two
 * waits. */
#ifndef SKR_SOCKETS_WAIT_H
#define SKR_SOCKETS_WAIT_H

#include "skr_sockets.h"

/* Every socket that may be waited for: a number for each place. */
#define SKR_SOCKETS_PLACES SKR_SOCKETS_DESCRIPTORS

/* The place of this number: first connections, then lingers, then listeners, in the order in which a turn serves
 * them. */
struct skr_sockets_place *skr_sockets_place(struct skr_sockets *net, size_t number);

/* Waits at most `most_ms` milliseconds (-1: without limit), and sets `ready` of every place. False, with errno. */
bool skr_sockets_wait(struct skr_sockets *net, int most_ms);

/* Closes the socket of this place, which is then free. */
void skr_sockets_leave(struct skr_sockets *net, struct skr_sockets_place *place);

/* The socket of this place is no longer to be waited for: it closes, or goes to another place. Only a program's own
 * waiter has something to forget. */
#if SKR_SOCKETS_WAIT == SKR_SOCKETS_OWN
void skr_sockets_forget(struct skr_sockets *net, struct skr_sockets_place *place);
#else
static inline void skr_sockets_forget(struct skr_sockets *net, struct skr_sockets_place *place)
{
    (void)net;
    (void)place;
}
#endif

#endif
