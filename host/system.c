/* system.c -- what both implementations share. See system.h. */
#include "system.h"

#include "clock.h"

void skr_wait_wake_in(struct skr_waiter *inner, uint32_t ms)
{
    inner->due_ms = skr_clock_ms() + ms;
}

int skr_wait(struct skr_waiter *w, struct skr_ready *ready, int room, int ms)
{
    struct skr_waiter *inner = w->inner;

    if (inner != NULL && inner->due_ms != 0) {
        uint64_t now_ms = skr_clock_ms();
        uint64_t left = inner->due_ms > now_ms ? inner->due_ms - now_ms : 0;
        ms = ms < 0 || left < (uint64_t)ms ? (int)left : ms;
    }
    int count = skr_wait_in_system(w, ready, room - 1, ms);
    if (count >= 0 && inner != NULL && inner->due_ms != 0 && skr_clock_ms() >= inner->due_ms) {
        inner->due_ms = 0;
        ready[count++] = (struct skr_ready){.tag = w->inner_tag, .events = SKR_READABLE};
    }
    return count;
}
