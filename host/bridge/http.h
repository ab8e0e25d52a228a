/* post.h -- an MCP server on HTTP (Streamable HTTP) as the way to a device.
 *
 * Each message is posted on a connection of its own, which then carries the answer: one JSON text, or a stream of
 * events with questions and progress before it. A connection that has carried an answer is kept for a few seconds.
 * Messages are assembled one at a time, so while one connection is in the middle of one, the others are not read. */
#ifndef SKR_POST_H
#define SKR_POST_H

#include <string.h>

#include "connection.h"
#include "http_parser.h"
#include "transport.h"

enum bridge_exchange_state {
    BRIDGE_EXCHANGE_FREE,
    BRIDGE_EXCHANGE_KEPT,    /* the connection waits for the next message */
    BRIDGE_EXCHANGE_SENDING, /* it is being made, or the message has not left completely */
    BRIDGE_EXCHANGE_READING,
};

/* Where a stream of events is. */
enum bridge_event_part {
    BRIDGE_EVENT_NAME,  /* in the name of a field */
    BRIDGE_EVENT_BLANK, /* behind its colon */
    BRIDGE_EVENT_DATA,
    BRIDGE_EVENT_OTHER, /* in the value of a field that is not needed */
};

/* One connection, and the message on it. */
struct bridge_exchange {
    struct bridge_http *owner;
    struct bridge_connection dial;
    struct skr_tls_client tls; /* for https */
    enum bridge_exchange_state state;
    uint64_t since_ms;
    char id[BRIDGE_ID]; /* of a request, as JSON; "": a notification or a reply */
    bool modern;            /* 2026-07-28 */
    bool first;             /* initialize */
    bool listens;           /* subscriptions/listen: its stream stays open */
    bool in_session;        /* it was sent with a session id */

    /* the response */
    http_parser parser;
    char field[32], value[BRIDGE_SESSION]; /* a header */
    size_t field_n, value_n;
    bool in_value;
    char session[BRIDGE_SESSION]; /* given by it */
    bool json, events;                /* what its body is */
    bool complete;
    bool answered; /* the message with its id has come */
    uint8_t part;  /* enum bridge_event_part */
    bool has_data; /* of an event */
    bool after_cr;
    char name[8]; /* of a field of an event */
    size_t name_n;
    char got[4096]; /* of its body: bytes that have not been looked at */
    size_t got_at, got_n;

    size_t out_at, out_n;
    char out[BRIDGE_HEAD + BRIDGE_TRANSPORT_TEXT]; /* header and message; the message begins at BRIDGE_HEAD */
};

struct bridge_http {
    struct bridge_transport way;
    struct bridge_target target; /* set by the owner, */
    const char *token;        /* and so are these; NULL: none */
    struct skr_tls_trust *trust;
    struct bridge_outage absence;
    uint64_t hold_ms;                 /* nothing is sent before: the device is busy */
    unsigned limit;                   /* connections at once: what it was found to have room for */
    char session[BRIDGE_SESSION]; /* of the last initialize; "": none */
    char version[16];                 /* that it agreed on */
    bool greets;                      /* notifications/initialized is due */
    struct bridge_exchange *reader;          /* in the middle of a message; NULL: none */
    struct bridge_exchange at[BRIDGE_CONNECTIONS];
};

/* Initialises h, whose owner's fields are set. */
void bridge_http_init(struct bridge_http *h);

/* ---- Between the files of this way ---- */

#define BRIDGE_EACH_EXCHANGE(p, h) for (struct bridge_exchange *p = (h)->at; p < (h)->at + BRIDGE_CONNECTIONS; p++)

/* Is a message on it? */
static inline bool bridge_exchange_is_busy(const struct bridge_exchange *p)
{
    return p->state == BRIDGE_EXCHANGE_SENDING || p->state == BRIDGE_EXCHANGE_READING;
}

static inline struct skr_span bridge_exchange_id(const struct bridge_exchange *p)
{
    return (struct skr_span){p->id, strlen(p->id)};
}

/* post.c: closes a connection; says that the device is there, or cannot be reached, and why; counts connections; says what
 * is known about a request that is not answered. */
void bridge_exchange_drop(struct bridge_http *h, struct bridge_exchange *p);
void bridge_http_go_up(struct bridge_http *h);
void bridge_http_fail(struct bridge_http *h, const char *why, uint64_t next_ms);
unsigned bridge_http_open(const struct bridge_http *h, bool busy);
enum bridge_fate bridge_exchange_fate(const struct bridge_exchange *p);

/* post_end.c: the whole response is there; or the connection is over without one. */
void bridge_exchange_end(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms);
void bridge_exchange_lost(struct bridge_http *h, struct bridge_exchange *p, const char *why, uint64_t now_ms);

/* post_head.c: makes the request of the message of n bytes at p->out + BRIDGE_HEAD. */
void bridge_exchange_write(struct bridge_http *h, struct bridge_exchange *p, size_t n);

/* post_answer.c: ready for a response. */
void bridge_exchange_expect(struct bridge_exchange *p);

/* post_answer.c: n bytes from the device, 0: its end. False when they are not a response of HTTP. */
bool bridge_exchange_take(struct bridge_exchange *p, const char *bytes, size_t n);

/* post_answer.c: passes on the messages in what was taken, as far as there is a buffer for them. True when the body is
 * complete and has been passed on. */
bool bridge_exchange_pass_on(struct bridge_http *h, struct bridge_exchange *p);

/* post_answer.c: the body was one JSON text. Passes it on if it is the answer; otherwise it stays where it is. */
void bridge_exchange_end_json(struct bridge_http *h, struct bridge_exchange *p);

#endif
