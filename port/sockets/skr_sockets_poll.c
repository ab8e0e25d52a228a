/* skr_sockets_poll.c -- waiting with poll. Left out unless SKR_SOCKETS_WAIT is SKR_SOCKETS_POLL. */
#include "skr_sockets_wait.h"

#if SKR_SOCKETS_WAIT == SKR_SOCKETS_POLL

#include "skr_sockets_system.h"

static bool is_waited_for(const struct skr_sockets_place *place)
{
    return place->fd >= 0 && place->wanted != 0;
}

static void add(struct SKR_SOCKET_POLLFD *one, int fd, uint8_t wanted)
{
    one->fd = fd;
    one->events = (wanted & SKR_SOCKETS_READABLE) != 0 ? SKR_SOCKET_POLL(POLLIN) : SKR_SOCKET_POLL(POLLOUT);
    one->revents = 0;
}

/* Zephyr reports that a peer has half-closed at every poll, and then no longer whether it takes bytes. Trying again and
 * again would keep other threads from running. */
static void pause_if_half_closed(const struct SKR_SOCKET_POLLFD *one)
{
#ifdef SKR_SOCKET_PAUSE
    if (one->events == SKR_SOCKET_POLL(POLLOUT) && one->revents == SKR_SOCKET_POLL(POLLHUP)) {
        SKR_SOCKET_PAUSE();
    }
#else
    (void)one;
#endif
}

bool skr_sockets_wait(struct skr_sockets *net, int most_ms)
{
    struct SKR_SOCKET_POLLFD polled[SKR_SOCKETS_PLACES + SKR_SOCKETS_OTHERS];
    uint16_t count = 0; /* fits whatever type a system has for it */

    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        struct skr_sockets_place *place = skr_sockets_place(net, i);
        place->ready = 0;
        if (is_waited_for(place)) {
            add(&polled[count++], place->fd, place->wanted);
        }
    }
#if SKR_SOCKETS_OTHERS > 0
    for (size_t i = 0; i < net->other_count; i++) {
        add(&polled[count++], net->others[i], SKR_SOCKETS_READABLE);
    }
    net->woken = false;
#endif
    int found = SKR_SOCKET(poll)(polled, count, most_ms);
    if (found <= 0) {
        return found == 0 || skr_socket_again();
    }

    /* An error or an end is noticed by reading or writing. */
    const struct SKR_SOCKET_POLLFD *at = polled;
    for (size_t i = 0; i < SKR_SOCKETS_PLACES; i++) {
        struct skr_sockets_place *place = skr_sockets_place(net, i);
        if (is_waited_for(place)) {
            place->ready = at->revents != 0 ? place->wanted : 0;
            pause_if_half_closed(at++);
        }
    }
#if SKR_SOCKETS_OTHERS > 0
    for (; at < polled + count; at++) {
        net->woken |= at->revents != 0;
    }
#endif
    return true;
}

#else

typedef int skr_sockets_does_not_poll; /* C does not allow an empty file */

#endif
