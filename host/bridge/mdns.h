/* announced.h -- what devices say of themselves by mDNS (RFC 6762) and DNS-SD (RFC 6763), and a line about each for a person or a
 * program. Anybody in the network can say anything: what is shown is checked. */
#ifndef SKR_ANNOUNCED_H
#define SKR_ANNOUNCED_H

#include <arpa/nameser.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#include "bridge_config.h"

#define BRIDGE_MDNS_SERVICE "_mcp._tcp.local"

/* Which of several addresses is shown: the later one here, which more programs can be given. */
enum bridge_address_use { BRIDGE_NO_ADDRESS, BRIDGE_LINK_LOCAL, BRIDGE_IPV6, BRIDGE_IPV4 };

/* All zeros before the first message. */
struct bridge_mdns {
    size_t count;
    struct bridge_mdns_one {
        char name[NS_MAXDNAME]; /* of the instance, all of it */
        char host[NS_MAXDNAME];
        char path[128];
        char address[INET6_ADDRSTRLEN + IF_NAMESIZE + 3]; /* as a URL has it: IPv6 in brackets */
        enum bridge_address_use use;                         /* of that address */
        unsigned port;                                    /* 0: not known yet */
        bool tls;
    } at[BRIDGE_FOUND];
};

/* A message has arrived, by the interface `scope`; 0: by IPv4. */
void bridge_mdns_take(struct bridge_mdns *all, const unsigned char *bytes, size_t n, unsigned scope);

/* The longest line. */
#define BRIDGE_MDNS_LINE 2400

/* A line about number i, for a terminal or as JSON: its length; 0: it is not whole, or has no URL. */
size_t bridge_mdns_line(const struct bridge_mdns *all, size_t i, bool json, char line[BRIDGE_MDNS_LINE]);

#endif
