/* net_wait.c -- how port/sockets waits here: with host_waiter, which is epoll on Linux, and which can also wait for
 * another waiter, the side of posix_net_nest. Built with SKR_SOCKETS_POLL or SKR_SOCKETS_SELECT, port/sockets waits by
 * itself. */
#include <errno.h>

#include "../sockets/skr_sockets_wait.h"
#include "net.h"

#if SKR_SOCKETS_WAIT == SKR_SOCKETS_OWN

#define EVENTS_MAX (SKR_SOCKETS_PLACES + 2)
#define SIGNALS SKR_SOCKETS_PLACES
#define SIDE (SKR_SOCKETS_PLACES + 1)
#define WATCHED 0x80 /* in `watched` of a place: the waiter has its socket */

#if EVENTS_MAX > HOST_WAIT_MAX
#error "HOST_WAIT_MAX (host/base/system.h) is less than the number of events of a server"
#endif

static struct host_waiter waiter;

bool posix_net_wait_open(void)
{
    return host_wait_open(&waiter) && host_wait_add(&waiter, posix_net.signals, SIGNALS, HOST_READABLE) &&
           (posix_net.side == NULL || host_wait_nest(&waiter, posix_net.side, SIDE));
}

/* Descriptors that are new, or wait for something else than last time. A socket that cannot be watched is broken. */
static void wait_for_places(struct skr_sockets *net)
{
    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        struct skr_sockets_place *place = skr_sockets_place(net, i);
        const uint8_t wanted = (uint8_t)(place->wanted | WATCHED);
        place->ready = 0;
        if (place->fd >= 0 && wanted != place->watched) {
            bool added = place->watched != 0;
            bool watched = (added ? host_wait_change : host_wait_add)(&waiter, place->fd, i, place->wanted);
            place->watched = watched ? wanted : place->watched;
            place->ready = watched ? 0 : SKR_SOCKETS_BROKEN;
        }
    }
}

bool skr_sockets_wait(struct skr_sockets *net, int most_ms)
{
    static struct host_ready events[EVENTS_MAX];

    wait_for_places(net);
    int count = host_wait(&waiter, events, EVENTS_MAX, most_ms);
    posix_net.side_ready = posix_net.signals_ready = false;
    for (int i = 0; i < count; i++) {
        if (events[i].tag == SIGNALS) {
            posix_net.signals_ready = true;
        } else if (events[i].tag == SIDE) {
            posix_net.side_ready = true;
        } else {
            skr_sockets_place(net, (size_t)events[i].tag)->ready |= (uint8_t)events[i].events;
        }
    }
    return count >= 0 || errno == EINTR;
}

/* Forgotten before it is closed: a child about to exec may still have a copy, and its later events would be taken for
 * those of the next socket here. */
void skr_sockets_forget(struct skr_sockets *net, struct skr_sockets_place *place)
{
    (void)net;
    if (place->watched != 0) {
        host_wait_forget(&waiter, place->fd);
    }
}

#else

/* The side's own waiter is a descriptor on Linux, and these builds are for its tests. */
bool posix_net_wait_open(void)
{
    posix_net.signals_ready = posix_net.side_ready = true; /* each turn looks at both */
    return skr_sockets_also(&posix_net.sockets, posix_net.signals) &&
           (posix_net.side == NULL || skr_sockets_also(&posix_net.sockets, posix_net.side->epoll));
}

#endif
