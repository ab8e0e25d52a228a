/* skr_lwip_slots.h -- who gets one of the few slots, and who has to give way for it. It only decides. */
#ifndef SKR_LWIP_SLOTS_H
#define SKR_LWIP_SLOTS_H

#include "skr_lwip.h"

/* A free slot that this newcomer may have; or NULL. */
struct skr_lwip_slot *skr_lwip_free_slot(struct skr_lwip *net, enum skr_wire wire, const struct tcp_pcb *newcomer);

/* The one that has to give way for this newcomer, because it is idle or moves least; or NULL. */
struct skr_lwip_slot *skr_lwip_weakest(struct skr_lwip *net, enum skr_wire wire, const struct tcp_pcb *newcomer);

/* True when connections hold so much received data that there is no room for another frame: nobody gets through, not
 * even to ask for a slot. */
bool skr_lwip_is_choked(const struct skr_lwip *net);

#if SKR_TLS
/* Puts TLS between this slot and its connection, which has just been opened; or nothing, if tls is NULL. (skr_lwip_tls.c) */
void skr_lwip_secure(struct skr_lwip_slot *slot, const struct skr_lwip_tls *tls);
#endif

#endif
