/* way.h -- the way to one device, whatever it is made of: a serial port (cable.h), a TCP connection with lines (lines.h),
 * an HTTP server (post.h).
 *
 * A way comes up when a device has answered, carries whole messages in both directions, says when the device is gone, and
 * then tries to reach it again by itself. It knows nothing of requests and answers beyond their ids. */
#ifndef SKR_WAY_H
#define SKR_WAY_H

#include "../../port/uart/frame.h"
#include "bridge_config.h"

enum bridge_transport_state {
    BRIDGE_TRANSPORT_CLOSED,  /* nothing is open */
    BRIDGE_TRANSPORT_PROBING, /* something is open, but no device has answered yet */
    BRIDGE_TRANSPORT_PLAIN,   /* a line that may damage what it carries, one message at a time */
    BRIDGE_TRANSPORT_SOUND,   /* what arrives is what was sent; several messages may be under way */
    BRIDGE_TRANSPORT_SHARED,  /* sound, and another bridge is at its end */
};

/* What is known about a request that will not be answered. */
enum bridge_fate {
    BRIDGE_FATE_NOT_DONE, /* the device has not acted on it: it may be sent again */
    BRIDGE_FATE_STRANGER, /* likewise, because it has forgotten the client's handshake */
    BRIDGE_FATE_UNKNOWN,
};

/* The longest messages: a request with the bridge's id, a client's reply, the list of watched resources. */
#define BRIDGE_TRANSPORT_TEXT (SKR_REQUEST_MAX + BRIDGE_SMALL + BRIDGE_WATCHED * BRIDGE_WATCH_URI)

#define BRIDGE_TRANSPORT_FDS 8 /* descriptors of one way */

/* The first member of every kind of way. */
struct bridge_transport {
    const struct bridge_transport_ops *kind;

    /* set by the owner before the first turn */
    const char *path;  /* what the user calls it: a port or a URL */
    const char *label; /* prefix of its log lines */
    bool quiet;        /* logs of the device are dropped */
    bool hasty;        /* who is refused does not wait: bridge_transport.refused */
    void *owner;
    void (*on_up)(void *owner);
    void (*on_down)(void *owner);
    void (*on_message)(void *owner, size_t n); /* `in` holds a message of n bytes; may set another `in` */
    void (*on_fate)(void *owner, struct skr_span id, enum bridge_fate fate); /* HTTP: of one request; the way stays up */
    void (*on_refused)(void *owner); /* HTTP: the device has no connection to spare for changes */
    size_t (*headers)(void *owner, struct skr_span message, char *to, size_t room); /* HTTP: Mcp-Param-* */

    /* where messages are assembled; NULL: nothing can be taken at the moment */
    char *in;
    size_t in_size;
    size_t in_n;
    bool in_lost;           /* too long: the rest is dropped, then on_message gets 0; `in` has its beginning */
    struct skr_span stream; /* in on_message, HTTP: the id of the request in whose response it came; empty: not known */

    enum bridge_transport_state state;
    bool refused;     /* something is there and says no: a token, a certificate, a path. Time alone changes nothing */
    char reason[512]; /* why a bridge on the network cannot reach its device; "": it is not such a bridge */
    bool steady;      /* a device that changes goes away first: what it has said holds as long as the way is up */
    bool headed;      /* headers repeat arguments of tools */
    unsigned most;    /* requests under way at once, when it is sound */
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];
    uint32_t sent;     /* lines sent since the device was found, empty ones included */
    uint32_t at_baud;  /* plain mode: the speed */
    bool ping_open;    /* plain mode: the last ping has not been answered */
    uint64_t heard_ms; /* last byte from the device */

    bool progress; /* a progress line is on the terminal */
    uint64_t progress_ms, progress_from_ms;
};

