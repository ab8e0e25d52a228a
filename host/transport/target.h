/* target.h -- the URL of a device on a network, and the current addresses of its host. */
#ifndef TRANSPORT_TARGET_H
#define TRANSPORT_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "transport_config.h"

enum transport_scheme {
    TRANSPORT_SCHEME_NONE, /* not a URL: a serial port */
    TRANSPORT_SCHEME_TCP,
    TRANSPORT_SCHEME_HTTP,
    TRANSPORT_SCHEME_HTTPS,
};

struct transport_target {
    enum transport_scheme scheme;
    char host[256];      /* without brackets */
    char port[8];        /* digits */
    char authority[272]; /* host and port as the header Host has them */
    char path[256];      /* with its query; "/mcp" where the URL has none */
    unsigned count;
    struct {
        struct sockaddr_storage address;
        socklen_t n;
    } at[TRANSPORT_ADDRESSES];
};

/* Reads a URL: tcp://HOST:PORT, http://HOST[:PORT][/PATH], https://... Returns NULL, or the reason why it is refused. */
const char *transport_target_parse(struct transport_target *t, const char *url);

/* Looks the host up. Returns NULL, or the reason why it has no address. Blocks as long as the system's resolver does; a
 * numeric address needs none. */
const char *transport_target_resolve(struct transport_target *t);

#endif
