/* clock.h -- the clock of the port. */
#ifndef SKR_CLOCK_H
#define SKR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Coarse where there is one: no time-out needs a better clock, and it is read without a system call. */
static inline uint64_t host_clock_ms(void)
{
    struct timespec now;

#ifdef CLOCK_MONOTONIC_COARSE
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
#else
    clock_gettime(CLOCK_MONOTONIC, &now);
#endif
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif
