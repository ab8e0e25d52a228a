/* timer.c -- see timer.h. */
#include "timer.h"

#include "system.h"

static struct host_waiter waiter;

struct host_waiter *bridge_timer_open(void)
{
    return host_wait_open(&waiter) ? &waiter : NULL;
}

void bridge_timer_in(uint32_t ms)
{
    host_wait_wake_in(&waiter, ms);
}
