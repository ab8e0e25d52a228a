/* skr_lwip.h -- serve on a TCP port of lwIP: raw API, no threads, no heap.
 *
 * You own a struct skr_lwip and the main loop; lwIP calls back into it when packets arrive:
 *
 *     static struct skr_lwip net;
 *
 *     lwip_init();
 *     ... netif_add, netif_set_up, skr_server_init, skr_server_http ...
 *     skr_lwip_init(&net, &server);
 *     skr_lwip_listen(&net, 80, SKR_HTTP_1);
 *     for (;;) {
 *         hand received frames to netif->input;
 *         sys_check_timeouts();
 *         skr_lwip_turn(&net);
 *     }
 *
 * Everything runs in that loop: lwIP must not be called from elsewhere. lwipopts.h beside this
 * file is a configuration that was measured; lwip_config.h has the limits of this port. */
#ifndef SKR_LWIP_H
#define SKR_LWIP_H

#include "../carrier.h"
#include "../pace.h"
#include "lwip/tcp.h"
#include "lwip_config.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

struct skr_lwip;

/* One connection. Free while pcb is NULL. */
struct skr_lwip_slot {
    struct skr_lwip *owner;
    struct tcp_pcb *pcb;
    struct pbuf *held;                  /* received, but the core has no room for it yet */
    uint32_t since_ms;                  /* since when it does what it is doing */
    struct skr_pace pace;               /* while a request comes or a response is taken */
    uint32_t written, acked;            /* bytes given to lwIP, and of them, taken by the peer */
    uint32_t copy_end[SKR_LWIP_COPIES]; /* where in `written` each copy ends that was not taken yet */
    uint8_t copies;
    uint8_t wire;    /* enum skr_wire */
    uint8_t doing;   /* enum skr_activity, when it was last looked at */
    bool peer_done;  /* nothing more will come */
    bool line_ended; /* a last line without a line end has been completed */
    bool served;     /* had a response already */
    bool stuck;      /* lwIP had no memory for it, and nothing under way that would call back */
    struct skr_conn conn;
#if SKR_TLS
    bool secure; /* with TLS in between */
    struct skr_tls tls;
#endif
};

#if SKR_TLS
/* Requirements of TLS on a board. */
struct skr_lwip_tls {
    const struct skr_tls_identity *identity;
    void (*random)(uint8_t *bytes, size_t n); /* unpredictable bytes: see port/tls/README.md */
};
#endif

struct skr_lwip_listener {
    struct skr_lwip *owner;
    enum skr_wire wire;
#if SKR_TLS
    const struct skr_lwip_tls *tls; /* NULL: without TLS */
#endif
};

/* Counts of events since the start, for a log. */
struct skr_lwip_counts {
    uint32_t accepted;
    uint32_t displaced; /* idle or hardly moving, and had to make way */
    uint32_t refused;   /* every slot was busy */
    uint32_t timed_out;
    uint32_t lost; /* reset by the peer, or given up by lwIP */
};

struct skr_lwip {
    struct skr_server *server;
    uint8_t listener_count;
    bool working;     /* a handler has asked for time */
    uint32_t changes; /* the server's count when all slots were last checked for notifications */
    struct skr_lwip_counts counts;
    struct skr_lwip_listener listeners[SKR_LWIP_LISTENERS];
    struct skr_lwip_slot slots[SKR_LWIP_SLOTS];
};

/* All slots free, nothing listened on. */
#define skr_lwip_init SKR_CONFIGURED(skr_lwip_init) /* skr_layout.h */
void skr_lwip_init(struct skr_lwip *net, struct skr_server *server);

/* Listens on all addresses; lines are those of SKR_LINE_TCP, whether or not you say so. False when lwIP has no memory
 * or the port is taken. */
bool skr_lwip_listen(struct skr_lwip *net, uint16_t port, enum skr_wire wire);

#if SKR_TLS
/* Likewise for HTTP over TLS. A handshake is computed while its packets are handled. That takes half a second on a
 * Cortex-M3 at 64 MHz, and no other connection is served meanwhile. `tls` must stay valid. */
bool skr_lwip_listen_tls(struct skr_lwip *net, uint16_t port, const struct skr_lwip_tls *tls);
#endif

/* Lets handlers that need time go on, and connections that had to wait for memory. Call it in
 * every turn of the main loop, or at least every few milliseconds. */
void skr_lwip_turn(struct skr_lwip *net);

/* Slots in use now. */
size_t skr_lwip_in_use(const struct skr_lwip *net);

#if SKR_CHANGES
/* True while bytes of the image before skr_server_swap may still be sent: lwIP refers to them until the peer has
 * acknowledged them, also after a connection has lost its slot. Also for skr_server_update_turn (port/update). */
bool skr_lwip_uses_old_image(const struct skr_lwip *net);
#endif

#ifdef __cplusplus
}
#endif

#endif
