/* wake.c -- see wake.h. */
#include "timer.h"

#include "system.h"

static struct host_waiter side;

struct host_waiter *bridge_timer_open(void)
{
    return host_wait_open(&side) ? &side : NULL;
}

void bridge_timer_in(uint32_t ms)
{
    host_wait_wake_in(&side, ms);
}
