/* skr_sockets_link.c -- one socket and its connection. Here is the path every request takes: one recv into the core's
 * own buffer, one send from where the response lies, and back to waiting. */
#include "skr_sockets_link.h"

#include "skr_sockets_slots.h"
#include "skr_sockets_system.h"

void skr_sockets_link_open(struct skr_sockets_slot *link, struct skr_server *server, enum skr_wire wire, int fd,
                           uint32_t now_ms)
{
    link->place = (struct skr_sockets_place){.fd = fd, .wanted = SKR_SOCKETS_READABLE};
    link->wire = (uint8_t)wire;
    link->peer_done = link->served = false;
    link->doing = SKR_IDLE;
    link->sent = link->taken = 0;
    link->since_ms = now_ms;
#if SKR_TLS
    link->carrier.tls = NULL;
#endif
    skr_conn_open(link->carrier.conn, server, wire);
}

/* End of input. An unfinished last line counts as a line, as it does for most programs: `printf '{..}' | nc` then
 * gets its response. An empty line is none. */
static void end_of_input(struct skr_sockets_slot *link)
{
    link->peer_done = true;
    if (skr_sockets_is_line(link->wire)) {
        skr_conn_rx(link->carrier.conn, "\n", 1);
    }
}

/* Reads once, or until a TLS record is complete. False when the peer is gone. */
static bool receive(struct skr_sockets_slot *link, uint32_t now_ms)
{
    do {
        size_t room;
        void *to = skr_carrier_rx_room(&link->carrier, &room);

        if (room == 0) {
            return true;
        }
        int n = skr_socket_recv(link->place.fd, to, room);
        if (n < 0) {
            return skr_socket_again();
        }
        if (n == 0) {
            end_of_input(link);
            return true;
        }
        skr_carrier_rx_done(&link->carrier, (size_t)n);
        skr_pace_moved(&link->pace, (uint32_t)n);
    } while (skr_carrier_wants_more(&link->carrier));

    /* HTTP: the time for a request is limited as a whole, or a peer could hold the slot with a byte now and then. A
     * raw line may hold its slot anyway, and notifications follow each other there without a response in between: any
     * byte restarts its clock. */
    if (skr_sockets_is_line(link->wire)) {
        link->since_ms = now_ms;
    }
    return true;
}

/* Sends what there is to send. False when the peer is gone. */
static bool send_responses(struct skr_sockets_slot *link, uint32_t now_ms)
{
    size_t budget = SKR_SOCKETS_TX_BUDGET;

    for (unsigned writes = 0; writes < SKR_SOCKETS_TX_WRITES; writes++) {
        struct skr_span spans[SKR_TX_SPANS];
        size_t offered = 0, count = skr_carrier_txv(&link->carrier, spans, SKR_TX_SPANS);

        if (count == 0) {
            return true;
        }
        for (size_t i = 0; i < count; i++) {
            offered += spans[i].n;
        }
        int n = skr_socket_send_spans(link->place.fd, spans, count);
        if (n < 0) {
            return skr_socket_again() || skr_socket_lacks_buffers();
        }
        if (n > 0) {
            skr_carrier_tx_done(&link->carrier, (size_t)n);
            link->sent += (uint32_t)n;
            link->served = skr_carrier_spoke(&link->carrier);
            link->since_ms = now_ms;
        }
        if ((size_t)n < offered || offered >= budget) {
            return true; /* full, or the others' turn */
        }
        budget -= offered;
    }
    return true;
}

enum skr_sockets_verdict skr_sockets_link_turn(struct skr_sockets_slot *link, bool readable, uint32_t now_ms)
{
    if (readable && !link->peer_done && !receive(link, now_ms)) {
        return SKR_SOCKETS_GONE;
    }
    if (!send_responses(link, now_ms)) {
        return SKR_SOCKETS_GONE;
    }

#if SKR_INTERACTIVE
    if (link->peer_done && skr_sockets_is_line(link->wire)) {
        skr_conn_rx_end(link->carrier.conn);
    }
#endif
    enum skr_activity doing = skr_carrier_doing(&link->carrier);
    if ((uint8_t)doing != link->doing) {
        link->doing = (uint8_t)doing;
        link->since_ms = now_ms;
        skr_pace_start(&link->pace, now_ms);
    }
    if (doing == SKR_RESPONDING) {
        return SKR_SOCKETS_STAYS;
    }
    if (link->peer_done && (doing != SKR_WORKING || !skr_sockets_is_line(link->wire))) {
        return SKR_SOCKETS_GONE; /* over HTTP the end of input cancels a tool call; a line gets all its responses */
    }
    return skr_carrier_finished(&link->carrier) ? SKR_SOCKETS_ENDED : SKR_SOCKETS_STAYS;
}

