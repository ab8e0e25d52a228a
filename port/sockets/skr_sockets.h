/* skr_sockets.h -- serve over BSD sockets: HTTP, HTTPS and raw lines, many clients in one thread, no heap.
 *
 *     static struct skr_server server;
 *     static struct skr_sockets net;
 *
 *     static struct skr_http_config http = {.path = "/mcp", .anyone = true};
 *     read_random_bytes(http.seed, sizeof http.seed);
 *     if (skr_server_init(&server, &my_device, image, sizeof image) != 0) halt();
 *     skr_server_http(&server, &http);
 *     skr_sockets_init(&net, &server);
 *     if (skr_sockets_listen(&net, &(struct skr_sockets_endpoint){.address.port = 80, .wire = SKR_HTTP_1}) != 0) halt();
 *     while (skr_sockets_run_once(&net, -1) == 0) {
 *     }
 *
 * The server, its connections and its handlers belong to the thread that calls this. Another thread wakes it through a
 * descriptor (skr_sockets_also). sockets_config.h has the limits; skr_sockets_system.h has what differs between POSIX,
 * Zephyr and lwIP. */
#ifndef SKR_SOCKETS_H
#define SKR_SOCKETS_H

#include "../carrier.h"
#include "../pace.h"
#include "skillrom.h"
#include "sockets_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An address without a name: nothing is looked up here, because that blocks and allocates. */
struct skr_sockets_address {
    uint8_t ip[16]; /* in network order; IPv4 has the first four bytes. All zero: every address of this device */
    uint16_t port;  /* to listen: 0 lets the system choose one */
    bool ipv6;
    bool none; /* not a peer of the Internet: skr_sockets_adopt */
};

/* True for the same host, whatever the port. False for those without an address. */
bool skr_sockets_is_same_host(const struct skr_sockets_address *a, const struct skr_sockets_address *b);

/* True for an address that only this machine can have. */
bool skr_sockets_is_loopback(const struct skr_sockets_address *address);

#if SKR_TLS
/* Requirements of TLS on a device. */
struct skr_sockets_tls {
    const struct skr_tls_identity *identity;
    /* Writes unpredictable bytes (port/tls/README.md). False when there are none: the client is sent away. */
    bool (*random)(uint8_t *bytes, size_t n);
};
#endif

/* Where to listen, and for what. */
struct skr_sockets_endpoint {
    struct skr_sockets_address address;
    enum skr_wire wire;        /* SKR_HTTP_1; anything else is served as SKR_LINE_TCP */
    struct skr_server *server; /* NULL for that of skr_sockets_init */
#if SKR_TLS
    const struct skr_sockets_tls *tls; /* NULL for a connection without TLS; must stay valid */
#endif
};

/* A socket that is waited for. */
struct skr_sockets_place {
    int fd;          /* -1: free */
    uint8_t wanted;  /* enum skr_sockets_event, or-ed */
    uint8_t ready;   /* of these, what has happened */
    uint8_t watched; /* for SKR_SOCKETS_OWN: `wanted` as the waiter has it */
};

enum skr_sockets_event { SKR_SOCKETS_READABLE = 1, SKR_SOCKETS_WRITABLE = 2, SKR_SOCKETS_BROKEN = 4 };

struct skr_sockets_listener {
    struct skr_sockets_place place;
    struct skr_sockets_endpoint is; /* with the port that the system chose for 0 */
};

/* One connection, and its claim to its slot. */
struct skr_sockets_slot {
    struct skr_sockets_place place;
    uint8_t wire;         /* enum skr_wire */
    uint8_t doing;        /* enum skr_activity, as of the last turn */
    bool peer_done;       /* half-closed: the peer will send no more, but may read */
    bool served;          /* has had a response */
    uint32_t since_ms;    /* when the current wait began */
    uint32_t sent, taken; /* bytes given to the stack, and acknowledged by the peer when last checked */
    struct skr_pace pace; /* while a request comes or a response leaves */
    struct skr_sockets_address peer;
    struct skr_carrier carrier; /* its connection, with TLS in between if wanted */
};

/* An ended connection, or a refused one. */
struct skr_sockets_linger {
    struct skr_sockets_place place;
    uint32_t discarded;
    uint32_t since_ms;
};

/* With SKR_SOCKETS_ADJUSTABLE a program may change these between skr_sockets_init and skr_sockets_listen. */
struct skr_sockets_limits {
    uint32_t timeout_ms, idle_ms, grace_ms;
    uint16_t slots;      /* at most SKR_SOCKETS_SLOTS */
    uint16_t peer_slots; /* for one address; not for those of this machine itself, which many share, */
    bool strict;         /* unless this is set */
};

