/* net.h -- the server over TCP, between net.c (the loop) and net_links.c (its links). */
#ifndef SKR_NET_H
#define SKR_NET_H

#include "linger.h"
#include "listener.h"
#include "refusals.h"
#include "serve.h"
#include "slots.h"

/* The source of an event; stored above the index in its tag. */
enum source { SOURCE_LINK, SOURCE_LINGER, SOURCE_LISTENER, SOURCE_SIGNAL, SOURCE_SIDE };

struct posix_net {
    struct skr_server *server;
    const struct posix_options *options;
    struct posix_reload *reload;
    uint32_t changes;      /* of the server, when links last sent notifications */
    uint64_t requested_ms; /* when the pending replacement was requested */
    struct host_waiter waiter;
    int signals;
    struct host_waiter *side; /* other events to wait for (posix_net_nest); NULL: none */
    void (*side_turn)(uint64_t now_ms);
    uint32_t tick_ms;    /* how often time-outs are checked */
    uint64_t now_ms;     /* of this turn */
    uint64_t checked_ms; /* when they were last checked */
    uint64_t stopped_ms; /* when the first signal came */
    bool stopping;
    bool killed;  /* a second signal */
    bool working; /* a handler needs more time */
    bool deaf;    /* out of descriptors: not accepting at the moment */
    bool http;    /* HTTP is served at some address, perhaps besides lines */
    size_t listener_count;
    struct posix_patience patience;
    struct posix_listener listeners[POSIX_LISTENERS];
    struct posix_slots slots;
    struct posix_lingers lingers;
    struct posix_refusals refusals;
};

extern struct posix_net posix_net;

/* host_wait_add or host_wait_change. */
typedef bool posix_watch_fn(struct host_waiter *w, int fd, uint64_t tag, unsigned events);

bool posix_net_watch(posix_watch_fn *how, int fd, enum source source, size_t index, unsigned events);

/* Starts or stops accepting clients. */
void posix_net_set_accepting(bool on);

/* Closes a link without a word to its peer. */
void posix_net_drop(struct posix_link *link);

/* Acts on the outcome of a link's turn, and watches for the events that the link waits for now. */
void posix_net_settle(struct posix_link *link, enum posix_verdict verdict);

/* Serves a link that is ready; accepts the clients of a listener that is. */
void posix_net_on_link(size_t index, unsigned events);
void posix_net_on_listener(const struct posix_listener *listener);

#endif
