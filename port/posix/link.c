/* link.c -- one socket and its connection. Here is the path every request takes:
 * one recv into the core's own buffer, one sendmsg from where the response lies,
 * and back to waiting. */
#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>

#include "gather.h"
#include "posix_config.h"
#include "system.h"

void posix_link_open(struct posix_link *link, struct skr_server *server, enum skr_wire wire, int fd, uint64_t now_ms)
{
    link->fd = fd;
    link->wire = wire;
    link->peer_done = false;
    link->served = false;
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
static void end_of_input(struct posix_link *link)
{
    link->peer_done = true;
    if (link->wire != SKR_HTTP_1) {
        skr_conn_rx(link->carrier.conn, "\n", 1);
    }
}

/* Reads once, or until a TLS record is complete. False when the peer is gone. */
static bool receive(struct posix_link *link, uint64_t now_ms)
{
    do {
        size_t room;
        void *to = skr_carrier_rx_room(&link->carrier, &room);

        if (room == 0) {
            return true;
        }
        ssize_t n = recv(link->fd, to, room, 0);
        if (n < 0) {
            return errno == EAGAIN || errno == EINTR;
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
    if (link->wire != SKR_HTTP_1) {
        link->since_ms = now_ms;
    }
    return true;
}

/* Most responses are one piece, and for one piece send is cheapest. For several, sendmsg takes less than writev, which has to
 * find out first that it writes to a socket. */
static ssize_t send_pieces(int fd, struct iovec *pieces, uint8_t count)
{
    struct msghdr all = {.msg_iov = pieces, .msg_iovlen = count};

    return count == 1 ? send(fd, pieces[0].iov_base, pieces[0].iov_len, 0) : sendmsg(fd, &all, 0);
}

/* Sends what there is to send. False when the peer is gone. */
static bool send_responses(struct posix_link *link, uint64_t now_ms)
{
    size_t budget = POSIX_TX_BUDGET;

    for (unsigned writes = 0; writes < POSIX_TX_WRITES; writes++) {
        struct iovec pieces[SKR_TX_SPANS];
        size_t offered;
        uint8_t count = posix_gather(&link->carrier, pieces, &offered);

        if (count == 0) {
            return true;
        }
        ssize_t n = send_pieces(link->fd, pieces, count);
        if (n < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        if (n > 0) {
            skr_carrier_tx_done(&link->carrier, (size_t)n);
            link->sent += (uint32_t)n;
            link->served = skr_carrier_spoke(&link->carrier);
            link->since_ms = now_ms;
        }
        if (n < 0 || (size_t)n < offered || offered >= budget) {
            return true; /* full, or the others' turn */
        }
        budget -= offered;
    }
    return true;
}

enum posix_verdict posix_link_turn(struct posix_link *link, bool readable, uint64_t now_ms)
{
    if (readable && !link->peer_done && !receive(link, now_ms)) {
        return POSIX_LINK_GONE;
    }
    if (!send_responses(link, now_ms)) {
        return POSIX_LINK_GONE;
    }

#if SKR_INTERACTIVE
    if (link->peer_done && link->wire != SKR_HTTP_1) {
        skr_conn_rx_end(link->carrier.conn);
    }
#endif
    enum skr_activity doing = skr_carrier_doing(&link->carrier);
    if (doing != link->doing) {
        link->doing = doing;
        link->since_ms = now_ms;
        skr_pace_start(&link->pace, (uint32_t)now_ms);
    }
    if (doing == SKR_RESPONDING) {
        return POSIX_LINK_STAYS;
    }
    if (link->peer_done && (doing != SKR_WORKING || link->wire == SKR_HTTP_1)) {
        return POSIX_LINK_GONE; /* over HTTP, hanging up cancels; on a line, what was asked is answered */
    }
    return skr_carrier_finished(&link->carrier) ? POSIX_LINK_ENDED : POSIX_LINK_STAYS;
}

void posix_link_who(const struct posix_link *link, char who[POSIX_LINK_WHO])
{
    char host[POSIX_ADDRESS_TEXT];

    if (link->peer.size == 0) {
        (void)snprintf(who, POSIX_LINK_WHO, "%s", link->name);
        return;
    }
    posix_address_host(&link->peer, host);
    (void)snprintf(who, POSIX_LINK_WHO, "%s:%u", host, posix_address_port(&link->peer) & 0xffffu);
}

/* How much has the peer taken? A successful write does not tell: with a large system buffer and a slow reader the
 * next one can be minutes away. */
static void look_at_reader(struct posix_link *link, uint64_t now_ms)
{
    int queued;

    if (!host_socket_unsent(link->fd, &queued)) {
        return;
    }
    uint32_t taken = link->sent - (uint32_t)queued;
    if (taken != link->taken) {
        skr_pace_moved(&link->pace, taken - link->taken);
        link->taken = taken;
        link->since_ms = now_ms;
    }
}

enum posix_verdict posix_link_check(struct posix_link *link, const struct posix_patience *patience, uint64_t now_ms)
{
    if (link->doing == SKR_RESPONDING) {
        look_at_reader(link, now_ms);
    }
    skr_pace_check(&link->pace, (uint32_t)now_ms, patience->grace_ms, POSIX_PACE);

    uint64_t waited_ms = now_ms - link->since_ms;
    switch (link->doing) {
    case SKR_IDLE:
        if (link->wire != SKR_HTTP_1 || waited_ms < (link->served ? patience->idle_ms : patience->timeout_ms)) {
            return POSIX_LINK_STAYS;
        }
        return POSIX_LINK_ENDED;
    case SKR_RECEIVING:
        if (waited_ms < patience->timeout_ms) {
            return POSIX_LINK_STAYS;
        }
        link->since_ms = now_ms;
        skr_carrier_timed_out(&link->carrier);
        return posix_link_turn(link, false, now_ms);
    case SKR_WORKING: return POSIX_LINK_STAYS; /* the core knows the deadline */
    case SKR_WAITING:
        if (waited_ms < POSIX_COMMENT_MS) {
            return POSIX_LINK_STAYS;
        }
        link->since_ms = now_ms;
        skr_conn_keep_alive(link->carrier.conn);
        return posix_link_turn(link, false, now_ms);
    case SKR_RESPONDING: return waited_ms < patience->timeout_ms ? POSIX_LINK_STAYS : POSIX_LINK_GONE;
    }
    return POSIX_LINK_STAYS;
}

bool posix_link_end(struct posix_link *link)
{
    struct skr_span words;

    skr_conn_end(link->carrier.conn);
    return skr_carrier_txv(&link->carrier, &words, 1) > 0;
}

enum skr_claim posix_link_claim(const struct posix_link *link, uint32_t grace_ms, uint64_t now_ms)
{
    return skr_claim_of(link->doing, link->wire, link->served, now_ms - link->since_ms < grace_ms, &link->pace);
}

bool posix_link_moves_less(const struct posix_link *a, const struct posix_link *b, enum skr_claim claim)
{
    if (claim == SKR_CLAIM_SLOW && a->pace.before != b->pace.before) {
        return a->pace.before < b->pace.before;
    }
    return a->since_ms < b->since_ms;
}

void posix_link_give_way(struct posix_link *link, uint64_t now_ms)
{
    if (link->doing == SKR_RECEIVING) {
        skr_carrier_timed_out(&link->carrier);
        (void)send_responses(link, now_ms);
    }
}

void posix_link_close(struct posix_link *link, bool notify)
{
    if (notify && skr_carrier_end(&link->carrier)) {
        (void)send_responses(link, link->since_ms);
    }
    skr_carrier_close(&link->carrier);
}
