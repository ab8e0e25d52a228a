/* wake.h -- when the bridge looks at its devices again (wake.c). */
#ifndef SKR_WAKE_H
#define SKR_WAKE_H

#include <stdbool.h>
#include <stdint.h>

/* A descriptor that becomes readable when it is time; -1, with errno, on failure. */
int skr_wake_open(void);

/* Sets the time: in `ms` milliseconds; 0: at once, because a request has been accepted. */
void skr_wake_in(uint32_t ms);

#endif
