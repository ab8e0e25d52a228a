/* relay.h -- relays requests of many clients to one device, and its responses back.
 *
 * The device has one line and, for clients of the initialize era, one handshake at a time. So every request gets an
 * id of the bridge's own; and before a request of another client than the last one, that client's initialize is sent
 * again. A client of 2026-07-28 does not need this: its requests stand alone.
 *
 * When the device goes away, requests that may be repeated are sent again when it is back; the others get an error. */
#ifndef BRIDGE_RELAY_H
#define BRIDGE_RELAY_H

#include "../transport/transport.h"
#include "cache.h"
#include "catalogue.h"
#include "text/span.h"

#define BRIDGE_WIRE_ID 10 /* characters of an id on the line, with quotes */

enum bridge_request_state {
    BRIDGE_REQUEST_FREE,
    BRIDGE_REQUEST_HELD, /* until the list of the device's tools is known (tool_check.c) */
    BRIDGE_REQUEST_QUEUED,
    BRIDGE_REQUEST_SENT,
    BRIDGE_REQUEST_DROPPED, /* sent, but its client no longer waits for the response */
    BRIDGE_REQUEST_DONE,    /* the response has arrived; its client may not have it yet */
};

struct bridge_request {
    enum bridge_request_state state;
    struct bridge_relay *relay;
    uint32_t order; /* of arrival */
    unsigned own;   /* how often the bridge has sent this request of its own; 0 for a client's */
    bool modern;
    bool first;                       /* is initialize itself */
    bool repeatable;                  /* may be sent twice */
    int client;                       /* the one whose handshake it needs; -1 if it needs none */
    struct bridge_subject subject;    /* its subject, for the cache */
    char wire_id[BRIDGE_WIRE_ID + 2]; /* with quotes */
    unsigned tries;
    uint64_t since_ms;    /* queued or sent */
    bool has_interim;     /* messages may come before its response (interim.c) */
    bool wants_logs;      /* its client requested log messages, 2026-07-28 */
    bool limited;         /* a tool call of a client that may only read */
    bool forbidden;       /* and so it was refused */
    bool from_http;       /* its client sends headers: */
    unsigned param_count; /* headers that repeat arguments; while it is held they are in `small` */
    struct skr_http_param params[SKR_PARAMS];
    size_t token;                  /* offset in `text` of the bridge's progress token; 0 without one */
    unsigned client_request_count; /* the device's requests to its client that have no response, */
    struct {                       /* and the ids they have on the line */
        size_t n;                  /* 0 if free */
        bool sure;                 /* the transport has identified this request as the origin */
        char id[32];
    } client_requests[SKR_CLIENT_REQUESTS];
    size_t replies_n;      /* bytes of `small` that are replies for the device, one per line */
    bool validating;       /* the device was sent a validator request with this key, */
    bool validator_failed; /* and its validator is not that of the stored response */
    uint8_t validator_key[16];
    bool polled;                     /* its client's stream was closed; the client comes back for the response */
    bool nudged;                     /* plain mode: a newline was sent after it */
    bool cancels;                    /* dropped, and the cancellation has not been sent */
    bool taken;                      /* reliable mode: the device has received all of it */
    uint32_t line;                   /* its number among the lines sent */
    uint32_t votes[TRANSPORT_TRIES]; /* plain mode: checksums of the responses so far */
    unsigned vote_count;

    bool failed; /* the response is an error */
    int code;    /* of the error */
    char *value; /* the result or the error, JSON */
    size_t value_n;
    int large; /* which large buffer holds it; -1 for `small` */

    struct skr_span id; /* in text */
    size_t text_n;
    char text[SKR_REQUEST_MAX];
    char small[TRANSPORT_SMALL];
};

/* True once it was sent: its response may arrive, even if its client no longer waits. */
static inline bool bridge_request_is_sent(const struct bridge_request *q)
{
    return q->state == BRIDGE_REQUEST_SENT || q->state == BRIDGE_REQUEST_DROPPED;
}

