/* relay.h -- requests of many clients on their way to one device and back.
 *
 * The device has one line and, for clients of the initialize era, one handshake at a time. So every request gets an
 * id of the bridge's own; and before a request of a client other than the one that spoke last, that client's
 * initialize is sent again. A client of 2026-07-28 does not need this: its requests stand alone.
 *
 * When the device goes away, requests that may be repeated are sent again when it is back; the others get an error. */
#ifndef SKR_RELAY_H
#define SKR_RELAY_H

#include <string.h>

#include "../transport/transport.h"
#include "cache.h"
#include "catalogue.h"

#define BRIDGE_WIRE_ID 10 /* characters of an id on the line, with quotes */

enum bridge_request_state {
    BRIDGE_REQUEST_FREE,
    BRIDGE_REQUEST_HELD, /* until the list of the device's tools is known (headers.c) */
    BRIDGE_REQUEST_QUEUED,
    BRIDGE_REQUEST_SENT,
    BRIDGE_REQUEST_DROPPED, /* sent, but nobody waits for the answer */
    BRIDGE_REQUEST_DONE,    /* the answer is there; its client may not have it yet */
};

struct bridge_request {
    enum bridge_request_state state;
    struct bridge_relay *relay;
    uint32_t order; /* of arrival */
    unsigned own;   /* sent by the bridge itself, and how often it has begun; 0: by a client */
    bool modern;
    bool first;                       /* is initialize itself */
    bool repeatable;                  /* may be sent twice */
    int client;                       /* the one whose handshake it needs; -1: none */
    struct bridge_subject subject;    /* what it asks for, for the cache */
    char wire_id[BRIDGE_WIRE_ID + 2]; /* with quotes */
    unsigned tries;
    uint64_t since_ms;    /* queued or sent */
    bool has_interim;     /* something may come before its answer (talk.c) */
    bool wants_logs;      /* its client wants log messages, 2026-07-28 */
    bool limited;         /* a tool call of a client that may only read */
    bool forbidden;       /* so it was refused */
    bool from_http;       /* its client sends headers: */
    unsigned param_count; /* headers that repeat arguments; while it is held they are in `small` */
    struct skr_http_param params[SKR_PARAMS];
    size_t token;                  /* offset in `text` of the bridge's progress token; 0: none */
    unsigned client_request_count; /* the device's questions that its client has not answered, */
    struct {                       /* and the ids they have on the line */
        size_t n;                  /* 0: free */
        bool sure;                 /* the way has said that this request asks */
        char id[32];
    } client_requests[SKR_CLIENT_REQUESTS];
    size_t replies_n;      /* bytes of `small` that are replies for the device, one per line */
    bool validating;       /* the device has been asked for a mark with this key, */
    bool validator_failed; /* and has none, or not that of the stored answer */
    uint8_t validator_key[16];
    bool polled;                     /* its client was told to come back for the answer */
    bool nudged;                     /* plain mode: a line end was sent after it */
    bool cancels;                    /* dropped, and the device has not been told */
    bool taken;                      /* reliable mode: the device has all of it */
    uint32_t line;                   /* which of the lines sent it was */
    uint32_t votes[TRANSPORT_TRIES]; /* plain mode: checksums of the answers so far */
    unsigned vote_count;

    bool failed; /* the answer is an error */
    int code;    /* of the error */
    char *value; /* the result or the error, JSON */
    size_t value_n;
    int large; /* which large buffer holds it; -1: `small` */

    struct skr_span id; /* in text */
    size_t text_n;
    char text[SKR_REQUEST_MAX];
    char small[TRANSPORT_SMALL];
};

/* True when it is on the line: its answer may come, whether anybody waits for it or not. */
static inline bool bridge_request_is_sent(const struct bridge_request *q)
{
    return q->state == BRIDGE_REQUEST_SENT || q->state == BRIDGE_REQUEST_DROPPED;
}

