/* pace.h -- how fast a connection moves. Every port with a fixed number of slots needs to know when all of them are in
 * use: a peer that sends a byte now and then, or takes one, must give way to those who wait.
 *
 * Bytes are counted over one span of time after another, and the last whole span decides. So a peer that moved much
 * once is not excused for ever, and one that has just begun has its first span to itself. */
#ifndef SKR_PACE_H
#define SKR_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct skr_pace {
    uint32_t began_ms; /* the span now counted */
    uint32_t moved;    /* bytes in it, both ways */
    uint32_t before;   /* bytes in the span before */
    bool slow;         /* those were too few; false while there is none before */
};

/* A request begins to come, or an answer to leave. */
static inline void skr_pace_start(struct skr_pace *pace, uint32_t now_ms)
{
    pace->began_ms = now_ms;
    pace->moved = 0;
    pace->slow = false;
}

static inline void skr_pace_moved(struct skr_pace *pace, uint32_t bytes)
{
    pace->moved = bytes < UINT32_MAX - pace->moved ? pace->moved + bytes : UINT32_MAX;
}

/* To be called a few times in a span, which takes `span_ms`; fewer than `least` bytes in it are slow. */
static inline void skr_pace_check(struct skr_pace *pace, uint32_t now_ms, uint32_t span_ms, uint32_t least)
{
    if (now_ms - pace->began_ms < span_ms) {
        return;
    }
    pace->slow = pace->moved < least;
    pace->before = pace->moved;
    pace->began_ms = now_ms;
    pace->moved = 0;
}

#endif
