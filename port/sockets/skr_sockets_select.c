/* skr_sockets_select.c -- waiting with select. Left out unless SKR_SOCKETS_WAIT is SKR_SOCKETS_SELECT. */
#include "skr_sockets_wait.h"

#if SKR_SOCKETS_WAIT == SKR_SOCKETS_SELECT

#include "skr_sockets_system.h"

struct sets {
    SKR_SOCKET_SET readable, writable;
    int end; /* after the highest descriptor */
};

static void add(struct sets *sets, int fd, uint8_t wanted)
{
    if (wanted == SKR_SOCKETS_READABLE) {
        SKR_SOCKET_POLL(FD_SET)(fd, &sets->readable);
    } else {
        SKR_SOCKET_POLL(FD_SET)(fd, &sets->writable);
    }
    sets->end = fd < sets->end ? sets->end : fd + 1;
}

static bool is_set(struct sets *sets, const struct skr_sockets_place *place)
{
    return place->wanted == SKR_SOCKETS_READABLE ? SKR_SOCKET_POLL(FD_ISSET)(place->fd, &sets->readable) != 0
                                                 : SKR_SOCKET_POLL(FD_ISSET)(place->fd, &sets->writable) != 0;
}

bool skr_sockets_wait(struct skr_sockets *net, int most_ms)
{
    struct sets sets = {.end = 0};
    struct SKR_SOCKET_TIMEVAL most = {.tv_sec = most_ms / 1000, .tv_usec = most_ms % 1000 * 1000};

    SKR_SOCKET_POLL(FD_ZERO)(&sets.readable);
    SKR_SOCKET_POLL(FD_ZERO)(&sets.writable);
    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        const struct skr_sockets_place *place = skr_sockets_place(net, i);
        if (place->fd >= 0 && place->wanted != 0) {
            add(&sets, place->fd, place->wanted);
        }
    }
#if SKR_SOCKETS_OTHERS > 0
    for (size_t i = 0; i < net->other_count; i++) {
        add(&sets, net->others[i], SKR_SOCKETS_READABLE);
    }
#endif
    int found = SKR_SOCKET(select)(sets.end, &sets.readable, &sets.writable, NULL, most_ms < 0 ? NULL : &most);

    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        struct skr_sockets_place *place = skr_sockets_place(net, i);
        bool ready = found > 0 && place->fd >= 0 && place->wanted != 0 && is_set(&sets, place);
        place->ready = ready ? place->wanted : 0;
    }
#if SKR_SOCKETS_OTHERS > 0
    net->woken = false;
    for (size_t i = 0; found > 0 && i < net->other_count; i++) {
        net->woken |= SKR_SOCKET_POLL(FD_ISSET)(net->others[i], &sets.readable) != 0;
    }
#endif
    return found >= 0 || skr_socket_again();
}

#else

typedef int skr_sockets_does_not_select; /* C does not allow an empty file */

#endif
