/* skr_lwip.c -- who connects: ports that are listened on, newcomers and the slots they get, and the part of the port that
 * the main loop calls. skr_lwip_conn.c serves the connections. */
#include "lwip/pbuf.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/sys.h"
#include "skr_lwip_conn.h"
#include "skr_lwip_slots.h"

#define BUSY "all connections are in use, try again later\r\n"
static const char busy[] = "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
                           "Content-Type: text/plain\r\nContent-Length: 45\r\n\r\n" BUSY;
typedef char busy_has_that_length[sizeof BUSY - 1 == 45 ? 1 : -1];

/* ---- Newcomers ---- */

static void client_refuse(struct tcp_pcb *pcb, const struct skr_lwip_listener *listener)
{
    struct skr_span words = {busy, listener->wire == SKR_HTTP_1 ? sizeof busy - 1 : 0};

#if SKR_TLS
    if (listener->tls != NULL) {
        words = (struct skr_span){skr_tls_busy, sizeof skr_tls_busy};
    }
#endif
    if (words.n > 0) {
        (void)tcp_write(pcb, words.p, (u16_t)words.n, 0);
    }
    skr_lwip_goodbye(pcb, false);
}

static void slot_take(struct skr_lwip_slot *slot, struct tcp_pcb *pcb, const struct skr_lwip_listener *listener)
{
    slot->owner->counts.accepted++;
    skr_lwip_open(slot, pcb, listener);
}

/* The first bytes of a client for which there was no slot. Only now does another one have to give way: an idle
 * connection that sent a request at the same moment is no longer idle by now, because a new connection takes one
 * round trip more. */
static err_t on_first_received(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    const struct skr_lwip_listener *listener = arg;
    struct skr_lwip *net = listener->owner;

    if (p == NULL) {
        return tcp_close(pcb);
    }
    struct skr_lwip_slot *slot = skr_lwip_free_slot(net, listener->wire, pcb);
    if (slot == NULL && (slot = skr_lwip_weakest(net, listener->wire, pcb)) != NULL) {
        skr_lwip_make_room(slot);
    }
    if (slot != NULL) {
        slot_take(slot, pcb, listener);
        return skr_lwip_received(slot, pcb, p, error);
    }
    net->counts.refused++;
    client_refuse(pcb, listener);
    return skr_lwip_discard(NULL, pcb, p, error);
}

static err_t on_accept(void *arg, struct tcp_pcb *pcb, err_t error)
{
    struct skr_lwip_listener *listener = arg;
    struct skr_lwip *net = listener->owner;

    if (pcb == NULL || error != ERR_OK) {
        return ERR_VAL; /* no memory: the client tries again */
    }
    struct skr_lwip_slot *slot = skr_lwip_free_slot(net, listener->wire, pcb);
    if (slot != NULL) {
        slot_take(slot, pcb, listener);
    } else if (listener->wire != SKR_HTTP_1 && skr_lwip_weakest(net, listener->wire, pcb) == NULL) {
        net->counts.refused++;
        client_refuse(pcb, listener);
    } else {
        tcp_arg(pcb, listener);
        tcp_recv(pcb, on_first_received);
        tcp_poll(pcb, skr_lwip_give_up, SKR_LWIP_HALF_SECONDS(SKR_LWIP_TIMEOUT_MS));
        tcp_setprio(pcb, TCP_PRIO_MIN);
    }
    return ERR_OK;
}

/* ---- For the main loop ---- */

void skr_lwip_init(struct skr_lwip *net, struct skr_server *server)
{
    static const struct skr_lwip_counts none;

    net->server = server;
    net->listener_count = 0;
    net->working = false;
    net->changes = skr_server_notification_count(server);
    net->counts = none;
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        net->slots[i].owner = net;
        net->slots[i].pcb = NULL;
        net->slots[i].held = NULL;
    }
}

bool skr_lwip_listen(struct skr_lwip *net, uint16_t port, enum skr_wire wire)
{
    struct tcp_pcb *pcb = net->listener_count < SKR_LWIP_LISTENERS ? tcp_new() : NULL;

    if (pcb == NULL) {
        return false;
    }
    struct tcp_pcb *listening = tcp_bind(pcb, IP_ADDR_ANY, port) == ERR_OK ? tcp_listen(pcb) : NULL;
    if (listening == NULL) {
        tcp_abort(pcb);
        return false;
    }
    struct skr_lwip_listener *listener = &net->listeners[net->listener_count++];
    listener->owner = net;
#if SKR_TLS
    listener->tls = NULL;
#endif
    listener->wire = wire == SKR_HTTP_1 ? SKR_HTTP_1 : SKR_LINE_TCP;
    tcp_arg(listening, listener);
    tcp_accept(listening, on_accept);
    return true;
}

/* True when silent connections may have a notification to send. */
static bool has_notifications(struct skr_lwip *net)
{
    uint32_t seen = net->changes;

    net->changes = skr_server_notification_count(net->server);
    return seen != net->changes;
}

void skr_lwip_turn(struct skr_lwip *net)
{
#if SKR_JOBS
    net->working = skr_server_tick(net->server, sys_now());
#endif
    bool notified = has_notifications(net);
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        struct skr_lwip_slot *slot = &net->slots[i];
        if (slot->pcb != NULL && (notified || slot->stuck ||
                                  (slot->doing == SKR_WORKING && skr_conn_activity(&slot->conn) != SKR_WORKING))) {
            skr_lwip_step(slot);
        }
    }
}

size_t skr_lwip_in_use(const struct skr_lwip *net)
{
    size_t count = 0;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        count += net->slots[i].pcb != NULL;
    }
    return count;
}

#if SKR_CHANGES
/* lwIP does not say which image its queues refer to, so all of them count. */
bool skr_lwip_uses_old_image(const struct skr_lwip *net)
{
    for (const struct tcp_pcb *pcb = tcp_active_pcbs; pcb != NULL; pcb = pcb->next) {
        if (pcb->unsent != NULL || pcb->unacked != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        if (net->slots[i].pcb != NULL && skr_conn_uses_old_image(&net->slots[i].conn)) {
            return true;
        }
    }
    return false;
}
#endif
