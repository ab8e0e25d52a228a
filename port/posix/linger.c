/* linger.c -- the end of a link, politely. */
#include "linger.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

void posix_lingers_init(struct posix_lingers *all, struct host_waiter *waiter)
{
    all->waiter = waiter;
    for (size_t i = 0; i < POSIX_LINGERS; i++) {
        all->at[i].fd = -1;
    }
    all->count = 0;
}

static void end(struct posix_lingers *all, struct posix_linger *one)
{
    host_wait_forget(all->waiter, one->fd);
    close(one->fd);
    one->fd = -1;
    all->count--;
}

/* A free slot; if there is none, the oldest one's. */
static struct posix_linger *place(struct posix_lingers *all)
{
    struct posix_linger *oldest = &all->at[0];

    for (size_t i = 0; i < POSIX_LINGERS; i++) {
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

size_t posix_lingers_add(struct posix_lingers *all, int fd, uint64_t now_ms)
{
    struct posix_linger *one = place(all);

    shutdown(fd, SHUT_WR);
    one->fd = fd;
    one->discarded = 0;
    one->since_ms = now_ms;
    all->count++;
    return (size_t)(one - all->at);
}

void posix_lingers_turn(struct posix_lingers *all, size_t index)
{
    struct posix_linger *one = &all->at[index];
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
    if (n <= 0 || one->discarded > POSIX_DISCARD_MAX) {
        end(all, one);
    }
}

void posix_lingers_check(struct posix_lingers *all, uint64_t now_ms)
{
    for (size_t i = 0; i < POSIX_LINGERS; i++) {
        if (all->at[i].fd >= 0 && now_ms - all->at[i].since_ms >= POSIX_LINGER_MS) {
            end(all, &all->at[i]);
        }
    }
}
