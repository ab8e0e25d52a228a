/* clock.h -- the clock of the port. */
#ifndef HOST_CLOCK_H
#define HOST_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Coarse where there is one: no timeout needs a better clock, and it is read without a system call. */
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

/* True when at least `ms` have passed. The clock is read several times in one turn, so `since` may be slightly later
 * than `now`. */
static inline bool host_waited(uint64_t now_ms, uint64_t since_ms, uint64_t ms)
{
    return now_ms >= since_ms && now_ms - since_ms >= ms;
}

#endif
