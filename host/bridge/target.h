/* target.h -- where a device on a network is: its URL, and the addresses its host has at present. */
#ifndef SKR_TARGET_H
#define SKR_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "bridge_config.h"

enum bridge_scheme {
    BRIDGE_SCHEME_NONE, /* not a URL: a serial port */
    BRIDGE_SCHEME_TCP,
    BRIDGE_SCHEME_HTTP,
    BRIDGE_SCHEME_HTTPS,
};

struct bridge_target {
    enum bridge_scheme scheme;
    char host[256];      /* without brackets */
    char port[8];        /* digits */
    char authority[272]; /* host and port as the header Host has them */
    char path[256];      /* with its query; "/mcp" where the URL has none */
    unsigned count;
    struct {
        struct sockaddr_storage address;
        socklen_t n;
    } at[BRIDGE_ADDRESSES];
};

/* The scheme a word begins with. An unknown one, as in ftp://, counts as TCP, and bridge_target_parse refuses it. */
enum bridge_scheme bridge_target_scheme(const char *word);

/* Reads a URL: tcp://HOST:PORT, http://HOST[:PORT][/PATH], https://... Returns NULL, or what is wrong with it. */
const char *bridge_target_parse(struct bridge_target *t, const char *url);

/* Looks the host up. NULL, or why it has no address. Blocks as long as the system's resolver does; an address in
 * digits needs none. */
const char *bridge_target_resolve(struct bridge_target *t);

#endif
