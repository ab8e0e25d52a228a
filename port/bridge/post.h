/* post.h -- an MCP server on HTTP (Streamable HTTP) as the way to a device.
 *
 * Each message is posted on a connection of its own, which then carries the answer: one JSON text, or a stream of
 * events with questions and progress before it. A connection that has carried an answer is kept for a few seconds.
 * Messages are assembled one at a time, so while one connection is in the middle of one, the others are not read. */
#ifndef SKR_POST_H
#define SKR_POST_H

#include <string.h>

#include "dial.h"
#include "http_parser.h"
#include "way.h"

enum skr_post_state {
    SKR_POST_FREE,
    SKR_POST_KEPT,    /* the connection waits for the next message */
    SKR_POST_SENDING, /* it is being made, or the message has not left completely */
    SKR_POST_READING,
};

/* Where a stream of events is. */
enum skr_event_part {
    SKR_EVENT_NAME,  /* in the name of a field */
    SKR_EVENT_BLANK, /* behind its colon */
    SKR_EVENT_DATA,
    SKR_EVENT_OTHER, /* in the value of a field that is not needed */
};

/* One connection, and the message on it. */
struct skr_post {
    struct skr_posts *owner;
    struct skr_dial dial;
    struct skr_tls_client tls; /* for https */
    enum skr_post_state state;
    uint64_t since_ms;
    char id[SKR_BRIDGE_ID]; /* of a request, as JSON; "": a notification or a reply */
    bool modern;            /* 2026-07-28 */
    bool first;             /* initialize */
    bool listens;           /* subscriptions/listen: its stream stays open */
    bool in_session;        /* it was sent with a session id */

    /* the response */
    http_parser parser;
    char field[32], value[SKR_BRIDGE_SESSION]; /* a header */
    size_t field_n, value_n;
    bool in_value;
    char session[SKR_BRIDGE_SESSION]; /* given by it */
    bool json, events;                /* what its body is */
    bool complete;
    bool answered; /* the message with its id has come */
    uint8_t part;  /* enum skr_event_part */
    bool has_data; /* of an event */
    bool after_cr;
    char name[8]; /* of a field of an event */
    size_t name_n;
    char got[4096]; /* of its body: bytes that have not been looked at */
    size_t got_at, got_n;

    size_t out_at, out_n;
    char out[SKR_BRIDGE_HEAD + SKR_WAY_TEXT]; /* header and message; the message begins at SKR_BRIDGE_HEAD */
};

struct skr_posts {
    struct skr_way way;
    struct skr_target target; /* set by the owner, */
    const char *token;        /* and so are these; NULL: none */
    struct skr_tls_trust *trust;
    struct skr_absence absence;
    uint64_t hold_ms;                 /* nothing is sent before: the device is busy */
    unsigned limit;                   /* connections at once: what it was found to have room for */
    char session[SKR_BRIDGE_SESSION]; /* of the last initialize; "": none */
    char version[16];                 /* that it agreed on */
    bool greets;                      /* notifications/initialized is due */
    struct skr_post *reader;          /* in the middle of a message; NULL: none */
    struct skr_post at[SKR_BRIDGE_CONNECTIONS];
};

/* Initialises h, whose owner's fields are set. */
void skr_posts_init(struct skr_posts *h);

/* ---- Between the files of this way ---- */

#define SKR_EACH_POST(p, h) for (struct skr_post *p = (h)->at; p < (h)->at + SKR_BRIDGE_CONNECTIONS; p++)

/* Is a message on it? */
static inline bool skr_post_is_busy(const struct skr_post *p)
{
    return p->state == SKR_POST_SENDING || p->state == SKR_POST_READING;
}

static inline struct skr_span skr_post_id(const struct skr_post *p)
{
    return (struct skr_span){p->id, strlen(p->id)};
}

/* post.c: closes a connection; says that the device is there, or cannot be reached, and why; counts connections; says what
 * is known about a request that is not answered. */
void skr_post_drop(struct skr_posts *h, struct skr_post *p);
void skr_posts_go_up(struct skr_posts *h);
void skr_posts_fail(struct skr_posts *h, const char *why, uint64_t next_ms);
unsigned skr_posts_open(const struct skr_posts *h, bool busy);
enum skr_fate skr_post_fate(const struct skr_post *p);

/* post_end.c: the whole response is there; or the connection is over without one. */
void skr_post_end(struct skr_posts *h, struct skr_post *p, uint64_t now_ms);
void skr_post_lost(struct skr_posts *h, struct skr_post *p, const char *why, uint64_t now_ms);

/* post_head.c: makes the request of the message of n bytes at p->out + SKR_BRIDGE_HEAD. */
void skr_post_write(struct skr_posts *h, struct skr_post *p, size_t n);

/* post_answer.c: ready for a response. */
void skr_post_expect(struct skr_post *p);

/* post_answer.c: n bytes from the device, 0: its end. False when they are not a response of HTTP. */
bool skr_post_take(struct skr_post *p, const char *bytes, size_t n);

/* post_answer.c: passes on the messages in what was taken, as far as there is a buffer for them. True when the body is
 * complete and has been passed on. */
bool skr_post_pass_on(struct skr_posts *h, struct skr_post *p);

/* post_answer.c: the body was one JSON text. Passes it on if it is the answer; otherwise it stays where it is. */
void skr_post_end_json(struct skr_posts *h, struct skr_post *p);

#endif
