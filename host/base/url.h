/* url.h -- the parts of a URL with an authority: SCHEME://[USER@]HOST[:PORT][/PATH][?QUERY][#FRAGMENT]. */
#ifndef HOST_URL_H
#define HOST_URL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct host_url {
    const char *user; /* as written, in the URL's own text; NULL if the URL has none */
    size_t user_n;
    char host[256]; /* without brackets; an IPv6 address may end in %ZONE, which a URL writes as %25ZONE (RFC 6874) */
    bool ipv6;
    uint16_t port;    /* 0 if the URL has none */
    const char *path; /* path and query as written, without the fragment; empty if the URL has neither */
    size_t path_n;
};

/* Reads a URL whose scheme, with "://", is the first `scheme_n` bytes. Returns NULL, or the reason why it is not one. Parts
 * that are pointers stay valid as long as the text. */
const char *host_url_parse(struct host_url *url, const char *text, size_t scheme_n);

/* Writes HOST:PORT as the header Host and messages have it: an IPv6 address in brackets, without its zone. */
void host_url_authority(const struct host_url *url, uint16_t port, char *to, size_t room);

#endif