/* What a kind of way does; the functions below say what is meant. */
struct bridge_transport_ops {
    void (*turn)(struct bridge_transport *w, uint64_t now_ms);
    bool (*can_send)(const struct bridge_transport *w);
    void (*send)(struct bridge_transport *w, const struct skr_span parts[3]);
    void (*end_line)(struct bridge_transport *w);                    /* NULL: never plain */
    bool (*give_up)(struct bridge_transport *w, struct skr_span id); /* NULL: it has one connection */
    bool (*hang_up)(struct bridge_transport *w,
                    const char *id); /* NULL, as above. Closes the stream of a request; true when that
                                                           is its cancellation */
    bool (*has_taken_all)(const struct bridge_transport *w);
    uint32_t (*wait_ms)(const struct bridge_transport *w, uint64_t now_ms);
    unsigned (*wants)(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS]);
    const char *(*remedy)(const struct bridge_transport *w);
    void (*restart)(struct bridge_transport *w, const char *why);
    void (*end)(struct bridge_transport *w);
};

/* True when at least `ms` have passed. The clock is read several times in one turn, so `since` may be slightly later
 * than `now`. */
static inline bool bridge_waited(uint64_t now_ms, uint64_t since_ms, uint64_t ms)
{
    return now_ms >= since_ms && now_ms - since_ms >= ms;
}

/* Reads, writes, opens, probes: whatever is due. now_ms never decreases from turn to turn. */
void bridge_transport_turn(struct bridge_transport *w, uint64_t now_ms);

/* True when a device is there and the previous message has been handed over. */
bool bridge_transport_can_send(const struct bridge_transport *w);

/* Sends one message, given without a line end in three parts. */
void bridge_transport_send(struct bridge_transport *w, struct skr_span a, struct skr_span b, struct skr_span d);

/* Cancels a request: over HTTP closes its stream; except in 2026-07-28 over HTTP sends notifications/cancelled. False: the
 * way cannot send at present; call this again. */
bool bridge_transport_cancel(struct bridge_transport *w, const char *id);

/* Waits for `ms` at most until the way, or `fd` unless it is -1, is ready; then takes a turn. */
void bridge_transport_wait(struct bridge_transport *w, int fd, uint32_t ms);

/* Takes turns until the device has received everything that was sent. False after `ms`, or when the way is down. */
bool bridge_transport_flush(struct bridge_transport *w, uint32_t ms);

/* Plain mode: sends a line end, in case the device is in the middle of a line. */
void bridge_transport_end_line(struct bridge_transport *w);

/* True when several messages may be under way at once. */
bool bridge_transport_is_checked(const struct bridge_transport *w);

/* True when the bridge itself, and no other bridge, has the device. */
bool bridge_transport_is_own(const struct bridge_transport *w);

/* True unless it is known that the device has not yet received everything that was sent. */
bool bridge_transport_has_taken_all(const struct bridge_transport *w);

/* A request has not been answered for a while: true if it was on a connection of its own, which has been closed. */
bool bridge_transport_give_up(struct bridge_transport *w, struct skr_span id);

/* In how many ms a turn is due even if nothing arrives. */
uint32_t bridge_transport_wait_ms(const struct bridge_transport *w, uint64_t now_ms);

/* What to wait for; returns how many descriptors. */
unsigned bridge_transport_wants(const struct bridge_transport *w, int fds[BRIDGE_TRANSPORT_FDS], short events[BRIDGE_TRANSPORT_FDS]);

/* While no device is there: what the user can do about it, as the inside of a JSON string. */
const char *bridge_transport_remedy(const struct bridge_transport *w);

/* Something is wrong with the device: connect to it again. */
void bridge_transport_restart(struct bridge_transport *w, const char *why);

/* Leaves the device to others. */
void bridge_transport_end(struct bridge_transport *w);

/* ---- For kinds of ways ---- */

/* Bytes of a message; then its end. w->in is not NULL. */
void bridge_transport_put(struct bridge_transport *w, const void *bytes, size_t n);
void bridge_transport_end_message(struct bridge_transport *w);

/* Forgets the part of a message that has arrived. */
void bridge_transport_forget(struct bridge_transport *w);

#endif
