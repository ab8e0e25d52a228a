/* address.h -- numeric socket addresses as text, in both directions. There is no name
 * look-up: it allocates, it can block, and a server is bound to an address. */
#ifndef SKR_ADDRESS_H
#define SKR_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

struct posix_address {
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } at;
    socklen_t size;
};

/* "[" + the longest IPv6 address + "]" + NUL. */
#define POSIX_ADDRESS_TEXT (INET6_ADDRSTRLEN + 2)

/* Reads "127.0.0.1:7700", "[::1]:7700" or "localhost:7700", which is 127.0.0.1. */
bool posix_address_parse(struct posix_address *address, const char *text);

/* Writes the host part as in a URL or a Host header: an IPv6 address in brackets. `text` has room for
 * POSIX_ADDRESS_TEXT bytes. */
void posix_address_host(const struct posix_address *address, char *text);

unsigned posix_address_port(const struct posix_address *address);

/* True when both are the same host, whatever the port. False if either is not an Internet address. */
bool posix_address_same_host(const struct posix_address *a, const struct posix_address *b);

/* True when only this machine can reach it. */
bool posix_address_is_loopback(const struct posix_address *address);

#endif
