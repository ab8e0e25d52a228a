/* timer.h -- the time of the bridge's next turn. */
#ifndef BRIDGE_TIMER_H
#define BRIDGE_TIMER_H

#include <stdint.h>

struct host_waiter; /* host/base/system.h */

/* Opens the waiter for devices, beside the one for clients; NULL, with errno, on failure. */
struct host_waiter *bridge_timer_open(void);

/* Sets the time to `ms` milliseconds from now; 0 for immediately, because a request has been accepted. */
void bridge_timer_in(uint32_t ms);

#endif
