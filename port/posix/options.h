/* options.h -- the command line of skillromd. */
#ifndef SKR_OPTIONS_H
#define SKR_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "address.h"
#include "posix_config.h"
#include "skillrom.h"

/* One --http, --https or --tcp. */
struct skr_listen {
    enum skr_wire wire;
    bool secure; /* over TLS */
    struct skr_address address;
};

/* Strings point into argv. */
struct skr_options {
    const char *image;
    bool use_stdio;              /* requested, or nothing else was */
    char serial[SKR_POSIX_PATH]; /* a serial port to serve on; empty: none */
    uint32_t baud;               /* its speed */
    struct skr_listen listen[SKR_POSIX_LISTENERS];
    size_t listen_count;
    const char *hosts[SKR_POSIX_HOSTS];
    size_t host_count;
    const char *cert, *key; /* files in PEM, for --https */
    const char *path;       /* where HTTP serves, "/mcp" */
    const char *token_file; /* who may use HTTP; NULL: everybody */
    bool anyone;            /* also at addresses that other machines can reach */
    bool sessionless;       /* no Mcp-Session-Id is issued */
    bool keeps_key;         /* sessions survive a restart */
    const char *state;      /* folder for their key; NULL: the default */
    bool reload;            /* SIGHUP replaces the image */
    uint32_t page;          /* items on a page of a list; 0: the core's default */
    uint32_t slots;         /* connections at once */
    uint32_t peer_slots;    /* of one address; 0: as skr_slots_init says */
    uint32_t grace_ms;      /* before a connection may have to give way; 0: SKR_POSIX_GRACE_MS */
    uint32_t timeout_ms;    /* for a request to arrive, for a byte to leave */
    uint32_t idle_ms;       /* for a kept-alive HTTP connection */
    uint32_t drain_ms;      /* for answers under way when the server is told to stop */
    bool exec_scripts;      /* run scripts of skills in a sandbox */
    uint32_t exec_ms;       /* how long each may take */
};

enum skr_options_result {
    SKR_OPTIONS_RUN,   /* serve */
    SKR_OPTIONS_DONE,  /* --help or --version, already answered */
    SKR_OPTIONS_LOST,  /* the same, but stdout could not be written; a message has been printed */
    SKR_OPTIONS_WRONG, /* wrong; a message has been printed */
};

enum skr_options_result skr_options_parse(struct skr_options *options, int argc, char **argv);

#endif
