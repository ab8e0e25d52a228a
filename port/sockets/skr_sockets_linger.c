/* skr_sockets_linger.c -- the end of a connection, politely. */
#include "skr_sockets_linger.h"

#include "skr_sockets_system.h"
#include "skr_sockets_wait.h"

static void end(struct skr_sockets *net, struct skr_sockets_linger *one)
{
    skr_sockets_leave(net, &one->place);
    net->lingering--;
}

/* A free one; if there is none, the oldest. */
static struct skr_sockets_linger *find_linger(struct skr_sockets *net)
{
    struct skr_sockets_linger *oldest = &net->lingers[0];

    for (size_t i = 0; i < SKR_SOCKETS_LINGERS; i++) {
        struct skr_sockets_linger *one = &net->lingers[i];
        if (one->place.fd < 0) {
            return one;
        }
        if ((int32_t)(one->since_ms - oldest->since_ms) < 0) {
            oldest = one;
        }
    }
    end(net, oldest);
    return oldest;
}

void skr_sockets_linger_on(struct skr_sockets *net, int fd)
{
    if (!skr_socket_shut(fd)) { /* the peer is gone, or the stack closes by itself when everything has been sent */
        skr_socket_close(fd);
        return;
    }
    struct skr_sockets_linger *one = find_linger(net);
    one->place = (struct skr_sockets_place){.fd = fd, .wanted = SKR_SOCKETS_READABLE};
    one->discarded = 0;
    one->since_ms = net->now_ms;
    net->lingering++;
}

void skr_sockets_linger_turn(struct skr_sockets *net, struct skr_sockets_linger *one)
{
    char rubbish[SKR_SOCKETS_DISCARD];
    int n = skr_socket_recv(one->place.fd, rubbish, sizeof rubbish);

    if (n < 0 && skr_socket_again()) {
        return;
    }
    if (n > 0) {
        one->discarded += (uint32_t)n;
    }
    if (n <= 0 || one->discarded > SKR_SOCKETS_DISCARD_MAX) {
        end(net, one);
    }
}

void skr_sockets_linger_check(struct skr_sockets *net, bool all)
{
    for (size_t i = 0; i < SKR_SOCKETS_LINGERS; i++) {
        struct skr_sockets_linger *one = &net->lingers[i];
        if (one->place.fd >= 0 && (all || net->now_ms - one->since_ms >= SKR_SOCKETS_LINGER_MS)) {
            end(net, one);
        }
    }
}
