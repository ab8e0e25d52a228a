/* skr_lwip_slots.c -- see skr_lwip_slots.h. */
#include "skr_lwip_slots.h"

#include "lwip/pbuf.h"
#include "lwip/sys.h"

/* Buffers that a frame of full size takes, with its headers. */
#define FRAME_BUFFERS ((TCP_MSS + 64 + PBUF_POOL_BUFSIZE - 1) / PBUF_POOL_BUFSIZE)

/* Raw lines stay as long as they like; where HTTP is served too, one slot is not for them. */
static bool too_many_lines(const struct skr_lwip *net, enum skr_wire wire)
{
    size_t lines = 0;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        lines += net->slots[i].pcb != NULL && net->slots[i].wire != SKR_HTTP_1;
    }
    return wire != SKR_HTTP_1 && net->listener_count > 1 && lines + 1 >= SKR_LWIP_SLOTS;
}

static bool is_of(const struct skr_lwip_slot *slot, const struct tcp_pcb *newcomer)
{
    return ip_addr_cmp(&slot->pcb->remote_ip, &newcomer->remote_ip);
}

/* True when the newcomer's address has as many slots as it may have. */
static bool is_at_bound(const struct skr_lwip *net, const struct tcp_pcb *newcomer)
{
    size_t has = 0;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        has += net->slots[i].pcb != NULL && is_of(&net->slots[i], newcomer);
    }
    return has >= SKR_LWIP_PEER_SLOTS;
}

struct skr_lwip_slot *skr_lwip_free_slot(struct skr_lwip *net, enum skr_wire wire, const struct tcp_pcb *newcomer)
{
    if (too_many_lines(net, wire) || is_at_bound(net, newcomer)) {
        return NULL;
    }
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        if (net->slots[i].pcb == NULL) {
            return &net->slots[i];
        }
    }
    return NULL;
}

static enum skr_claim claim_of(const struct skr_lwip_slot *slot)
{
    bool patient = sys_now() - slot->since_ms < SKR_LWIP_GRACE_MS;

    return skr_claim_of((enum skr_activity)slot->doing, (enum skr_wire)slot->wire, slot->served, patient, &slot->pace);
}

/* Of two with the same claim: has the first moved less, or for longer not at all? */
static bool moves_less(const struct skr_lwip_slot *a, const struct skr_lwip_slot *b, enum skr_claim claim)
{
    if (claim == SKR_CLAIM_SLOW && a->pace.before != b->pace.before) {
        return a->pace.before < b->pace.before;
    }
    return (int32_t)(a->since_ms - b->since_ms) < 0;
}

struct skr_lwip_slot *skr_lwip_weakest(struct skr_lwip *net, enum skr_wire wire, const struct tcp_pcb *newcomer)
{
    const bool only_lines = too_many_lines(net, wire), only_own = is_at_bound(net, newcomer);
    struct skr_lwip_slot *found = NULL;
    enum skr_claim claim = SKR_CLAIM_KEEPS;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        struct skr_lwip_slot *slot = &net->slots[i];
        if (slot->pcb == NULL || (only_lines && slot->wire == SKR_HTTP_1) || (only_own && !is_of(slot, newcomer))) {
            continue;
        }
        enum skr_claim its = claim_of(slot);
        if (its < claim || (its == claim && found != NULL && moves_less(slot, found, claim))) {
            found = slot;
            claim = its;
        }
    }
    return found;
}

bool skr_lwip_is_choked(const struct skr_lwip *net)
{
    unsigned held = 0;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        const struct skr_lwip_slot *slot = &net->slots[i];
        if (slot->pcb != NULL && slot->held != NULL) {
            held += pbuf_clen(slot->held);
        }
        if (slot->pcb != NULL && slot->pcb->refused_data != NULL) {
            held += pbuf_clen(slot->pcb->refused_data);
        }
    }
    return held + FRAME_BUFFERS > PBUF_POOL_SIZE;
}
