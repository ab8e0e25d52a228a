/* skr_lwip_conn.h -- one connection of the core on one TCP connection of lwIP. */
#ifndef SKR_LWIP_CONN_H
#define SKR_LWIP_CONN_H

#include "skr_lwip.h"

#define SKR_LWIP_HALF_SECONDS(ms) (u8_t)(((ms) + 499) / 500) /* lwIP's unit for tcp_poll */

/* A newcomer has this free slot, and is served from now on. */
void skr_lwip_open(struct skr_lwip_slot *slot, struct tcp_pcb *pcb, const struct skr_lwip_listener *listener);

/* Moves what can be moved, and ends the connection when that was all. */
void skr_lwip_step(struct skr_lwip_slot *slot);

/* Ends the connection of this slot for a newcomer. */
void skr_lwip_make_room(struct skr_lwip_slot *slot);

/* Leaves a TCP connection to lwIP: what was written goes out, then it ends. It may be ended immediately when a newcomer needs
 * its memory. */
void skr_lwip_goodbye(struct tcp_pcb *pcb, bool peer_done);

/* Callbacks of lwIP. For tcp_recv: the slot gets these bytes, or nobody does. For tcp_poll: it has taken too long. */
err_t skr_lwip_received(void *slot, struct tcp_pcb *pcb, struct pbuf *p, err_t error);
err_t skr_lwip_discard(void *none, struct tcp_pcb *pcb, struct pbuf *p, err_t error);
err_t skr_lwip_give_up(void *none, struct tcp_pcb *pcb);

#endif
