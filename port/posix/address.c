/* address.c -- parse and print socket addresses. */
#include "address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "decimal.h"

static bool parse_port(const char *text, uint16_t *port)
{
    uint64_t value;

    if (!host_decimal(text, strlen(text), UINT16_MAX, &value)) {
        return false;
    }
    *port = (uint16_t)value;
    return true;
}

bool posix_address_parse(struct skr_sockets_address *address, const char *text)
{
    char host[POSIX_ADDRESS_TEXT];
    const char *colon = strrchr(text, ':');

    *address = (struct skr_sockets_address){.port = 0};
    if (colon == NULL || (size_t)(colon - text) >= sizeof host || !parse_port(colon + 1, &address->port)) {
        return false;
    }
    size_t length = (size_t)(colon - text);
    memcpy(host, text, length);
    host[length] = '\0';
    if (length >= 2 && host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        address->ipv6 = true;
        return inet_pton(AF_INET6, host + 1, address->ip) == 1;
    }
    return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ? "127.0.0.1" : host, address->ip) == 1;
}

void posix_address_host(const struct skr_sockets_address *address, char *text)
{
    if (address->ipv6) {
        text[0] = '[';
        inet_ntop(AF_INET6, address->ip, text + 1, INET6_ADDRSTRLEN);
        strcat(text, "]");
    } else {
        inet_ntop(AF_INET, address->ip, text, INET_ADDRSTRLEN);
    }
}

void posix_address_who(const struct skr_sockets_address *address, char who[POSIX_ADDRESS_WHO])
{
    char host[POSIX_ADDRESS_TEXT];

    posix_address_host(address, host);
    (void)snprintf(who, POSIX_ADDRESS_WHO, "%s:%u", host, (unsigned)address->port);
}
