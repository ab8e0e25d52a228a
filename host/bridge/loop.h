/* loop.h -- the descriptors that a program waits for beside the clients of port/posix/net.c, collected in every turn; and the
 * client on stdio, if there is one. */
#ifndef BRIDGE_LOOP_H
#define BRIDGE_LOOP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bridge_config.h"

/* Descriptors at most. */
#define BRIDGE_LOOP_FDS 96

/* All zeros, then bridge_loop_want for each. */
struct bridge_loop {
    size_t count;
    struct {
        int fd;
        unsigned events;
    } at[BRIDGE_LOOP_FDS];
};

/* Adds a descriptor, unless it is -1, with poll's events. */
void bridge_loop_want(struct bridge_loop *loop, int fd, short events);

/* Before the loop of posix_serve_net begins: it will call `turn`. `with_stdio`: there is a client on stdin and stdout;
 * `with_channel`: which also gets alarms (channel.h). False, after a message, when the system has no room. */
bool bridge_loop_open(bool with_stdio, bool with_channel, void (*turn)(uint64_t now_ms));

/* The turn begins; and ends, with the descriptors to wait for besides stdio, and for how long. The loop ends with its client on
 * stdio. */
void bridge_loop_begin(void);
void bridge_loop_end(struct bridge_loop *now, uint32_t wait_ms);

#endif
