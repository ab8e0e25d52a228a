/* slots.c -- see slots.h. */
#include "slots.h"

void posix_slots_init(struct posix_slots *slots, size_t count, size_t peer_slots, uint32_t grace_ms)
{
    slots->count = count;
    slots->keep = count - (count > 3 ? count / 4 : count > 1);
    slots->strict = peer_slots != 0;
    slots->peer = slots->strict ? peer_slots : (count + 1) / 2;
    slots->grace_ms = grace_ms;
    for (size_t i = 0; i < POSIX_SLOTS; i++) {
        slots->links[i].fd = -1;
    }
}

void posix_slots_count(struct posix_slots *slots, const struct posix_link *link, bool more)
{
    slots->open = more ? slots->open + 1 : slots->open - 1;
    if (link->wire != SKR_HTTP_1) {
        slots->lines = more ? slots->lines + 1 : slots->lines - 1;
    }
}

/* Where to look for a slot. */
struct among {
    bool lines;                       /* only lines */
    const struct posix_address *peer; /* only those of this address; NULL: of any */
};

/* The slowest of those that may have to give way; or NULL. */
static struct posix_link *weakest(struct posix_slots *slots, struct among among, uint64_t now_ms)
{
    struct posix_link *found = NULL;
    enum skr_claim claim = SKR_CLAIM_KEEPS;

    for (size_t i = 0; i < slots->count; i++) {
        struct posix_link *link = &slots->links[i];
        if (link->fd < 0 || (among.lines && link->wire == SKR_HTTP_1) ||
            (among.peer != NULL && !posix_address_same_host(&link->peer, among.peer))) {
            continue;
        }
        enum skr_claim its = posix_link_claim(link, slots->grace_ms, now_ms);
        if (its < claim || (its == claim && found != NULL && posix_link_moves_less(link, found, claim))) {
            found = link;
            claim = its;
        }
    }
    return found;
}

struct posix_link *posix_slots_weakest(struct posix_slots *slots, uint64_t now_ms)
{
    return weakest(slots, (struct among){false, NULL}, now_ms);
}

/* Does this address have as many slots as it may have? */
static bool is_at_bound(const struct posix_slots *slots, const struct posix_address *peer)
{
    size_t has = 0;

    if (peer == NULL || (!slots->strict && posix_address_is_loopback(peer))) {
        return false;
    }
    for (size_t i = 0; i < slots->count; i++) {
        has += slots->links[i].fd >= 0 && posix_address_same_host(&slots->links[i].peer, peer);
    }
    return has >= slots->peer;
}

struct posix_link *posix_slots_choose(struct posix_slots *slots, enum skr_wire wire, const struct posix_address *peer,
                                      bool http, size_t streams, uint64_t now_ms)
{
    bool line = wire != SKR_HTTP_1 && http && slots->lines + streams >= slots->keep;

    if (line || is_at_bound(slots, peer)) {
        return weakest(slots, (struct among){line, is_at_bound(slots, peer) ? peer : NULL}, now_ms);
    }
    for (size_t i = 0; slots->open < slots->count && i < slots->count; i++) {
        if (slots->links[i].fd < 0) {
            return &slots->links[i];
        }
    }
    return posix_slots_weakest(slots, now_ms);
}
