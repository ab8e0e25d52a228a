/* pace.h -- how fast a connection moves, and so what claim it has to its slot. Every port with a fixed number of
 * slots needs this when all of them are in use: a peer that sends or reads a byte now and then must give way to those
 * that wait.
 *
 * Bytes are counted over successive spans of time, and the last complete span decides. So a peer that once moved a
 * lot is not excused for ever, and one that has just begun has its first span to itself. */
#ifndef SKR_PACE_H
#define SKR_PACE_H

#include "skillrom.h"

struct skr_pace {
    uint32_t began_ms; /* the span now counted */
    uint32_t moved;    /* bytes in it, both ways */
    uint32_t before;   /* bytes in the span before */
    bool slow;         /* those were too few; false while there is none before */
};

/* A request begins to arrive, or a response to leave. */
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

/* A connection's claim to its slot when a newcomer needs one; the first gives way before the others. */
enum skr_claim {
    SKR_CLAIM_IDLE,   /* kept alive, but not asking anything */
    SKR_CLAIM_SILENT, /* has never sent a request, and had enough time */
    SKR_CLAIM_SLOW,   /* its request hardly arrives, or its response is hardly read */
    SKR_CLAIM_KEEPS,  /* it is being served, or is a line that was, or listens */
};

/* `served`: it has had a response. `patient`: its grace period is not over. */
static inline enum skr_claim skr_claim_of(enum skr_activity doing, enum skr_wire wire, bool served, bool patient,
                                          const struct skr_pace *pace)
{
    if (doing == SKR_RECEIVING || doing == SKR_RESPONDING) {
        return pace->slow ? SKR_CLAIM_SLOW : SKR_CLAIM_KEEPS;
    }
    if (doing != SKR_IDLE || (!served && patient)) { /* its request may still be on the way */
        return SKR_CLAIM_KEEPS;
    }
    return !served ? SKR_CLAIM_SILENT : wire == SKR_HTTP_1 ? SKR_CLAIM_IDLE : SKR_CLAIM_KEEPS;
}

#endif
