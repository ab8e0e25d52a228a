/* stand_in.c -- see stand_in.h. */
#include "stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cache.h"

uint64_t now_ms;

int __real_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    if (clock != CLOCK_MONOTONIC_COARSE) {
        return __real_clock_gettime(clock, now);
    }
    now->tv_sec = (time_t)(now_ms / 1000);
    now->tv_nsec = (long)(now_ms % 1000) * 1000000;
    return 0;
}

void __wrap_host_log(const char *format, ...)
{
    (void)format;
}

void __wrap_bridge_timer_in(uint32_t ms)
{
    (void)ms;
}

int __wrap_getentropy(void *bytes, size_t n)
{
    memset(bytes, 7, n);
    return 0;
}

/* A cache of a few responses. */
static struct {
    uint8_t key[BRIDGE_CACHE_KEY];
    size_t n;
    char *bytes;
} cached[4];
static unsigned cached_next;

size_t __wrap_bridge_cache_get(const uint8_t key[BRIDGE_CACHE_KEY], char *to, size_t room)
{
    for (unsigned i = 0; i < 4; i++) {
        if (cached[i].n > 0 && memcmp(cached[i].key, key, BRIDGE_CACHE_KEY) == 0) {
            if (room > 0 && room < cached[i].n) {
                return 0;
            }
            if (room > 0) {
                memcpy(to, cached[i].bytes, cached[i].n);
            }
            return cached[i].n;
        }
    }
    return 0;
}

void __wrap_bridge_cache_put(const uint8_t key[BRIDGE_CACHE_KEY], const char *bytes, size_t n)
{
    unsigned i = cached_next++ % 4;

    memcpy(cached[i].key, key, BRIDGE_CACHE_KEY);
    free(cached[i].bytes);
    cached[i].bytes = malloc(n + 1);
    memcpy(cached[i].bytes, bytes, n);
    cached[i].n = n;
}

void __wrap_bridge_cache_drop(const uint8_t key[BRIDGE_CACHE_KEY])
{
    for (unsigned i = 0; i < 4; i++) {
        cached[i].n = memcmp(cached[i].key, key, BRIDGE_CACHE_KEY) == 0 ? 0 : cached[i].n;
    }
}

/* ---- For targets ---- */

void stand_in_start(void)
{
    for (unsigned i = 0; i < 4; i++) {
        cached[i].n = 0;
    }
    cached_next = 0;
    now_ms = 100000;
}

void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "it does not hold that %s\n", what);
        abort();
    }
}
