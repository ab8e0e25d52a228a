/* side.c -- see side.h. */
#include "side.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "../posix/serve.h"
#include "say.h"
#include "stdio_client.h"
#include "system.h"
#include "wake.h"

static struct skr_side before;
static struct skr_waiter *waiter;
static bool use_stdio;
static int stdio_fd = -1; /* the core's end of the client on stdio, until it is adopted */
static const char *described = "", *described_more = "";

void skr_side_want(struct skr_side *s, int fd, short events)
{
    if (fd >= 0 && s->count < SKR_SIDE_FDS) {
        s->at[s->count].fd = fd;
        s->at[s->count++].events = (events & POLLIN ? SKR_READABLE : 0u) | (events & POLLOUT ? SKR_WRITABLE : 0u);
    }
}

static bool holds(const struct skr_side *s, int fd)
{
    for (size_t i = 0; i < s->count; i++) {
        if (s->at[i].fd == fd) {
            return true;
        }
    }
    return false;
}

/* Waits for these from now on, and no longer for others of the turn before. True when everything can be watched. A plain file
 * as stdin cannot; it is always ready. */
static bool watch(const struct skr_side *now)
{
    bool all = true;
    for (size_t i = 0; i < before.count; i++) {
        if (!holds(now, before.at[i].fd)) {
            skr_wait_forget(waiter, before.at[i].fd);
        }
    }
    for (size_t i = 0; i < now->count; i++) {
        if (!skr_wait_change(waiter, now->at[i].fd, 0, now->at[i].events) &&
            !skr_wait_add(waiter, now->at[i].fd, 0, now->at[i].events)) {
            all &= errno != EPERM;
        }
    }
    before = *now;
    return all;
}

bool skr_side_open(bool with_stdio, void (*turn)(uint64_t now_ms))
{
    use_stdio = with_stdio;
    waiter = skr_wake_open();
    stdio_fd = use_stdio ? skr_stdio_open() : -1;
    if (waiter == NULL || (use_stdio && stdio_fd < 0)) {
        skr_say("cannot wait for devices: %s", strerror(errno));
        return false;
    }
    skr_wake_in(0);
    skr_net_side(waiter, turn);
    return true;
}

void skr_side_begin(void)
{
    if (stdio_fd >= 0) {
        (void)skr_net_adopt(stdio_fd, "stdin");
        stdio_fd = -1;
    }
}

void skr_side_end(struct skr_side *now, uint32_t wait_ms)
{
    int fds[3];
    short events[3];
    if (use_stdio && !skr_stdio_turn()) {
        skr_net_stop();
    }
    for (unsigned i = 0, n = use_stdio ? skr_stdio_wants(fds, events) : 0; i < n; i++) {
        skr_side_want(now, fds[i], events[i]);
    }
    skr_wake_in(watch(now) ? wait_ms : 1);
}

void skr_describe_as(const char *what, const char *more)
{
    described = what;
    described_more = more;
}

void skr_describe(const struct skr_server *server, char *what, size_t size)
{
    (void)server;
    (void)snprintf(what, size, "%s%s", described, described_more);
}
