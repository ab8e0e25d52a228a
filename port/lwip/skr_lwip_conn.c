/* skr_lwip_conn.c -- see skr_lwip_conn.h.
 *
 * Bytes in: a segment is copied into the core's buffer as it arrives. What the core has no room for is held, and the
 * peer's window stays closed by that amount. When a connection holds a few buffers, most likely tiny segments, the
 * next one is refused; lwIP then keeps it or drops it to be sent again.
 *
 * Bytes out: what lies in ROM goes to lwIP by reference. What is in the structs of the core changes as soon as the
 * core is told that it was sent, long before the peer has it; that is copied. Copies are counted, so that a client
 * that does not read cannot take the memory that others need. A full queue is not an error: the response continues in
 * the sent callback.
 *
 * The end: a connection that has had its last response gives up its slot immediately. Our side is shut down, further input
 * is discarded until the peer closes, and a timer ends those that do not. */
#include "skr_lwip_conn.h"

#include "lwip/pbuf.h"
#include "lwip/sys.h"
#include "skr_lwip_slots.h"

/* The carrier of the bytes of this slot: made when needed, so that it costs nothing without TLS. */
static struct skr_carrier carrier_of(struct skr_lwip_slot *slot)
{
#if SKR_TLS
    return (struct skr_carrier){&slot->conn, slot->secure ? &slot->tls : NULL};
#else
    return (struct skr_carrier){&slot->conn};
#endif
}

/* ---- The end of a connection ---- */

err_t skr_lwip_discard(void *none, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    (void)none;
    (void)error;
    if (p == NULL) {
        return tcp_close(pcb);
    }
    tcp_recved(pcb, p->tot_len);
    pbuf_free(p);
    return ERR_OK;
}

err_t skr_lwip_give_up(void *none, struct tcp_pcb *pcb)
{
    (void)none;
    tcp_abort(pcb);
    return ERR_ABRT;
}

void skr_lwip_goodbye(struct tcp_pcb *pcb, bool peer_done)
{
    tcp_arg(pcb, NULL);
    tcp_recv(pcb, skr_lwip_discard);
    tcp_sent(pcb, NULL);
    tcp_err(pcb, NULL);
    tcp_poll(pcb, skr_lwip_give_up, SKR_LWIP_HALF_SECONDS(SKR_LWIP_LINGER_MS));
    tcp_setprio(pcb, TCP_PRIO_MIN);
    if (peer_done) {
        tcp_close(pcb);
    } else {
        tcp_shutdown(pcb, 0, 1);
    }
}

/* The slot is free again; its connection is not ours any more. */
static void slot_release(struct skr_lwip_slot *slot)
{
    if (slot->held != NULL) {
        pbuf_free(slot->held);
        slot->held = NULL;
    }
    const struct skr_carrier carrier = carrier_of(slot);
    skr_carrier_close(&carrier);
    slot->pcb = NULL;
}

static void slot_end(struct skr_lwip_slot *slot)
{
    struct tcp_pcb *pcb = slot->pcb;

    if (slot->held != NULL) {
        tcp_recved(pcb, slot->held->tot_len);
    }
    slot_release(slot);
    skr_lwip_goodbye(pcb, slot->peer_done);
}

/* Its peer does not read, so a polite end would be no use. */
static void cut_off(struct skr_lwip_slot *slot)
{
    struct tcp_pcb *pcb = slot->pcb;

    slot_release(slot);
    tcp_err(pcb, NULL); /* we know */
    tcp_abort(pcb);
}

/* ---- Bytes in ---- */

static void slot_receive(struct skr_lwip_slot *slot)
{
    const struct skr_carrier carrier = carrier_of(slot);

    while (slot->held != NULL) {
        struct pbuf *first = slot->held;
        if (first->len == 0) { /* lwIP has given back what came before; pbuf_free_header would do so again */
            slot->held = first->next;
            first->next = NULL;
            pbuf_free(first);
            continue;
        }
        size_t took = skr_carrier_rx(&carrier, first->payload, first->len);
        if (took == 0) {
            return;
        }
        tcp_recved(slot->pcb, (u16_t)took);
        skr_pace_moved(&slot->pace, (uint32_t)took);
        if (slot->wire != SKR_HTTP_1) {
            slot->since_ms = sys_now(); /* an HTTP request has one span of time, a line may dawdle */
        }
        slot->held = pbuf_free_header(first, (u16_t)took);
    }
}

/* ---- Bytes out ---- */

/* True when these bytes do not change after the core was told that they left. */
static bool is_constant(const struct skr_lwip_slot *slot, const char *p)
{
    const struct skr_lwip *net = slot->owner;
    uintptr_t at = (uintptr_t)p;
    uintptr_t its = (uintptr_t)slot, server = (uintptr_t)net->server;

    return at - its >= sizeof *slot && at - server >= sizeof *net->server;
}

