/* mdns.c -- gives the board a name: <NET_NAME>.local, and the service _mcp._tcp with its path, by lwIP's own
 * responder. Left out unless SKR_LWIP_MDNS is set. */
#include "lwip/apps/mdns.h"

#include "net.h"
#include "net_config.h"

#if SKR_LWIP_MDNS

#define LIFETIME_S 3600u

static void add_txt_items(struct mdns_service *service, void *none)
{
    static const char path[] = "path=" NET_HTTP_PATH, tls[] = "tls=1";

    (void)none;
    (void)mdns_resp_add_service_txtitem(service, path, sizeof path - 1);
    if (SKR_TLS) { /* otherwise `skillrom find` would call it http:// */
        (void)mdns_resp_add_service_txtitem(service, tls, sizeof tls - 1);
    }
}

void net_announce(struct netif *netif)
{
    mdns_resp_init();
    if (mdns_resp_add_netif(netif, NET_NAME, LIFETIME_S) == ERR_OK) {
        (void)mdns_resp_add_service(netif, NET_NAME, "_mcp", DNSSD_PROTO_TCP, SKR_TLS ? NET_HTTPS_PORT : NET_HTTP_PORT,
                                    LIFETIME_S, add_txt_items, NULL);
    }
}

#else

void net_announce(struct netif *netif)
{
    (void)netif;
}

#endif
