/* loop.c -- see loop.h. */
#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "../../port/posix/serve.h"
#include "channel.h"
#include "clock.h"
#include "console.h"
#include "stdio_client.h"
#include "system.h"
#include "timer.h"

static struct bridge_loop before;
static struct host_waiter *waiter;
static bool use_stdio;
static int stdio_fd = -1;   /* the core's end of the client on stdio, until it is adopted */
static int channel_fd = -1; /* likewise, of the channel */

void bridge_loop_want(struct bridge_loop *loop, int fd, short events)
{
    if (fd >= 0 && loop->count < BRIDGE_LOOP_FDS) {
        loop->at[loop->count].fd = fd;
        loop->at[loop->count++].events =
            (events & POLLIN ? HOST_READABLE : 0u) | (events & POLLOUT ? HOST_WRITABLE : 0u);
    }
}

static bool loop_has(const struct bridge_loop *loop, int fd)
{
    for (size_t i = 0; i < loop->count; i++) {
        if (loop->at[i].fd == fd) {
            return true;
        }
    }
    return false;
}

/* Waits for these from now on, and no longer for others of the turn before. False if one cannot be waited for: a plain file as
 * stdin, which is always ready. */
static bool loop_update(const struct bridge_loop *now)
{
    bool all = true;

    for (size_t i = 0; i < before.count; i++) {
        if (!loop_has(now, before.at[i].fd)) {
            host_wait_forget(waiter, before.at[i].fd);
        }
    }
    for (size_t i = 0; i < now->count; i++) {
        if (!host_wait_change(waiter, now->at[i].fd, 0, now->at[i].events) &&
            !host_wait_add(waiter, now->at[i].fd, 0, now->at[i].events)) {
            all &= errno != EPERM;
        }
    }
    before = *now;
    return all;
}

bool bridge_loop_open(bool with_stdio, bool with_channel, void (*turn)(uint64_t now_ms))
{
    use_stdio = with_stdio;
    waiter = bridge_timer_open();
    stdio_fd = use_stdio ? bridge_stdio_open() : -1;
    channel_fd = with_channel ? bridge_channel_open() : -1;
    if (waiter == NULL || (use_stdio && stdio_fd < 0) || (with_channel && channel_fd < 0)) {
        host_log("cannot wait for devices: %s", strerror(errno));
        return false;
    }
    bridge_timer_in(0);
    posix_net_nest(waiter, turn);
    return true;
}

void bridge_loop_begin(void)
{
    if (stdio_fd >= 0) {
        (void)posix_net_adopt(stdio_fd, "stdin");
        stdio_fd = -1;
    }
    if (channel_fd >= 0) {
        (void)posix_net_adopt(channel_fd, "channel");
        channel_fd = -1;
    }
}

void bridge_loop_end(struct bridge_loop *now, uint32_t wait_ms)
{
    int fds[3];
    short events[3];

    bridge_channel_turn(host_clock_ms());
    if (use_stdio && !bridge_stdio_turn()) {
        posix_net_stop();
    }
    for (unsigned i = 0, n = use_stdio ? bridge_stdio_wants(fds, events) : 0; i < n; i++) {
        bridge_loop_want(now, fds[i], events[i]);
    }
    int channel = bridge_channel_wants(events);
    bridge_loop_want(now, channel, events[0]);
    uint32_t channel_ms = bridge_channel_wait_ms(host_clock_ms());
    wait_ms = channel_ms < wait_ms ? channel_ms : wait_ms;
    bridge_timer_in(loop_update(now) ? wait_ms : 1);
}