/* Each connection may always have one copy; more only while enough are left for those that have none. */
static bool may_copy(const struct skr_lwip_slot *slot)
{
    unsigned used = 0;

    if (slot->copies == 0) {
        return true;
    }
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        const struct skr_lwip_slot *other = &slot->owner->slots[i];
        used += other->pcb == NULL || other->copies == 0 ? 1u : other->copies;
    }
    return slot->copies < SKR_LWIP_COPIES && used < SKR_LWIP_COPY_POOL;
}

/* Gives lwIP as much of the span as it takes now; returns how much. */
static size_t write_span(struct skr_lwip_slot *slot, struct skr_span span)
{
    bool constant = is_constant(slot, span.p);
    size_t n = span.n, room = tcp_sndbuf(slot->pcb);

    if (n > room) {
        n = room;
    }
    if (!constant && n > SKR_LWIP_COPY_MAX) {
        n = SKR_LWIP_COPY_MAX;
    }
    if (n == 0 || (!constant && !may_copy(slot))) {
        return 0;
    }
    const u8_t flags = constant ? 0 : TCP_WRITE_FLAG_COPY;
    while (tcp_write(slot->pcb, span.p, (u16_t)n, flags) != ERR_OK) {
        /* Too many segments, to a peer with a tiny window; or no memory. While something is under way its
         * acknowledgement makes room. Otherwise less may fit. */
        if (slot->written != slot->acked || n == 1) {
            return 0;
        }
        n /= 2;
    }
    slot->written += (uint32_t)n;
    if (!constant) {
        slot->copy_end[slot->copies++] = slot->written;
    }
    return n;
}

/* Writes until there is nothing left or lwIP is full. True when something was written. */
static bool slot_send(struct skr_lwip_slot *slot)
{
    const struct skr_carrier carrier = carrier_of(slot);
    struct skr_span span;
    uint32_t before = slot->written;
    size_t n = 1;

    while (n > 0 && skr_carrier_txv(&carrier, &span, 1) > 0) {
        n = write_span(slot, span);
        skr_carrier_tx_done(&carrier, n);
    }
    slot->stuck = n == 0 && slot->written == slot->acked; /* nothing under way that would call back */
    if (slot->written == before) {
        return false;
    }
    slot->served = skr_carrier_spoke(&carrier);
    slot->since_ms = sys_now();
    (void)tcp_output(slot->pcb);
    return true;
}

/* Ends the stream, which TLS requires to be announced to the peer. */
static void send_close_notify(struct skr_lwip_slot *slot)
{
    const struct skr_carrier carrier = carrier_of(slot);

    if (skr_carrier_end(&carrier)) {
        (void)slot_send(slot);
    }
}

/* ---- One step of a connection ---- */

/* End of input. An unfinished last line counts as a line, as it does for most programs. */
static void end_of_input(struct skr_lwip_slot *slot)
{
    if (slot->wire != SKR_HTTP_1 && !slot->line_ended) {
        slot->line_ended = skr_conn_rx(&slot->conn, "\n", 1) == 1;
    }
}

void skr_lwip_step(struct skr_lwip_slot *slot)
{
    const struct skr_carrier carrier = carrier_of(slot);

    do {
        slot_receive(slot);
        if (slot->peer_done && slot->held == NULL) {
            end_of_input(slot);
        }
    } while (slot_send(slot) && slot->held != NULL && !skr_carrier_finished(&carrier));

    enum skr_activity doing = skr_carrier_doing(&carrier);
    if (doing != (enum skr_activity)slot->doing) {
        slot->doing = (uint8_t)doing;
        slot->since_ms = sys_now();
        skr_pace_start(&slot->pace, slot->since_ms);
    }
    if (doing == SKR_RESPONDING) {
        return;
    }
    /* Over HTTP, hanging up cancels; on a line, what was asked is answered. */
    bool gone = slot->peer_done && slot->held == NULL && (doing != SKR_WORKING || slot->wire == SKR_HTTP_1);
    if (gone || skr_carrier_finished(&carrier)) {
        slot_end(slot);
    }
}

err_t skr_lwip_received(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    struct skr_lwip_slot *slot = arg;

    (void)pcb;
    (void)error;
    if (p == NULL) {
        slot->peer_done = true;
    } else if (slot->held == NULL) {
        slot->held = p;
    } else if (pbuf_clen(slot->held) < SKR_LWIP_HELD) {
        pbuf_cat(slot->held, p);
    } else {
        return ERR_MEM; /* lwIP keeps it and offers it again */
    }
    skr_lwip_step(slot);
    return ERR_OK;
}

