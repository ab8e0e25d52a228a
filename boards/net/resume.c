/* resume.c -- connections survive a reset.
 *
 * Clients keep a connection for their next request, most of them for seconds. A board that was reset knows nothing of it, and
 * TCP tells the client only when that request arrives: it fails, and official clients do not repeat it. But an idle HTTP
 * connection is a few numbers. They are in RAM that a reset does not change, and lwIP goes on from them; requests that were
 * sent while the board was starting are answered when TCP repeats them.
 *
 * Others are ended by a reset segment, so that their clients notice immediately: raw lines and TLS, which have a state of their own;
 * streams; and whatever was not at rest. While a frame is handled none is at rest: a request is never handled again, even if it
 * was what reset the board. */
#include <string.h>

#include "lwip/priv/tcp_priv.h"
#include "net.h"
#include "net_config.h"
#include "skr_lwip.h"

struct connection {
    ip_addr_t local, remote;
    uint32_t sent, received;          /* the next sequence numbers, ours and the peer's */
    uint16_t local_port, remote_port; /* remote_port 0: no connection */
    uint32_t segment;                 /* the longest that the peer takes */
};

static struct {
    struct connection at[SKR_LWIP_SLOTS];
    uint32_t sum;              /* tells connections from what is in RAM at power-on */
    volatile uint32_t resting; /* a bit for each: nothing is under way */
} remembered __attribute__((section(".noinit")));

static uint32_t sum(void)
{
    return net_sum(remembered.at, sizeof remembered.at);
}

/* ---- Before a reset ---- */

void resume_disturb(void)
{
    remembered.resting = 0;
}

/* Nothing has come that was not handled, and nothing has left that was not acknowledged. */
static bool is_resting(const struct skr_lwip_slot *slot)
{
    return !SKR_TLS && slot->wire == SKR_HTTP_1 && slot->doing == SKR_IDLE && slot->held == NULL && !slot->peer_done &&
           slot->pcb->lastack == slot->pcb->snd_lbb;
}

void resume_remember(const struct skr_lwip *net)
{
    uint32_t resting = 0;

    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        const struct skr_lwip_slot *slot = &net->slots[i];
        const struct tcp_pcb *pcb = slot->pcb;
        struct connection *to = &remembered.at[i];
        if (pcb == NULL) {
            to->remote_port = 0;
            continue;
        }
        to->local = pcb->local_ip;
        to->remote = pcb->remote_ip;
        to->sent = pcb->snd_nxt;
        to->received = pcb->rcv_nxt;
        to->local_port = pcb->local_port;
        to->remote_port = pcb->remote_port;
        to->segment = pcb->mss;
        resting |= (uint32_t)is_resting(slot) << i;
    }
    remembered.sum = sum();
    remembered.resting = resting;
}

/* ---- After it ---- */

void resume_reset_others(void)
{
    if (remembered.sum != sum()) {
        memset(&remembered, 0, sizeof remembered);
    }
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        const struct connection *c = &remembered.at[i];
        if (c->remote_port != 0 && (remembered.resting >> i & 1u) == 0) {
            tcp_rst(NULL, c->sent, c->received, &c->local, &c->remote, c->local_port, c->remote_port);
        }
    }
}

/* As lwIP makes one when a client has connected, but in the middle of its life. How much the peer takes is said by its
 * next segment, and nothing is sent before. */
static void resume(const struct connection *from, struct tcp_pcb_listen *listener)
{
    struct tcp_pcb *pcb = tcp_alloc(TCP_PRIO_NORMAL);

    if (pcb == NULL) {
        return;
    }
    pcb->local_ip = from->local;
    pcb->remote_ip = from->remote;
    pcb->local_port = from->local_port;
    pcb->remote_port = from->remote_port;
    pcb->state = ESTABLISHED;
    pcb->rcv_nxt = from->received;
    pcb->rcv_ann_right_edge = from->received + pcb->rcv_wnd;
    pcb->snd_wl1 = from->received - 1;
    pcb->snd_nxt = pcb->lastack = pcb->snd_lbb = from->sent;
    pcb->mss = (u16_t)from->segment;
    pcb->cwnd = (tcpwnd_size_t)(2u * from->segment);
    pcb->listener = listener;
    TCP_REG_ACTIVE(pcb);
    if (listener->accept(listener->callback_arg, pcb, ERR_OK) != ERR_OK) {
        tcp_abort(pcb);
    }
}

void resume_connections(void)
{
    for (size_t i = 0; i < SKR_LWIP_SLOTS; i++) {
        const struct connection *c = &remembered.at[i];
        struct tcp_pcb_listen *listener = tcp_listen_pcbs.listen_pcbs;
        while (listener != NULL && listener->local_port != c->local_port) {
            listener = listener->next;
        }
        if ((remembered.resting >> i & 1u) != 0 && listener != NULL) {
            resume(c, listener);
        }
    }
}
