/* address.c -- parse and print socket addresses. */
#include "address.h"

#include <arpa/inet.h>
#include <string.h>

/* Decimal digits and nothing else, 0 to 65535. */
static bool parse_port(const char *text, in_port_t *port)
{
    unsigned value = 0;

    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        value = value * 10 + (unsigned)(*text - '0');
        if (value > 65535) {
            return false;
        }
    }
    *port = htons((uint16_t)value);
    return true;
}

static bool set_v4(struct posix_address *address, const char *host, in_port_t port)
{
    address->at.v4.sin_family = AF_INET;
    address->at.v4.sin_port = port;
    address->size = sizeof address->at.v4;
    return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, &address->at.v4.sin_addr) == 1;
}

static bool set_v6(struct posix_address *address, const char *host, in_port_t port)
{
    address->at.v6.sin6_family = AF_INET6;
    address->at.v6.sin6_port = port;
    address->size = sizeof address->at.v6;
    return inet_pton(AF_INET6, host, &address->at.v6.sin6_addr) == 1;
}

bool posix_address_parse(struct posix_address *address, const char *text)
{
    char host[POSIX_ADDRESS_TEXT];
    const char *colon = strrchr(text, ':');
    in_port_t port;

    memset(address, 0, sizeof *address);
    if (colon == NULL || (size_t)(colon - text) >= sizeof host || !parse_port(colon + 1, &port)) {
        return false;
    }
    size_t length = (size_t)(colon - text);
    memcpy(host, text, length);
    host[length] = '\0';
    if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        return set_v6(address, host + 1, port);
    }
    return set_v4(address, host, port);
}

void posix_address_host(const struct posix_address *address, char *text)
{
    if (address->at.any.sa_family == AF_INET6) {
        text[0] = '[';
        inet_ntop(AF_INET6, &address->at.v6.sin6_addr, text + 1, INET6_ADDRSTRLEN);
        strcat(text, "]");
    } else {
        inet_ntop(AF_INET, &address->at.v4.sin_addr, text, INET_ADDRSTRLEN);
    }
}

unsigned posix_address_port(const struct posix_address *address)
{
    return ntohs(address->at.any.sa_family == AF_INET6 ? address->at.v6.sin6_port : address->at.v4.sin_port);
}

bool posix_address_same_host(const struct posix_address *a, const struct posix_address *b)
{
    if (a->at.any.sa_family != b->at.any.sa_family) {
        return false;
    }
    if (a->at.any.sa_family == AF_INET6) {
        return memcmp(&a->at.v6.sin6_addr, &b->at.v6.sin6_addr, sizeof a->at.v6.sin6_addr) == 0;
    }
    return a->at.any.sa_family == AF_INET && a->at.v4.sin_addr.s_addr == b->at.v4.sin_addr.s_addr;
}

bool posix_address_is_loopback(const struct posix_address *address)
{
    if (address->at.any.sa_family == AF_INET6) {
        return IN6_IS_ADDR_LOOPBACK(&address->at.v6.sin6_addr);
    }
    return (ntohl(address->at.v4.sin_addr.s_addr) >> 24) == 127;
}
