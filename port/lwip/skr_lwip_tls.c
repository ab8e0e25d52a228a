/* skr_lwip_tls.c -- TLS on connections of lwIP. Left out unless SKR_TLS is set. */
#include "skr_lwip_slots.h"

#if SKR_TLS

void skr_lwip_secure(struct skr_lwip_slot *slot, const struct skr_lwip_tls *tls)
{
    uint8_t seed[SKR_TLS_SEED];

    slot->secure = tls != NULL;
    if (slot->secure) {
        tls->random(seed, sizeof seed);
        skr_tls_open(&slot->tls, tls->identity, &slot->conn, seed);
    }
}

bool skr_lwip_listen_tls(struct skr_lwip *net, uint16_t port, const struct skr_lwip_tls *tls)
{
    if (!skr_lwip_listen(net, port, SKR_HTTP_1)) {
        return false;
    }
    net->listeners[net->listener_count - 1].tls = tls;
    return true;
}

#else

typedef int skr_lwip_has_no_tls; /* C does not allow an empty file */

#endif