/* A link whose handler is working may have no room for more bytes, or nothing more to receive; then only the handler
 * wakes it. */
uint8_t skr_sockets_link_wants(const struct skr_sockets_slot *link)
{
    size_t room;

    if (link->doing == SKR_RESPONDING) {
        return SKR_SOCKETS_WRITABLE;
    }
    (void)skr_carrier_rx_room(&link->carrier, &room);
    return room == 0 || link->peer_done ? 0 : SKR_SOCKETS_READABLE;
}

/* Finds how much the peer has taken. A successful write does not tell: with a large system buffer and a slow reader the
 * next one can be minutes away. */
static void look_at_reader(struct skr_sockets_slot *link, uint32_t now_ms)
{
    int queued = 0;
    uint32_t taken = link->sent;

    if (skr_socket_unsent(link->place.fd, &queued)) {
        taken -= (uint32_t)queued;
    }
    if (taken != link->taken) {
        skr_pace_moved(&link->pace, taken - link->taken);
        link->taken = taken;
        link->since_ms = now_ms;
    }
}

/* How long the link may go on with its activity; 0 for ever. */
static uint32_t patience_ms(const struct skr_sockets_slot *link, struct skr_sockets_limits limits)
{
    switch ((enum skr_activity)link->doing) {
    case SKR_IDLE:
        if (skr_sockets_is_line(link->wire)) {
            return 0;
        }
        return link->served ? limits.idle_ms : limits.timeout_ms;
    case SKR_RECEIVING:
    case SKR_RESPONDING: return limits.timeout_ms;
    case SKR_WAITING: return SKR_SOCKETS_COMMENT_MS;
    case SKR_WORKING: break; /* the core knows the deadline */
    }
    return 0;
}

enum skr_sockets_verdict skr_sockets_link_check(struct skr_sockets_slot *link, const struct skr_sockets *net)
{
    struct skr_sockets_limits limits = skr_sockets_limits_of(net);
    uint32_t now_ms = net->now_ms;

    if (link->doing == SKR_RESPONDING) {
        look_at_reader(link, now_ms);
    }
    skr_pace_check(&link->pace, now_ms, limits.grace_ms, SKR_SOCKETS_PACE);

    uint32_t patience = patience_ms(link, limits);
    if (patience == 0 || now_ms - link->since_ms < patience) {
        return SKR_SOCKETS_STAYS;
    }
    link->since_ms = now_ms;
    switch ((enum skr_activity)link->doing) {
    case SKR_RECEIVING: skr_carrier_timed_out(&link->carrier); break;
#if SKR_CHANGES
    case SKR_WAITING: skr_conn_keep_alive(link->carrier.conn); break;
#endif
    case SKR_RESPONDING: return SKR_SOCKETS_GONE;
    default: return SKR_SOCKETS_ENDED;
    }
    return skr_sockets_link_turn(link, false, now_ms);
}

bool skr_sockets_link_end(struct skr_sockets_slot *link)
{
    struct skr_span words;

#if SKR_CHANGES
    skr_conn_end(link->carrier.conn);
#endif
    return skr_carrier_txv(&link->carrier, &words, 1) > 0;
}

void skr_sockets_link_give_way(struct skr_sockets_slot *link, uint32_t now_ms)
{
    if (link->doing == SKR_RECEIVING) {
        skr_carrier_timed_out(&link->carrier);
        (void)send_responses(link, now_ms);
    }
}

void skr_sockets_link_close(struct skr_sockets_slot *link, bool notify)
{
    if (notify && skr_carrier_end(&link->carrier)) {
        (void)send_responses(link, link->since_ms);
    }
    skr_carrier_close(&link->carrier);
}
