/* linger.h -- links that have had their last response.
 *
 * Closing a socket with unread input makes the system reset the connection, and a reset may
 * overtake the response: the peer then sees an error instead of the 413 or 503 that was meant for
 * it. So our side is shut, what still comes is read and thrown away, and the socket closes when
 * the peer has closed, or after a while. This needs no connection of the core: the slot is free
 * immediately. */
#ifndef SKR_LINGER_H
#define SKR_LINGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "posix_config.h"
#include "system.h"

struct posix_linger {
    int fd; /* -1: free */
    uint32_t discarded;
    uint64_t since_ms;
};

struct posix_lingers {
    struct posix_linger at[POSIX_LINGERS];
    size_t count;               /* in use */
    struct host_waiter *waiter; /* where they are watched */
};

void posix_lingers_init(struct posix_lingers *all, struct host_waiter *waiter);

/* Shuts our side of fd and takes it over. Returns its index. When all are in use, the oldest is closed. */
size_t posix_lingers_add(struct posix_lingers *all, int fd, uint64_t now_ms);

/* Input has arrived on this one: discards it, and closes the socket at end of file. */
void posix_lingers_turn(struct posix_lingers *all, size_t index);

/* Closes those whose time is up. */
void posix_lingers_check(struct posix_lingers *all, uint64_t now_ms);

#endif
