/* target.h -- where a device on a network is: its URL, and the addresses its host has at present. */
#ifndef SKR_TARGET_H
#define SKR_TARGET_H

#include <stdbool.h>
#include <sys/socket.h>

#include "bridge_config.h"

enum skr_scheme {
    SKR_SCHEME_NONE, /* not a URL: a serial port */
    SKR_SCHEME_TCP,
    SKR_SCHEME_HTTP,
    SKR_SCHEME_HTTPS,
};

struct skr_target {
    enum skr_scheme scheme;
    char host[256];      /* without brackets */
    char port[8];        /* digits */
    char authority[272]; /* host and port as the header Host has them */
    char path[256];      /* with its query; "/mcp" where the URL has none */
    unsigned count;
    struct {
        struct sockaddr_storage address;
        socklen_t n;
    } at[SKR_BRIDGE_ADDRESSES];
};

/* The scheme a word begins with. An unknown one, as in ftp://, counts as TCP, and skr_target_parse refuses it. */
enum skr_scheme skr_target_scheme(const char *word);

/* Reads a URL: tcp://HOST:PORT, http://HOST[:PORT][/PATH], https://... Returns NULL, or what is wrong with it. */
const char *skr_target_parse(struct skr_target *t, const char *url);

/* Looks the host up. NULL, or why it has no address. Blocks as long as the system's resolver does; an address in
 * digits needs none. */
const char *skr_target_resolve(struct skr_target *t);

#endif
