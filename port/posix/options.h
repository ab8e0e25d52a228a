/* options.h -- the command line of skillromd. */
#ifndef SKR_OPTIONS_H
#define SKR_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "address.h"
#include "posix_config.h"
#include "skillrom.h"

/* Something else that a program serves beside MCP: a server of its own, and how it is announced. */
struct posix_site {
    struct skr_server *server;
    const char *what, *path; /* "metrics", "/metrics" */
};

/* One --http, --https or --tcp. */
struct posix_listen {
    enum skr_wire wire;
    bool secure; /* over TLS */
    struct skr_sockets_address address;
    const struct posix_site *site; /* NULL: clients that arrive here are those of posix_serve_net's server */
};

/* Strings point into argv. */
struct posix_options {
    const char *image;
    const char *content;     /* served instead of an image, for messages; NULL describes the image */
    bool use_stdio;          /* requested, or nothing else was */
    char serial[POSIX_PATH]; /* a serial port to serve on; empty: none */
    uint32_t baud;           /* its speed */
    struct posix_listen listen[SKR_SOCKETS_LISTENERS];
    size_t listen_count;
    const char *hosts[POSIX_HOSTS];
    size_t host_count;
    const char *cert, *key;   /* files in PEM, for --https */
    const char *path;         /* where HTTP serves, "/mcp" */
    const char *token_file;   /* bearer tokens for HTTP; NULL: none are required */
    const char *oauth_issuer; /* an authorization server whose tokens are also accepted; NULL: none */
    const char *oauth_keys, *oauth_resource;
    const char *oauth_scopes; /* READ,OPERATE; NULL: as port/oauth has them */
    bool anyone;              /* also at addresses that other machines can reach */
    const char *announce;     /* the name to announce by mDNS; NULL: none */
    bool sessionless;         /* no Mcp-Session-Id is issued */
    bool keeps_key;           /* sessions survive a restart */
    const char *state;        /* folder for their key; NULL: the default */
    bool reload;              /* SIGHUP replaces the image */
    uint32_t page;            /* items on a page of a list; 0: the core's default */
    uint32_t slots;           /* maximum number of connections */
    uint32_t peer_slots;      /* of one address; 0: half of them, and no limit for this machine */
    uint32_t grace_ms;        /* before a connection may have to give way; 0: SKR_SOCKETS_GRACE_MS */
    uint32_t timeout_ms;      /* for a request to arrive, for a byte to leave */
    uint32_t idle_ms;         /* for a kept-alive HTTP connection */
    uint32_t drain_ms;        /* for responses that are being sent when the server stops */
    bool log;                 /* a line for each request */
    const char *audit_log;    /* a file for every tool call; NULL: none */
    bool verbose;             /* and for each connection */
    bool quiet;               /* no word of what is served */
    bool exec_scripts;        /* run scripts of skills in a sandbox */
    uint32_t exec_ms;         /* how long each may take */

    const char *update; /* file with the slots of updates; NULL if there are none */
    const char *update_keys[SKR_POSIX_UPDATE_KEYS];
    size_t update_key_count;
    const char *product; /* what releases must be for */
};

/* Whether HTTP requires a token. */
static inline bool posix_options_guard(const struct posix_options *options)
{
    return options->token_file != NULL || options->oauth_issuer != NULL;
}

enum { POSIX_OPTIONS_RUN = -1, POSIX_OPTIONS_WRONG = 2 };

/* Reads them. Returns POSIX_OPTIONS_RUN, or the exit code: 0 when --help or --version has been answered; after a message, 1 when
 * stdout could not be written, POSIX_OPTIONS_WRONG when the call is wrong. */
int posix_options_read(struct posix_options *options, int argc, char **argv);

#endif
