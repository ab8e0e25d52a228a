/* wake.h -- when the bridge looks at its devices again. */
#ifndef SKR_WAKE_H
#define SKR_WAKE_H

#include <stdint.h>

struct host_waiter; /* host/base/system.h */

/* Opens what the bridge waits with, beside its clients; NULL, with errno, on failure. */
struct host_waiter *bridge_timer_open(void);

/* Sets the time: in `ms` milliseconds; 0: at once, because a request has been accepted. */
void bridge_timer_in(uint32_t ms);

#endif
