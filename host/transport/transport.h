/* transport.h -- a transport to one device: a serial port (serial.h), lines over TCP (tcp.h), or HTTP (http.h).
 *
 * A transport comes up when a device has responded to a probe, and carries whole messages in both directions. It
 * reports when the device is gone, and then tries to reach it again. It reads only the ids of requests and responses. */
#ifndef TRANSPORT_TRANSPORT_H
#define TRANSPORT_TRANSPORT_H

#include "../../port/uart/frame.h"
#include "clock.h"
#include "transport_config.h"

enum transport_state {
    TRANSPORT_CLOSED,   /* nothing is open */
    TRANSPORT_PROBING,  /* something is open, but no device has responded yet */
    TRANSPORT_PLAIN,    /* a line that may damage messages, one at a time */
    TRANSPORT_RELIABLE, /* nothing is damaged; several requests may be pending */
    TRANSPORT_SHARED,   /* reliable, and another bridge is at the other end */
};

/* The fate of a request that will not get a response. */
enum transport_fate {
    TRANSPORT_FATE_NOT_DONE,   /* the device has not acted on it: it may be sent again */
    TRANSPORT_FATE_NO_SESSION, /* likewise, because it no longer has the session: send initialize first */
    TRANSPORT_FATE_UNKNOWN,
};

#define TRANSPORT_FDS 8 /* descriptors of one transport */

/* The first member of every kind of transport. */
struct transport {
    const struct transport_ops *ops;

    /* set by the owner before the first turn */
    const char *path;  /* the port or URL that the user gave */
    const char *label; /* prefix of its log lines */
    bool quiet;        /* logs of the device are dropped */
    bool hasty;        /* who is refused does not wait: transport.refused */
    void *owner;
    void (*on_up)(void *owner);
    void (*on_down)(void *owner);
    void (*on_message)(void *owner, size_t n); /* `in` holds a message of n bytes; may set another `in` */
    void (*on_fate)(void *owner, struct skr_span id,
                    enum transport_fate fate); /* HTTP: of one request; the transport stays up */
    void (*on_refused)(void *owner); /* HTTP: the device has no connection to spare for notifications; may be NULL */
    size_t (*headers)(void *owner, struct skr_span message, char *to, size_t room); /* HTTP: Mcp-Param-*; may be NULL */

    /* where messages are assembled; NULL while nothing can be received */
    char *in;
    size_t in_size;
    size_t in_n;
    bool in_lost;           /* too long: the rest is dropped, then on_message gets 0; `in` has its beginning */
    struct skr_span stream; /* in on_message, HTTP: the id of the request in whose response it came; empty: not known */

    enum transport_state state;
    bool refused;     /* the server rejects the token, certificate or path, which time alone does not change */
    char reason[512]; /* why a bridge on the network cannot reach its device; "" for other servers */
    bool steady;      /* a device that changes disconnects first: its lists are valid as long as the transport is up */
    bool headed;      /* headers repeat arguments of tools */
    unsigned most;    /* maximum number of pending requests in reliable mode */
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];
    uint32_t sent;     /* lines sent since the device was found, empty ones included */
    uint32_t at_baud;  /* plain mode: the speed */
    bool ping_open;    /* plain mode: the last ping has no response yet */
    uint64_t heard_ms; /* last byte from the device */

    bool outage_logged; /* the reason why the device cannot be reached */
    char remedy[384];   /* that reason for clients, as the inside of a JSON string */
    uint64_t next_ms;   /* when to connect again */

    bool progress; /* a progress line is on the terminal */
    uint64_t progress_ms, progress_from_ms;
};

/* The functions of a kind of transport, with the contracts below. */
struct transport_ops {
    void (*turn)(struct transport *t, uint64_t now_ms);
    bool (*can_send)(const struct transport *t);
    void (*send)(struct transport *t, const struct skr_span parts[3]);
    bool (*has_taken_all)(const struct transport *t);
    uint32_t (*wait_ms)(const struct transport *t, uint64_t now_ms);
    unsigned (*wants)(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS]);
    void (*restart)(struct transport *t);
    void (*end)(struct transport *t);
    void (*end_line)(struct transport *t);                    /* NULL if it is never plain */
    bool (*give_up)(struct transport *t, struct skr_span id); /* NULL if it has one connection */
    bool (*hang_up)(struct transport *t, const char *id);     /* likewise; closes the stream of a request; true if that
                                                                 is its cancellation */
};

/* Reads, writes, opens and probes, as far as each is due. now_ms never decreases from turn to turn. */
void transport_turn(struct transport *t, uint64_t now_ms);

/* True when a device is there and the previous message has been handed over. */
bool transport_can_send(const struct transport *t);

/* Sends one message, given without its newline; in three parts or in one. */
void transport_send(struct transport *t, struct skr_span a, struct skr_span b, struct skr_span d);
void transport_send_text(struct transport *t, struct skr_span message);

/* Cancels a request: over HTTP closes its stream; except in 2026-07-28 over HTTP sends notifications/cancelled. False if
 * the transport cannot send at present; call this again. */
bool transport_cancel(struct transport *t, const char *id);

/* Waits for `ms` at most until the transport, or `fd` unless it is -1, is ready; then takes a turn. */
void transport_wait(struct transport *t, int fd, uint32_t ms);

/* Takes turns until the device has received everything that was sent. False after `ms`, or when the transport is down. */
bool transport_flush(struct transport *t, uint32_t ms);

/* Plain mode: sends a newline, in case the device is in the middle of a line. */
void transport_end_line(struct transport *t);

/* True when several requests may be pending at a time. */
bool transport_is_checked(const struct transport *t);

/* True when the bridge itself, and no other bridge, has the device. */
bool transport_is_own(const struct transport *t);

/* True unless it is known that the device has not yet received everything that was sent. */
bool transport_has_taken_all(const struct transport *t);

/* Closes the connection of a request that has waited long; true if it had one of its own. */
bool transport_give_up(struct transport *t, struct skr_span id);

/* In how many ms a turn is due even if nothing arrives. */
uint32_t transport_wait_ms(const struct transport *t, uint64_t now_ms);

/* The events to wait for; returns how many descriptors. */
unsigned transport_wants(const struct transport *t, int fds[TRANSPORT_FDS], short events[TRANSPORT_FDS]);

/* While no device is there: the remedy for the user, as the inside of a JSON string. */
const char *transport_remedy(const struct transport *t);

/* Connects to the device again, because something is wrong with it. */
void transport_restart(struct transport *t, const char *why);

/* Closes the transport, so that others can use the device. */
void transport_end(struct transport *t);

/* ---- For kinds of transports ---- */

/* Initialises the common part. */
void transport_init(struct transport *t, const struct transport_ops *ops);

/* Logs why the device cannot be reached, once, and sets the remedy; transport_set_remedy does only the latter. */
void transport_report_outage(struct transport *t, const char *why);
void transport_set_remedy(struct transport *t, const char *why);

/* Bytes of a message; then its end. t->in is not NULL. */
void transport_put(struct transport *t, const void *bytes, size_t n);
void transport_end_message(struct transport *t);

/* Forgets the part of a message that has arrived. */
void transport_forget(struct transport *t);

#endif
