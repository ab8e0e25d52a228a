/* skr_sockets_slots.h -- chooses the link that gets one of the few slots, and the link that loses it. It only decides;
 * skr_sockets.c closes and opens. */
#ifndef SKR_SOCKETS_SLOTS_H
#define SKR_SOCKETS_SLOTS_H

#include "skr_sockets.h"

/* The limits of sockets_config.h. */
#define SKR_SOCKETS_LIMITS                                                                                             \
    (struct skr_sockets_limits)                                                                                        \
    {                                                                                                                  \
        .timeout_ms = SKR_SOCKETS_TIMEOUT_MS, .idle_ms = SKR_SOCKETS_IDLE_MS, .grace_ms = SKR_SOCKETS_GRACE_MS,        \
        .slots = SKR_SOCKETS_SLOTS, .peer_slots = SKR_SOCKETS_PEER_SLOTS                                               \
    }

/* The limits in force. Constants take no memory, and the compiler works with their values. */
static inline struct skr_sockets_limits skr_sockets_limits_of(const struct skr_sockets *net)
{
#if SKR_SOCKETS_ADJUSTABLE
    return net->limits;
#else
    (void)net;
    return SKR_SOCKETS_LIMITS;
#endif
}

/* Not HTTP; without SKR_SOCKETS_LINES there is nothing else. */
static inline bool skr_sockets_is_line(unsigned wire)
{
    return SKR_SOCKETS_LINES && wire != SKR_HTTP_1;
}

/* The slot for a newcomer, or NULL: none is free, and nobody has to give way. A slot that is in use must be emptied
 * first. */
struct skr_sockets_slot *skr_sockets_choose(struct skr_sockets *net, enum skr_wire wire,
                                            const struct skr_sockets_address *peer);

/* The link that has to give way when something other than slots runs short; or NULL. */
struct skr_sockets_slot *skr_sockets_weakest(struct skr_sockets *net);

/* Slots that lines and HTTP streams may have together, since they may stay for ever. */
size_t skr_sockets_keep(const struct skr_sockets *net);

#endif