static err_t on_sent(void *arg, struct tcp_pcb *pcb, u16_t n)
{
    struct skr_lwip_slot *slot = arg;
    uint8_t taken = 0;

    (void)pcb;
    slot->acked += n;
    skr_pace_moved(&slot->pace, n);
    while (taken < slot->copies && (int32_t)(slot->acked - slot->copy_end[taken]) >= 0) {
        taken++;
    }
    slot->copies = (uint8_t)(slot->copies - taken);
    for (uint8_t i = 0; i < slot->copies; i++) {
        slot->copy_end[i] = slot->copy_end[i + taken];
    }
    if (slot->doing == SKR_RESPONDING) {
        slot->since_ms = sys_now();
    }
    skr_lwip_step(slot);
    return ERR_OK;
}

/* lwIP has freed the connection: reset by the peer, or no sign of life for too long. */
static void on_error(void *arg, err_t error)
{
    struct skr_lwip_slot *slot = arg;

    (void)error;
    slot->owner->counts.lost++;
    slot_release(slot);
}

/* ---- Timeouts ---- */

/* How long it may go on with what it is doing; 0: for ever. */
static uint32_t patience_ms(const struct skr_lwip_slot *slot)
{
    switch ((enum skr_activity)slot->doing) {
    case SKR_IDLE: return slot->wire != SKR_HTTP_1 ? 0 : slot->served ? SKR_LWIP_IDLE_MS : SKR_LWIP_TIMEOUT_MS;
    case SKR_RECEIVING:
    case SKR_RESPONDING: return SKR_LWIP_TIMEOUT_MS;
    case SKR_WAITING: return SKR_LWIP_COMMENT_MS;
    case SKR_WORKING: break; /* the core knows the deadline */
    }
    return 0;
}

static err_t on_poll(void *arg, struct tcp_pcb *pcb)
{
    struct skr_lwip_slot *slot = arg;
    const struct skr_carrier carrier = carrier_of(slot);

    (void)pcb;
    uint32_t patience = patience_ms(slot);
    skr_pace_check(&slot->pace, sys_now(), SKR_LWIP_GRACE_MS, SKR_LWIP_PACE);
    if (slot->doing == SKR_RESPONDING && slot->pace.slow && slot->held != NULL && skr_lwip_is_choked(slot->owner)) {
        slot->owner->counts.displaced++;
        cut_off(slot);
        return ERR_ABRT;
    }
    if (patience == 0 || sys_now() - slot->since_ms < patience) {
        return ERR_OK;
    }
    slot->since_ms = sys_now();
#if SKR_CHANGES
    if (slot->doing == SKR_WAITING) {
        skr_conn_keep_alive(&slot->conn);
        skr_lwip_step(slot);
        return ERR_OK;
    }
#endif
    slot->owner->counts.timed_out++;
    switch ((enum skr_activity)slot->doing) {
    case SKR_RECEIVING:
        skr_carrier_timed_out(&carrier);
        skr_lwip_step(slot);
        return ERR_OK;
    case SKR_RESPONDING: cut_off(slot); return ERR_ABRT;
    default:
        send_close_notify(slot);
        slot_end(slot);
        return ERR_OK;
    }
}

/* ---- Its beginning ---- */

void skr_lwip_open(struct skr_lwip_slot *slot, struct tcp_pcb *pcb, const struct skr_lwip_listener *listener)
{
    enum skr_wire wire = listener->wire;

    slot->pcb = pcb;
    slot->since_ms = sys_now();
    slot->written = slot->acked = 0;
    slot->copies = 0;
    slot->wire = (uint8_t)wire;
    slot->doing = SKR_IDLE;
    slot->peer_done = slot->line_ended = slot->served = slot->stuck = false;
    skr_conn_open(&slot->conn, slot->owner->server, wire);
#if SKR_TLS
    skr_lwip_secure(slot, listener->tls);
#endif

    tcp_setprio(pcb, TCP_PRIO_NORMAL);
    tcp_nagle_disable(pcb); /* a response is written whole and waits for nothing */
    if (wire != SKR_HTTP_1) {
        ip_set_option(pcb, SOF_KEEPALIVE); /* nothing else would ever end a line whose peer is gone */
    }
    tcp_arg(pcb, slot);
    tcp_recv(pcb, skr_lwip_received);
    tcp_sent(pcb, on_sent);
    tcp_err(pcb, on_error);
    tcp_poll(pcb, on_poll, 1);
}

void skr_lwip_make_room(struct skr_lwip_slot *slot)
{
    slot->owner->counts.displaced++;
    if (slot->doing == SKR_RESPONDING) {
        cut_off(slot);
        return;
    }
    if (slot->doing == SKR_RECEIVING) { /* 408 */
        const struct skr_carrier carrier = carrier_of(slot);
        skr_carrier_timed_out(&carrier);
        (void)slot_send(slot);
    }
    send_close_notify(slot);
    slot_end(slot);
}
