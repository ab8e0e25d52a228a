/* slots.h -- chooses the link that gets one of the fixed number of slots, and the link that loses it. It only decides; net.c closes
 * and opens. */
#ifndef SKR_SLOTS_H
#define SKR_SLOTS_H

#include "link.h"
#include "posix_config.h"

struct posix_slots {
    struct posix_link links[POSIX_SLOTS];
    size_t count; /* that may be used */
    size_t open;  /* in use */
    size_t lines; /* of those, not HTTP */
    size_t keep;  /* that lines and HTTP streams may have together, since they may stay for ever */
    size_t peer;  /* that one address may have; for this machine's own, which many share, only if `strict` */
    bool strict;
    uint32_t grace_ms;
};

/* `peer_slots` 0: half of all for one address, and no limit for this machine's own addresses. */
void posix_slots_init(struct posix_slots *slots, size_t count, size_t peer_slots, uint32_t grace_ms);

/* One link more, or fewer, is open. */
void posix_slots_count(struct posix_slots *slots, const struct posix_link *link, bool more);

/* The slot for a newcomer, or NULL: none is free, and nobody has to give way. A slot whose fd is not -1 must be
 * emptied first. `streams` is how many HTTP streams are open; `http`, whether HTTP is served at all. */
struct posix_link *posix_slots_choose(struct posix_slots *slots, enum skr_wire wire, const struct posix_address *peer,
                                      bool http, size_t streams, uint64_t now_ms);

/* The link that has to give way when something other than slots runs short; or NULL. */
struct posix_link *posix_slots_weakest(struct posix_slots *slots, uint64_t now_ms);

#endif
