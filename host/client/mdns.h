/* mdns.h -- the announcements of devices over mDNS (RFC 6762) and DNS-SD (RFC 6763), and a line about each for a user or a
 * program. Any machine on the network can announce anything, so every part of a line is checked. */
#ifndef CLIENT_MDNS_H
#define CLIENT_MDNS_H

#include <arpa/nameser.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

/* Devices that `skillrom find` lists. */
#define CLIENT_FOUND 64

#define CLIENT_MDNS_SERVICE "_mcp._tcp.local"

/* Of several addresses the last kind here is shown, because the most programs accept it. */
enum client_address_use { CLIENT_NO_ADDRESS, CLIENT_LINK_LOCAL, CLIENT_IPV6, CLIENT_IPV4 };

/* All zeros before the first message. */
struct client_mdns {
    size_t count;
    struct client_mdns_one {
        char name[NS_MAXDNAME]; /* of the instance, all of it */
        char host[NS_MAXDNAME];
        char path[128];
        char address[INET6_ADDRSTRLEN + IF_NAMESIZE + 3]; /* as a URL has it: IPv6 in brackets */
        enum client_address_use use;                      /* of that address */
        unsigned port;                                    /* 0 until it is known */
        bool tls;
    } at[CLIENT_FOUND];
};

/* Takes a message that has arrived over the interface `scope`; 0 for IPv4. */
void client_mdns_take(struct client_mdns *all, const unsigned char *bytes, size_t n, unsigned scope);

/* The longest line. */
#define CLIENT_MDNS_LINE 2400

/* Writes a line about number i, for a terminal or as JSON. Returns its length; 0 if its announcement is incomplete or has no
 * URL. */
size_t client_mdns_line(const struct client_mdns *all, size_t i, bool json, char line[CLIENT_MDNS_LINE]);

#endif