/* All the memory that connections need. Its fields are to be read, not written. */
struct skr_sockets {
    struct skr_server *server;
#if SKR_SOCKETS_ADJUSTABLE
    struct skr_sockets_limits limits;
#endif
    /* For a log: a connection has got its slot, or is about to lose it. NULL disables it. It must not call the port. */
    void (*changed)(const struct skr_sockets_slot *slot, bool open);
    uint32_t tick_ms;    /* how often timeouts are checked */
    uint32_t now_ms;     /* of this turn */
    uint32_t checked_ms; /* when timeouts were last checked */
    uint32_t changes;    /* of the server, when connections last sent notifications */
    uint16_t open;       /* slots in use */
    uint16_t lines;      /* of those, how many are not HTTP */
    uint16_t lingering;
    uint8_t listener_count;
    bool http;     /* HTTP of this server is served at some address, perhaps besides lines */
    bool working;  /* a handler needs more time */
    bool deaf;     /* not accepting at the moment, for want of descriptors */
    bool stopping; /* skr_sockets_stop */
#if SKR_SOCKETS_OTHERS > 0
    bool woken; /* one of these is readable, as of the last wait */
    uint8_t other_count;
    int others[SKR_SOCKETS_OTHERS]; /* skr_sockets_also */
#endif
    struct skr_sockets_listener listeners[SKR_SOCKETS_LISTENERS];
    struct skr_sockets_linger lingers[SKR_SOCKETS_LINGERS];
    struct skr_sockets_slot slots[SKR_SOCKETS_SLOTS];
    struct skr_conn conns[SKR_SOCKETS_SLOTS]; /* apart from the slots, so that a turn touches little memory */
#if SKR_TLS
    struct skr_tls tls[SKR_SOCKETS_SLOTS];
#endif
};

/* All slots free, nothing listened on. Both must stay where they are. Its name has every number that changes the
 * struct, so that only code that agrees about them links: skr_layout.h. */
#define skr_sockets_init                                                                                               \
    SKR_CONFIGURED_FOR(skr_sockets_init, SKR_SOCKETS_SLOTS, SKR_SOCKETS_LINGERS, SKR_SOCKETS_LISTENERS,                \
                       SKR_SOCKETS_OTHERS, SKR_SOCKETS_ADJUSTABLE, SKR_TLS)
void skr_sockets_init(struct skr_sockets *net, struct skr_server *server);

/* Listens at an address. Returns 0, or the stack's errno, such as EADDRINUSE when the port is taken. Also ENOBUFS when
 * there are SKR_SOCKETS_LISTENERS already, EINVAL before skr_sockets_init and skr_server_init, and EPROTONOSUPPORT for
 * HTTP without SKR_HTTP or for lines without SKR_SOCKETS_LINES. */
int skr_sockets_listen(struct skr_sockets *net, const struct skr_sockets_endpoint *where);

/* One turn: waits until something happens, at most `most_ms` milliseconds (-1: without limit), then serves every client
 * that is ready, lets handlers go on and checks timeouts. Returns 0, or errno when waiting is impossible: ENOTCONN when
 * it would wait for ever, because nothing is listened on and nobody is connected. */
int skr_sockets_run_once(struct skr_sockets *net, int most_ms);

/* The two halves of a turn, for a program with work of its own in between: clients that are ready; then handlers,
 * timeouts and notifications. */
int skr_sockets_serve(struct skr_sockets *net, int most_ms);
void skr_sockets_tick(struct skr_sockets *net);

#if SKR_SOCKETS_OTHERS > 0
/* From now on skr_sockets_run_once also returns when this descriptor is readable, such as an eventfd, a pipe or a UDP
 * socket of your own: `woken` is then true, and you read the descriptor. False when there are SKR_SOCKETS_OTHERS
 * already, or the system cannot wait for it. */
bool skr_sockets_also(struct skr_sockets *net, int fd);
#endif

/* Between two turns: serves a socket that was connected elsewhere. Returns its slot; NULL, and the socket is closed,
 * when there is none. */
struct skr_sockets_slot *skr_sockets_adopt(struct skr_sockets *net, int fd, enum skr_wire wire);

/* Between two turns: closes a connection without notifying its peer. */
void skr_sockets_drop(struct skr_sockets *net, struct skr_sockets_slot *slot);

#if SKR_CHANGES
/* True while a response still uses the image before skr_server_swap. Also for skr_server_update_turn (port/update). */
bool skr_sockets_uses_old_image(const struct skr_sockets *net);
#endif

/* Stops listening, ends subscriptions, and closes each connection when its response has been sent: go on with
 * skr_sockets_run_once until skr_sockets_is_idle. */
void skr_sockets_stop(struct skr_sockets *net);
bool skr_sockets_is_idle(const struct skr_sockets *net);

/* Closes everything immediately. */
void skr_sockets_close(struct skr_sockets *net);

#ifdef __cplusplus
}
#endif

#endif
