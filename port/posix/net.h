/* net.h -- the server over TCP, between net.c (the loop) and net_wait.c (what it waits for). */
#ifndef SKR_NET_H
#define SKR_NET_H

#include "options.h"
#include "refusals.h"
#include "serve.h"

struct posix_net {
    struct skr_sockets sockets;
    const struct posix_options *options;
    struct posix_reload *reload;
    const char *names[SKR_SOCKETS_SLOTS]; /* of adopted clients, for messages */
    const char *adopted;                  /* the name of the one that gets its slot now */
    uint64_t requested_ms;                /* when the pending replacement was requested */
    uint64_t stopped_ms;                  /* when the first signal came */
    bool killed;                          /* a second signal */
    int signals;
    struct host_waiter *side; /* other events to wait for (posix_net_nest); NULL: none */
    void (*side_turn)(uint64_t now_ms);
    bool side_ready, signals_ready; /* as of the last wait */
    struct posix_refusals refusals;
};

extern struct posix_net posix_net;

/* Prepares to wait for signals and the side. False with errno. (net_wait.c) */
bool posix_net_wait_open(void);

#endif
