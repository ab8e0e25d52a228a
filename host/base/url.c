/* url.c -- see url.h. */
#include "url.h"

#include <stdio.h>
#include <string.h>

#include "decimal.h"

#define NOT_A_URL "not a URL; write it as in https://pump.local:8443"
#define BAD_PORT "not a URL: a port is a number from 1 to 65535"

/* The bytes a URL may contain besides letters and digits (RFC 3986). */
static bool is_url_byte(char c)
{
    return c > ' ' && c < 0x7F && strchr("\"<>\\^`{|}", c) == NULL;
}

/* Copies the host, without brackets, and with the zone of an IPv6 address as the system writes it. */
static bool copy_host(struct host_url *url, const char *from, size_t n)
{
    char *zone;

    url->ipv6 = n > 1 && from[0] == '[' && from[n - 1] == ']';
    if (url->ipv6) {
        from++;
        n -= 2;
    }
    if (n == 0 || n >= sizeof url->host) {
        return false;
    }
    memcpy(url->host, from, n);
    url->host[n] = '\0';
    zone = url->ipv6 ? strstr(url->host, "%25") : NULL;
    if (zone != NULL) {
        memmove(zone + 1, zone + 3, strlen(zone + 3) + 1);
    }
    return strpbrk(url->host, url->ipv6 ? "[]/@" : "[]/@:") == NULL;
}

const char *host_url_parse(struct host_url *url, const char *text, size_t scheme_n)
{
    const char *from = text + scheme_n;
    size_t n = strcspn(from, "/?#"), host_n;
    const char *at = NULL, *bracket;
    uint64_t port = 0;

    memset(url, 0, sizeof *url);
    for (const char *p = from; *p != '\0'; p++) {
        if (!is_url_byte(*p)) {
            return NOT_A_URL;
        }
        at = *p == '@' && (size_t)(p - from) < n ? p : at;
    }
    url->path = from + n;
    url->path_n = strcspn(url->path, "#");
    if (at != NULL) {
        url->user = from;
        url->user_n = (size_t)(at - from);
        n -= url->user_n + 1;
        from = at + 1;
    }
    bracket = *from == '[' ? memchr(from, ']', n) : NULL;
    host_n = bracket != NULL ? (size_t)(bracket + 1 - from) : strcspn(from, ":/?#");
    if (!copy_host(url, from, host_n < n ? host_n : n)) {
        return NOT_A_URL;
    }
    if (host_n < n &&
        (from[host_n] != ':' || !host_decimal(from + host_n + 1, n - host_n - 1, 65535, &port) || port == 0)) {
        return BAD_PORT;
    }
    url->port = (uint16_t)port;
    return NULL;
}

void host_url_authority(const struct host_url *url, uint16_t port, char *to, size_t room)
{
    (void)snprintf(to, room, "%s%.*s%s:%u", url->ipv6 ? "[" : "", (int)strcspn(url->host, "%"), url->host,
                   url->ipv6 ? "]" : "", (unsigned)port);
}
