/* cable.h -- the way to one device: a serial port that comes and goes.
 *
 * Opens the port and finds out how the device speaks: a hello for the reliable mode and a ping as a plain line, at
 * the given speed or at the usual ones in turn. Then it carries whole messages both ways, reports when the device is
 * gone, and reopens the port by itself. It knows nothing of requests and answers. */
#ifndef SKR_CABLE_H
#define SKR_CABLE_H

#include "../uart/frame.h"
#include "bridge_config.h"

enum skr_cable_state {
    SKR_CABLE_CLOSED,   /* no port */
    SKR_CABLE_PROBING,  /* a port is open, but no device has answered yet */
    SKR_CABLE_PLAIN,    /* lines */
    SKR_CABLE_RELIABLE, /* frames */
    SKR_CABLE_SHARED,   /* lines to another bridge, which has the port */
};

/* The longest messages: a request with the bridge's id, a client's reply, the list of watched resources. */
#define SKR_CABLE_TEXT (SKR_REQUEST_MAX + SKR_BRIDGE_SMALL + SKR_BRIDGE_WATCHED * SKR_BRIDGE_WATCH_URI)

struct skr_cable {
    /* set by the owner before the first turn */
    const char *path;
    uint32_t baud;     /* 0: try the usual ones */
    bool plain;        /* never ask for the reliable mode */
    bool quiet;        /* logs of the device are dropped */
    const char *label; /* prefix of its log lines */
    void *owner;
    void (*on_up)(void *owner);
    void (*on_down)(void *owner);
    void (*on_message)(void *owner, size_t n); /* `in` holds a message of n bytes; may set another `in` */

    /* where messages are assembled; NULL: nothing can be taken at the moment */
    char *in;
    size_t in_size;
    size_t in_n;
    bool in_lost; /* too long: the rest is dropped, then on_message gets 0; `in` has its beginning */

    enum skr_cable_state state;
    int fd;       /* -1: none */
    int listener; /* where other bridges connect to share this port; -1: none */
    bool has_identity;
    uint8_t identity[SKR_FRAME_IDENTITY];

    unsigned speed; /* which of the usual ones */
    uint32_t at_baud;
    unsigned tries;   /* at this speed */
    bool plain_heard; /* a ping has been answered, */
    bool ping_open;   /* but not the last one */
    uint32_t sent;    /* lines sent since the device was found, empty ones included */
    uint16_t nonce;
    uint64_t next_ms;  /* when to try again */
    uint64_t heard_ms; /* last byte from the device */
    uint64_t said_ms;  /* last time something was put on the line */
    int open_error;    /* why the port could not be opened; 0: it is open */
    bool said_gone;    /* it has been reported that the port is missing */
    bool progress;     /* a progress line is on the terminal */
    uint64_t progress_ms, progress_from_ms;

    struct skr_frame frame;
    uint8_t frame_rx[223], frame_tx[4096];
    char text[SKR_CABLE_TEXT]; /* a message to send, and how far it has got */
    size_t text_at, text_n;
    uint8_t out[4096]; /* bytes the port has not taken yet */
    size_t out_at, out_n;
    uint8_t got[4096]; /* bytes from the port, and how many have been processed */
    size_t got_at, got_n;
    char log[SKR_BRIDGE_LOG_LINE];
    size_t log_n;
    uint8_t line; /* enum cable_line */
};

/* While no device is there: what the user can do about it, as the inside of a JSON string. */
const char *skr_cable_remedy(const struct skr_cable *c);

/* True when at least `ms` have passed. The clock is read several times in one turn, so `since` may be slightly later
 * than `now`. */
static inline bool skr_waited(uint64_t now_ms, uint64_t since_ms, uint64_t ms)
{
    return now_ms >= since_ms && now_ms - since_ms >= ms;
}

/* Initialises c, whose owner's fields are set. */
void skr_cable_init(struct skr_cable *c);

/* Reads, writes, opens, probes: whatever is due. now_ms never decreases from turn to turn. */
void skr_cable_turn(struct skr_cable *c, uint64_t now_ms);

/* True when a device is there and the previous message has been handed to the line. */
bool skr_cable_can_send(const struct skr_cable *c);

/* True when several messages may be under way at once. */
bool skr_cable_is_checked(const struct skr_cable *c);

/* Sends one message, given without a line end in three parts. */
void skr_cable_send(struct skr_cable *c, struct skr_span a, struct skr_span b, struct skr_span d);

/* Plain mode: sends a line end, in case the device is in the middle of a line. */
void skr_cable_end_line(struct skr_cable *c);

/* In how many ms a turn is due even if nothing arrives. */
uint32_t skr_cable_wait_ms(const struct skr_cable *c, uint64_t now_ms);

/* True when the port should be watched for bytes. Without a buffer for messages a plain line is not read. A line with
 * frames is read all the same: frames tell the device to wait, and it gives up on a host that does not answer. */
bool skr_cable_listens(const struct skr_cable *c);

/* True when the port should be watched for room to write. */
bool skr_cable_is_full(const struct skr_cable *c);

/* Something is wrong with the device: connect to it again. */
void skr_cable_restart(struct skr_cable *c, const char *why);

/* Leaves the device in plain mode and the port to others. */
void skr_cable_end(struct skr_cable *c);

#endif
