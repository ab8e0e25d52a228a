/* skr_sockets_slots.c -- see skr_sockets_slots.h. */
#include "skr_sockets_slots.h"

#include <string.h>

#include "skr_sockets_system.h"

size_t skr_sockets_keep(const struct skr_sockets *net)
{
    size_t count = skr_sockets_limits_of(net).slots;

    return count - (count > 3 ? count / 4 : count > 1);
}

bool skr_sockets_is_same_host(const struct skr_sockets_address *a, const struct skr_sockets_address *b)
{
    return !a->none && !b->none && a->ipv6 == b->ipv6 && memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

bool skr_sockets_is_loopback(const struct skr_sockets_address *a)
{
#if SKR_SOCKETS_IPV6
    static const uint8_t loopback6[16] = {[15] = 1};

    if (a->ipv6) {
        return memcmp(a->ip, loopback6, sizeof a->ip) == 0;
    }
#endif
    return a->ip[0] == 127;
}

/* Where to look for a slot. */
struct among {
    bool lines;                             /* only among lines */
    const struct skr_sockets_address *peer; /* only among those of this address; NULL for any */
};

static enum skr_claim claim_of(const struct skr_sockets *net, const struct skr_sockets_slot *slot)
{
    bool patient = net->now_ms - slot->since_ms < skr_sockets_limits_of(net).grace_ms;

    return skr_claim_of((enum skr_activity)slot->doing, skr_sockets_is_line(slot->wire) ? SKR_LINE_TCP : SKR_HTTP_1,
                        slot->served, patient, &slot->pace);
}

/* Of two with the same claim: has the first moved less, or for longer not at all? */
static bool moves_less(const struct skr_sockets_slot *a, const struct skr_sockets_slot *b, enum skr_claim claim)
{
    if (claim == SKR_CLAIM_SLOW && a->pace.before != b->pace.before) {
        return a->pace.before < b->pace.before;
    }
    return (int32_t)(a->since_ms - b->since_ms) < 0;
}

/* The slowest of those that may have to give way; or NULL. */
static struct skr_sockets_slot *weakest(struct skr_sockets *net, struct among among)
{
    struct skr_sockets_slot *found = NULL;
    enum skr_claim claim = SKR_CLAIM_KEEPS;

    for (size_t i = 0; i < skr_sockets_limits_of(net).slots; i++) {
        struct skr_sockets_slot *slot = &net->slots[i];
        if (slot->place.fd < 0 || (among.lines && !skr_sockets_is_line(slot->wire)) ||
            (among.peer != NULL && !skr_sockets_is_same_host(&slot->peer, among.peer))) {
            continue;
        }
        enum skr_claim its = claim_of(net, slot);
        if (its < claim || (its == claim && found != NULL && moves_less(slot, found, claim))) {
            found = slot;
            claim = its;
        }
    }
    return found;
}

struct skr_sockets_slot *skr_sockets_weakest(struct skr_sockets *net)
{
    return weakest(net, (struct among){false, NULL});
}

/* True when this address has as many slots as it may have. */
static bool is_at_bound(const struct skr_sockets *net, const struct skr_sockets_address *peer)
{
    struct skr_sockets_limits limits = skr_sockets_limits_of(net);
    size_t has = 0;

    if (!limits.strict && skr_sockets_is_loopback(peer)) {
        return false;
    }
    for (size_t i = 0; i < limits.slots; i++) {
        has += net->slots[i].place.fd >= 0 && skr_sockets_is_same_host(&net->slots[i].peer, peer);
    }
    return has >= limits.peer_slots;
}

/* Lines that are open, and HTTP streams, which stay as long. */
static size_t staying(const struct skr_sockets *net)
{
#if SKR_CHANGES
    return (size_t)net->lines + net->server->streams.open;
#else
    return net->lines;
#endif
}

struct skr_sockets_slot *skr_sockets_choose(struct skr_sockets *net, enum skr_wire wire,
                                            const struct skr_sockets_address *peer)
{
    bool line = skr_sockets_is_line(wire) && net->http && staying(net) >= skr_sockets_keep(net);
    bool bound = is_at_bound(net, peer);

    if (line || bound) {
        return weakest(net, (struct among){line, bound ? peer : NULL});
    }
    for (size_t i = 0, count = skr_sockets_limits_of(net).slots; net->open < count && i < count; i++) {
        if (net->slots[i].place.fd < 0) {
            return &net->slots[i];
        }
    }
    return skr_sockets_weakest(net);
}
