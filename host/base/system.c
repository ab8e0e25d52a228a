/* system.c -- the common part of both implementations. See system.h. */
#include "system.h"

#include "clock.h"

void host_wait_wake_in(struct host_waiter *inner, uint32_t ms)
{
    inner->due_ms = host_clock_ms() + ms;
}

int host_wait(struct host_waiter *w, struct host_ready *ready, int room, int ms)
{
    struct host_waiter *inner = w->inner;

    if (inner != NULL && inner->due_ms != 0) {
        uint64_t now_ms = host_clock_ms();
        uint64_t left = inner->due_ms > now_ms ? inner->due_ms - now_ms : 0;
        ms = ms < 0 || left < (uint64_t)ms ? (int)left : ms;
    }
    int count = host_wait_in_system(w, ready, room - 1, ms);
    if (count >= 0 && inner != NULL && inner->due_ms != 0 && host_clock_ms() >= inner->due_ms) {
        inner->due_ms = 0;
        ready[count++] = (struct host_ready){.tag = w->inner_tag, .events = HOST_READABLE};
    }
    return count;
}

void host_signals_to_end(sigset_t *signals)
{
    struct sigaction hangup;

    sigemptyset(signals);
    sigaddset(signals, SIGINT);
    sigaddset(signals, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hangup) != 0 ||
        hangup.sa_handler != SIG_IGN) { /* one that is awaited is never ignored */
        sigaddset(signals, SIGHUP);
    }
}
