/* http.h -- Streamable HTTP.
 *
 * Each message is posted on a connection of its own, which then carries the response: one JSON text, or a stream of events with
 * client requests and progress before it. A connection is kept for a few seconds after a response. Messages are assembled one
 * at a time: while one connection is in the middle of a message, the others are not read. */
#ifndef TRANSPORT_HTTP_H
#define TRANSPORT_HTTP_H

#include <string.h>

#include "connection.h"
#include "http_parser.h"
#include "transport.h"

enum transport_exchange_state {
    TRANSPORT_EXCHANGE_FREE,
    TRANSPORT_EXCHANGE_KEPT,    /* the connection waits for the next message */
    TRANSPORT_EXCHANGE_SENDING, /* it is being made, or the message has not left completely */
    TRANSPORT_EXCHANGE_READING,
};

/* Where a stream of events is. */
enum transport_event_part {
    TRANSPORT_EVENT_NAME,  /* in the name of a field */
    TRANSPORT_EVENT_SPACE, /* after its colon */
    TRANSPORT_EVENT_DATA,
    TRANSPORT_EVENT_OTHER, /* in the value of another field */
};

/* One connection, and the message on it. */
struct transport_exchange {
    struct transport_http *owner;
    struct transport_connection connection;
    struct skr_tls_client tls; /* for https */
    enum transport_exchange_state state;
    uint64_t since_ms;
    char id[TRANSPORT_ID]; /* of a request, as JSON; "" for a notification or a reply */
    bool modern;           /* 2026-07-28 */
    bool first;            /* initialize */
    bool listens;          /* subscriptions/listen: its stream stays open */
    bool in_session;       /* it was sent with a session id */

    /* the response */
    http_parser parser;
    char field[32], value[TRANSPORT_SESSION]; /* a header */
    size_t field_n, value_n;
    bool in_value;
    char session[TRANSPORT_SESSION]; /* from its Mcp-Session-Id */
    bool json, events;               /* the media type of its body */
    bool complete;
    bool responded; /* the message with its id has arrived */
    uint8_t part;   /* enum transport_event_part */
    bool has_data;  /* of an event */
    bool after_cr;
    char name[8]; /* of a field of an event */
    size_t name_n;
    char got[4096]; /* bytes of its body that have not been read */
    size_t got_at, got_n;

    size_t out_at, out_n;
    char out[TRANSPORT_HEAD + TRANSPORT_TEXT]; /* header and message; the message begins at TRANSPORT_HEAD */
};

struct transport_http {
    struct transport base;
    struct transport_target target; /* set by the owner, */
    const char *token;              /* and so are these; NULL sends none */
    struct skr_tls_trust *trust;
    uint64_t hold_ms;                  /* nothing is sent before this time: the device is busy */
    unsigned limit;                    /* connections that the device was found to have room for */
    char session[TRANSPORT_SESSION];   /* of the last initialize; "" without one */
    char version[16];                  /* that initialize agreed on */
    bool owes_initialized;             /* notifications/initialized is due */
    struct transport_exchange *reader; /* in the middle of a message; NULL if none is */
    struct transport_exchange at[TRANSPORT_CONNECTIONS];
};

/* Initialises h, whose owner's fields are set. */
void transport_http_init(struct transport_http *h);

/* ---- Between the files of this transport ---- */

#define TRANSPORT_EACH_EXCHANGE(p, h)                                                                                  \
    for (struct transport_exchange *p = (h)->at; p < (h)->at + TRANSPORT_CONNECTIONS; p++)

/* True while a message is on the connection. */
static inline bool transport_exchange_is_busy(const struct transport_exchange *p)
{
    return p->state == TRANSPORT_EXCHANGE_SENDING || p->state == TRANSPORT_EXCHANGE_READING;
}

static inline struct skr_span transport_exchange_id(const struct transport_exchange *p)
{
    return (struct skr_span){p->id, strlen(p->id)};
}

/* http.c: closes a connection; reports that the device is there, or cannot be reached, and why; counts connections; returns
 * the fate of a request without a response. */
void transport_exchange_drop(struct transport_http *h, struct transport_exchange *p);
void transport_http_go_up(struct transport_http *h);
void transport_http_fail(struct transport_http *h, const char *why, uint64_t next_ms);
unsigned transport_http_open(const struct transport_http *h, bool busy);
enum transport_fate transport_exchange_fate(const struct transport_exchange *p);

/* http_end.c: the whole response is there; or the connection is over without one. */
void transport_exchange_end(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms);
void transport_exchange_lost(struct transport_http *h, struct transport_exchange *p, const char *why, uint64_t now_ms);

/* http_head.c: makes the request of the message of n bytes at p->out + TRANSPORT_HEAD. */
void transport_exchange_write(struct transport_http *h, struct transport_exchange *p, size_t n);

/* http_response.c: ready for a response. */
void transport_exchange_expect(struct transport_exchange *p);

/* http_response.c: takes n bytes from the device, 0 at its end. False if they are not an HTTP response. */
bool transport_exchange_take(struct transport_exchange *p, const char *bytes, size_t n);

/* http_response.c: passes on the messages in the bytes taken, as far as there is a buffer for them. True when the body is
 * complete and has been passed on. */
bool transport_exchange_pass_on(struct transport_http *h, struct transport_exchange *p);

/* http_response.c: the body was one JSON text. Passes it on if it is the response; otherwise it stays where it is. */
void transport_exchange_end_json(struct transport_http *h, struct transport_exchange *p);

#endif
