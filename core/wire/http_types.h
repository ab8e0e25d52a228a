/* http_types.h -- what the files of the HTTP framing share. */
#ifndef SKR_HTTP_TYPES_H
#define SKR_HTTP_TYPES_H

#include "wire/http.h"

#if SKR_HTTP

/* Each message is an event (SSE-02). */
extern const struct skr_framing skr_framing_sse;

enum http_state {
    HTTP_IDLE,       /* between requests */
    HTTP_HEADERS,    /* the request line has come */
    HTTP_BODY,       /* a body of known length is coming */
    HTTP_CHUNK_SIZE, /* a chunk's size line */
    HTTP_CHUNK_DATA, /* its bytes */
    HTTP_CHUNK_END,  /* the line end behind them */
    HTTP_TRAILERS,   /* lines behind the last chunk */
    HTTP_SKIP,       /* a body nobody wants is dropped, then the refusal is sent */
    HTTP_STREAM,     /* the answer is a stream that stays open: what comes is dropped */
};

enum http_method { HTTP_OTHER, HTTP_POST, HTTP_GET, HTTP_DELETE, HTTP_HEAD };

enum http_flags {
    HTTP_CLOSE = 1,         /* the connection ends with this answer */
    HTTP_OLD = 2,           /* HTTP/1.0: closes unless asked otherwise */
    HTTP_HAS_LENGTH = 4,
    HTTP_CHUNKED = 8,
    HTTP_HAS_HOST = 16,
    HTTP_HAS_ACCEPT = 32,
    HTTP_ACCEPTS_JSON = 64,
    HTTP_ACCEPTS_SSE = 128,
    HTTP_IS_JSON = 256,     /* Content-Type is application/json */
    HTTP_EXPECTS = 512,     /* the client waits for 100 Continue */
    HTTP_TWICE_PROTOCOL = 1024,
    HTTP_TWICE_METHOD = 2048,
    HTTP_TWICE_NAME = 4096,
    HTTP_MODERN = 8192,     /* MCP-Protocol-Version names the modern era */
    HTTP_PREFERS_SSE = 16384, /* Accept names text/event-stream before JSON */
    HTTP_EVENTS = 32768,    /* the answer is a stream of events that has begun */
};

/* GET opens a stream for the news of a session, when there can be any (SESS-06). */
static inline bool skr_http_has_get(const struct skr_conn *c)
{
#if SKR_SWAP
    return (c->srv->can_swap || c->srv->device->changes != 0) && (c->http.flags & HTTP_MODERN) == 0; /* HTTP-12 */
#else
    (void)c;
    return false;
#endif
}

/* GET with Last-Event-ID picks up what a stream has left to say. */
static inline bool skr_http_comes_back(const struct skr_conn *c)
{
#if SKR_RESUME
    return c->http.last_stream != 0 && (c->http.flags & HTTP_MODERN) == 0;
#else
    (void)c;
    return false;
#endif
}

/* Notes a fault that the request will get as its answer, unless an earlier one stands. */
void skr_http_refuse(struct skr_conn *c, enum skr_fault fault);

/* As above for a request after which the byte stream cannot be trusted. */
void skr_http_break(struct skr_conn *c, enum skr_fault fault);

/* Reads the request line, or one header line (http_header.c). */
void skr_http_request_line(struct skr_conn *c, struct skr_span line);
void skr_http_header_line(struct skr_conn *c, struct skr_span line);

/* Checks the headers as a whole, when the last one has come. */
void skr_http_check_headers(struct skr_conn *c);

/* Starts the answer (http_answer.c): the one in c->answer, a fault, or a bare status. */
void skr_http_send_answer(struct skr_conn *c);
void skr_http_send_fault(struct skr_conn *c, enum skr_fault fault);
void skr_http_send_status(struct skr_conn *c, uint16_t status);
void skr_http_send_continue(struct skr_conn *c);
void skr_http_send_stream(struct skr_conn *c); /* only its head: what follows comes later */

void skr_http_send_nothing(struct skr_conn *c); /* an answer without a byte, to put something before */

/* What is put into the scratch buffer leaves before the answer: put, then done with what was
 * put since `from`. */
void skr_http_put(struct skr_conn *c, const char *text);
void skr_http_put_number(struct skr_conn *c, uint32_t value, unsigned base);
void skr_http_put_stream_head(struct skr_conn *c);
void skr_http_put_done(struct skr_conn *c, uint32_t from);

/* The answers of a batch leave as chunks, since the length of all is not known when
 * the first is sent. The end: the closing bracket in c->answer, or 202 if none. */
void skr_http_send_batch_part(struct skr_conn *c, bool first);
void skr_http_send_batch_end(struct skr_conn *c, bool answered);

/* Decodes the value of a header that is base64 in a wrapping; false when it cannot be. */
bool skr_http_decode(struct skr_call *call, struct skr_span *value);

/* Sessions (http_session.c). Find: slot + 1, or 0. */
uint16_t skr_session_find(struct skr_server *s, struct skr_span id);
uint16_t skr_session_new(struct skr_server *s, struct skr_legacy legacy);
void skr_session_end(struct skr_server *s, uint16_t session);

/* What a request gets whose session was not found (SESS-02, SESS-03). */
static inline enum skr_fault skr_session_fault(struct skr_span named)
{
    return named.p == NULL ? SKR_SESSION_MISSING : SKR_SESSION_UNKNOWN;
}

void skr_session_text(const struct skr_session *session, char text[32]);

/* ---- Answers that are streams of events (http_stream.c) ---- */

struct skr_job;

#if SKR_TALK
/* Puts what stands in front of the next message of the job's stream, or without `message`
 * what says that the stream is closed. Returns its number among the events. */
uint16_t skr_stream_event(struct skr_conn *c, struct skr_job *job, bool message);

/* The same in front of the answer; false when no stream has begun. */
bool skr_stream_last(struct skr_conn *c, struct skr_job *job);

/* Ends a stream that has begun; false when none has. */
bool skr_stream_cut(struct skr_conn *c);
#else
static inline bool skr_stream_last(struct skr_conn *c, struct skr_job *job)
{
    (void)c;
    (void)job;
    return false;
}
static inline bool skr_stream_cut(struct skr_conn *c)
{
    (void)c;
    return false;
}
#endif

#if SKR_RESUME
/* What skr_stream_event readied has left. */
void skr_stream_told(struct skr_conn *c, struct skr_job *job);

/* The connection of a job is gone. True when its client may come back for it. */
bool skr_stream_away(struct skr_server *s, struct skr_job *job);

/* Ends the wait for that. */
void skr_stream_expire(struct skr_server *s, struct skr_job *job);

/* GET with Last-Event-ID: goes on with that stream. False when there is none. */
bool skr_stream_resume(struct skr_conn *c);
#endif

#endif

#endif
