/* wake.c -- see wake.h. */
#include "wake.h"

#include "system.h"

static struct skr_waiter side;

struct skr_waiter *skr_wake_open(void)
{
    return skr_wait_open(&side) ? &side : NULL;
}

void skr_wake_in(uint32_t ms)
{
    skr_wait_wake_in(&side, ms);
}
