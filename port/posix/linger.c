/* linger.c -- the end of a link, politely. */
#include "linger.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void skr_lingers_init(struct skr_lingers *all, struct skr_waiter *waiter)
{
    all->waiter = waiter;
    for (size_t i = 0; i < SKR_POSIX_LINGERS; i++) {
        all->at[i].fd = -1;
    }
    all->count = 0;
}

static void end(struct skr_lingers *all, struct skr_linger *one)
{
    skr_wait_forget(all->waiter, one->fd);
    close(one->fd);
    one->fd = -1;
    all->count--;
}

/* A free slot; if there is none, the oldest one's. */
static struct skr_linger *place(struct skr_lingers *all)
{
    struct skr_linger *oldest = &all->at[0];

    for (size_t i = 0; i < SKR_POSIX_LINGERS; i++) {
        if (all->at[i].fd < 0) {
            return &all->at[i];
        }
        if (all->at[i].since_ms < oldest->since_ms) {
            oldest = &all->at[i];
        }
    }
    end(all, oldest);
    return oldest;
}

size_t skr_lingers_add(struct skr_lingers *all, int fd, uint64_t now_ms)
{
    struct skr_linger *one = place(all);

    shutdown(fd, SHUT_WR);
    one->fd = fd;
    one->discarded = 0;
    one->since_ms = now_ms;
    all->count++;
    return (size_t)(one - all->at);
}

void skr_lingers_turn(struct skr_lingers *all, size_t index)
{
    struct skr_linger *one = &all->at[index];
    char rubbish[16384];

    if (one->fd < 0) {
        return;
    }
    ssize_t n = recv(one->fd, rubbish, sizeof rubbish, 0);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
        return;
    }
    if (n > 0) {
        one->discarded += (uint32_t)n;
    }
    if (n <= 0 || one->discarded > SKR_POSIX_DISCARD_MAX) {
        end(all, one);
    }
}

void skr_lingers_check(struct skr_lingers *all, uint64_t now_ms)
{
    for (size_t i = 0; i < SKR_POSIX_LINGERS; i++) {
        if (all->at[i].fd >= 0 && now_ms - all->at[i].since_ms >= SKR_POSIX_LINGER_MS) {
            end(all, &all->at[i]);
        }
    }
}
