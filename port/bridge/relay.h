/* relay.h -- requests of many clients on their way to one device and back.
 *
 * The device has one line and, for clients of the initialize era, one handshake at a time.
 * So every request gets an id of the bridge's own; and before a request of a client that is
 * not the one who spoke last, that client's initialize is said again. A client of 2026-07-28
 * needs nothing of the kind: its requests stand alone.
 *
 * When the device goes away, what may be asked twice is asked again when it is back; what
 * may not gets an error. */
#ifndef SKR_RELAY_H
#define SKR_RELAY_H

#include "cable.h"
#include "cache.h"
#include "know.h"

#define SKR_WIRE_ID 10 /* characters of an id on the line, with quotes */

enum skr_request_state {
    SKR_REQUEST_FREE,
    SKR_REQUEST_HELD, /* until the list of the device's tools is known (headers.c) */
    SKR_REQUEST_QUEUED,
    SKR_REQUEST_SENT,
    SKR_REQUEST_DROPPED, /* sent, but nobody waits for the answer any more */
    SKR_REQUEST_DONE,    /* the answer lies ready, until its client has it */
};

struct skr_request {
    enum skr_request_state state;
    struct skr_relay *relay;
    uint32_t order; /* of arrival */
    unsigned own;   /* of the bridge itself, and how often it has begun; 0: of a client */
    bool modern;
    bool first;                    /* is initialize itself */
    bool repeatable;               /* asking twice does no harm */
    int client;                    /* whose handshake it needs; -1: none */
    struct skr_subject subject;    /* what it asks for, as far as the cache is concerned */
    char wire_id[SKR_WIRE_ID + 2]; /* with quotes */
    unsigned tries;
    uint64_t since_ms;    /* queued or sent */
    bool talks;           /* something may come before its answer (talk.c) */
    bool hears;           /* its client wants log messages, 2026-07-28 */
    unsigned param_count; /* headers that repeat arguments; held: in `small` */
    struct skr_http_param params[SKR_PARAMS];
    size_t token;         /* where in text our progress token goes; 0: nowhere */
    unsigned asked_count; /* questions of the device that its client has not answered, */
    struct {              /* and the ids they have on the line */
        size_t n;         /* 0: free */
        char id[32];
    } asked[SKR_ASKS];
    size_t replies_n; /* bytes of `small` that are replies on their way to the device, lines */
    bool marked;      /* the device is asked for a mark under this key, */
    bool mark_failed; /* and has none, or another than what was kept */
    uint8_t mark_key[16];
    bool polled;                      /* its client was told to come back for the answer */
    bool nudged;                      /* plain mode: a line end was sent after it */
    bool taken;                       /* reliable mode: the device has all of it */
    uint32_t line;                    /* which of the lines that were sent it is */
    uint32_t votes[SKR_BRIDGE_TRIES]; /* plain mode: answers so far, by their check sums */
    unsigned vote_count;

    bool failed; /* the answer is an error */
    int code;    /* of the error */
    char *value; /* the result or the error, JSON */
    size_t value_n;
    int large; /* which large place it lies in; -1: in small */

    struct skr_span id; /* in text */
    size_t text_n;
    char text[SKR_REQUEST_MAX];
    char small[SKR_BRIDGE_SMALL];
};

/* What is being repeated of a client's. */
enum skr_shake {
    SKR_SHAKE_HAND,
    SKR_SHAKE_LEVEL_DUE, /* the handshake is done, its log level comes next */
    SKR_SHAKE_LEVEL,
};

struct skr_relay {
    struct skr_cable cable;
    char name[64]; /* what clients know the device by, when there are several */
    struct skr_know know;
    uint32_t wait_ms, answer_ms;
    bool trusted;  /* plain mode: the line itself checks what it carries */
    bool promises; /* clients hear of changed lists */
    bool noisy;    /* plain mode: it has damaged something */
    bool was_up;   /* a device has been there before */
    uint8_t identity[SKR_FRAME_IDENTITY];
    bool had_identity;
    int shaken;  /* the client whose handshake the device remembers; -1: none's */
    int shaking; /* the one that is being repeated; -1: none */
    char shake_id[12];
    uint32_t shake_line; /* as struct skr_request has it */
    uint64_t shake_ms;
    unsigned shake_tries;
    uint8_t shake_step;            /* enum skr_shake */
    bool wants_news;               /* somebody listens for changed lists, */
    bool has_news;                 /* and the device has been told so, */
    uint32_t watches;              /* with so many resources, */
    bool few_news;                 /* or without them: it has no room, */
    char news_id[SKR_WIRE_ID + 2]; /* in this request; empty: none */
    unsigned in_flight;
    uint64_t asked_ms; /* when something was sent on a line on which nothing was under way */
    uint32_t read;     /* of the lines that were sent (cable.sent) the device has read this and all before */
    uint32_t counter;
    bool large_used[SKR_BRIDGE_LARGES];
    char (*larges)[SKR_BRIDGE_LARGE];
    void (*on_change)(unsigned kinds); /* these lists may be others now: enum skr_news_bit */
};

void skr_relay_init(struct skr_relay *r);

/* Takes a request in: its text, modern and client are set. `submit` sends it at once if that is possible. */
void skr_relay_queue(struct skr_relay *r, struct skr_request *q, uint64_t now_ms);
void skr_relay_submit(struct skr_relay *r, struct skr_request *q, uint64_t now_ms);

/* Its client does not wait any more. */
void skr_relay_cancel(struct skr_relay *r, struct skr_request *q);

/* Whatever is due: the cable, time-outs, the next requests. */
void skr_relay_turn(struct skr_relay *r, uint64_t now_ms);
uint32_t skr_relay_wait_ms(const struct skr_relay *r, uint64_t now_ms);

/* ---- Who speaks (clients.c) ---- */

/* Remembers the initialize request of a client, known by where the core keeps what it agreed
 * on. Its number; -1 when the request is too long. */
int skr_client_remember(const struct skr_legacy *who, struct skr_span initialize);

/* The number of a client; -1: it has not introduced itself. */
int skr_client_find(const struct skr_legacy *who);

/* Its initialize request, JSON. */
struct skr_span skr_client_handshake(int client);

/* Its last logging/setLevel request; empty: there was none. */
void skr_client_set_level(int client, struct skr_span request);
struct skr_span skr_client_level(int client);

#endif