/* Is this the id of a message that the bridge has sent? "" is none. */
static inline bool bridge_id_is(struct skr_span id, const char *ours)
{
    return id.n > 0 && id.n == strlen(ours) && memcmp(id.p, ours, id.n) == 0;
}

/* What is being repeated on behalf of a client. */
enum bridge_handshake {
    BRIDGE_HANDSHAKE_HAND,
    BRIDGE_HANDSHAKE_LEVEL_DUE, /* the handshake is done, the log level is next */
    BRIDGE_HANDSHAKE_LEVEL,
};

struct bridge_relay {
    struct transport *transport;
    char name[64]; /* the device's name to clients, when there are several devices */
    struct bridge_catalogue catalogue;
    uint32_t wait_ms, response_ms;
    bool trusted;  /* plain mode: the line itself detects errors */
    bool promises; /* clients were promised notifications of changed lists */
    bool noisy;    /* plain mode: it has damaged a message */
    bool was_up;   /* a device has been connected before */
    uint8_t identity[SKR_FRAME_IDENTITY];
    bool had_identity;
    int initialized;  /* the client whose handshake the device has seen last; -1: none */
    int initializing; /* the client whose handshake is being repeated; -1: none */
    char initialize_id[12];
    uint32_t initialize_line; /* see struct bridge_request */
    uint64_t initialize_ms;
    unsigned initialize_tries;
    uint8_t initialize_step;                  /* enum bridge_handshake */
    bool wants_changes;                       /* a client listens for changed lists, */
    bool is_subscribed;                       /* and the device has been told so, */
    uint32_t subscribed_count;                /* with this many resources, */
    bool lists_only;                          /* or without resources: it has no room, */
    char subscription_id[BRIDGE_WIRE_ID + 2]; /* in this request; empty: none, */
    bool subscription_open;                   /* which the device has acknowledged */
    unsigned in_flight;
    uint64_t idle_sent_ms; /* when something was last sent on an idle line */
    uint32_t read;         /* the device has read this line and all before it (pipe->sent counts them) */
    uint32_t counter;
    bool large_used[BRIDGE_LARGES];
    char (*larges)[TRANSPORT_LARGE];
    void (*on_change)(unsigned kinds); /* these lists may have changed: enum skr_list_bit */
};

/* Prepares r, whose way is initialised. */
void bridge_relay_init(struct bridge_relay *r);

/* Accepts a request whose text, modern and client are set. `submit` also sends it at once if possible. */
void bridge_relay_queue(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms);
void bridge_relay_submit(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms);

/* ---- Cancelling (relay_cancel.c) ---- */

/* The request's client no longer waits. */
void bridge_relay_cancel(struct bridge_relay *r, struct bridge_request *q);

/* Tells the device of cancelled requests, as soon as the way can send. */
void bridge_relay_send_cancellations(struct bridge_relay *r);

/* The bridge ends: cancels all requests under way, waits until the device has received that, and leaves it. */
void bridge_relay_end(struct bridge_relay *r);

/* ---- Turns ---- */

/* Does whatever is due: the cable, time-outs, the next requests. */
void bridge_relay_turn(struct bridge_relay *r, uint64_t now_ms);
uint32_t bridge_relay_wait_ms(const struct bridge_relay *r, uint64_t now_ms);

/* ---- Who speaks (clients.c) ---- */

/* Remembers the initialize request of a client, which is identified by the core's struct skr_legacy. Returns the
 * client's number; -1 if the request is too long. */
int bridge_client_remember(const struct skr_legacy *who, struct skr_span initialize);

/* The number of a client; -1: it has not sent initialize. */
int bridge_client_find(const struct skr_legacy *who);

/* Its initialize request, JSON. */
struct skr_span bridge_client_handshake(int client);

/* Its last logging/setLevel request; empty if there was none. */
void bridge_client_set_level(int client, struct skr_span request);
struct skr_span bridge_client_level(int client);

#endif
