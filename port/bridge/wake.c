/* wake.c -- see wake.h. */
#include "wake.h"

#include <stddef.h>
#include <sys/timerfd.h>
#include <time.h>

static int timer = -1;

int skr_wake_open(void)
{
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    return timer;
}

void skr_wake_in(uint32_t ms)
{
    struct itimerspec at = {.it_value = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000 + 1}};
    (void)timerfd_settime(timer, 0, &at, NULL);
}