/* True if this is the id of a message that the bridge has sent; "" matches nothing. */
static inline bool bridge_id_is(struct skr_span id, const char *ours)
{
    return id.n > 0 && skr_span_is(id, ours);
}

/* The request that is repeated on behalf of a client. */
enum bridge_handshake {
    BRIDGE_HANDSHAKE_INITIALIZE,
    BRIDGE_HANDSHAKE_LEVEL_DUE, /* the handshake is done, the log level is next */
    BRIDGE_HANDSHAKE_LEVEL,
};

struct bridge_relay {
    struct transport *transport;
    char name[64]; /* the device's name to clients, when there are several devices */
    struct bridge_catalogue catalogue;
    uint32_t wait_ms, response_ms;
    bool trusted;  /* plain mode: the line itself detects errors */
    bool promises; /* the bridge promises its clients notifications of changed lists */
    bool noisy;    /* plain mode: it has damaged a message */
    bool was_up;   /* a device has been connected before */
    uint8_t identity[SKR_FRAME_IDENTITY];
    bool had_identity;
    int initialized;  /* the client whose initialize the device has received last; -1 if there is none */
    int initializing; /* the client whose initialize is being repeated; -1 if there is none */
    char initialize_id[12];
    uint32_t initialize_line; /* see struct bridge_request */
    uint64_t initialize_ms;
    unsigned initialize_tries;
    uint8_t initialize_step;                  /* enum bridge_handshake */
    bool wants_changes;                       /* a client has subscribed to changed lists, */
    bool is_subscribed;                       /* and the bridge to the device, */
    uint32_t subscribed_count;                /* with this many resources, */
    bool lists_only;                          /* or without resources, for which the device has no room, */
    char subscription_id[BRIDGE_WIRE_ID + 2]; /* with this request; empty without one, */
    bool subscription_open;                   /* which the device has acknowledged */
    unsigned in_flight;
    uint64_t idle_sent_ms; /* when something was last sent on an idle line */
    uint32_t read;         /* the device has read this line and all before it (transport->sent counts them) */
    uint32_t counter;
    bool large_used[BRIDGE_LARGES];
    char (*larges)[TRANSPORT_LARGE];
    void (*on_change)(unsigned kinds); /* these lists may have changed: enum skr_list_bit */
};

/* Prepares r, whose transport is initialised. */
void bridge_relay_init(struct bridge_relay *r);

/* Accepts a request whose text, modern and client are set. `submit` also sends it immediately if possible. */
void bridge_relay_queue(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms);
void bridge_relay_submit(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms);

/* ---- Cancelling (relay_cancel.c) ---- */

/* The request's client no longer waits. */
void bridge_relay_cancel(struct bridge_relay *r, struct bridge_request *q);

/* Sends the cancellations that are due, if the transport can send. */
void bridge_relay_send_cancellations(struct bridge_relay *r);

/* Cancels all pending requests, waits until the device has received that, and closes the transport. */
void bridge_relay_end(struct bridge_relay *r);

/* ---- Turns ---- */

/* Handles everything that is due: the transport, timeouts, the next requests. */
void bridge_relay_turn(struct bridge_relay *r, uint64_t now_ms);
uint32_t bridge_relay_wait_ms(const struct bridge_relay *r, uint64_t now_ms);

/* ---- Clients (clients.c) ---- */

/* Remembers the initialize request of a client, which is identified by the core's struct skr_legacy. Returns the
 * client's number; -1 if the request is too long. */
int bridge_client_remember(const struct skr_legacy *who, struct skr_span initialize);

/* The number of a client; -1 if it has not sent initialize. */
int bridge_client_find(const struct skr_legacy *who);

/* Its initialize request, JSON. */
struct skr_span bridge_client_handshake(int client);

/* Its last logging/setLevel request; empty if there was none. */
void bridge_client_set_level(int client, struct skr_span request);
struct skr_span bridge_client_level(int client);

#endif
