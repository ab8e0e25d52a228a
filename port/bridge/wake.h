/* wake.h -- when the bridge looks at its devices again. */
#ifndef SKR_WAKE_H
#define SKR_WAKE_H

#include <stdint.h>

struct skr_waiter; /* host/system.h */

/* Opens what the bridge waits with, beside its clients; NULL, with errno, on failure. */
struct skr_waiter *skr_wake_open(void);

/* Sets the time: in `ms` milliseconds; 0: at once, because a request has been accepted. */
void skr_wake_in(uint32_t ms);

#endif
