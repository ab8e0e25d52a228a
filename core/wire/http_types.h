/* http_types.h -- what the files of the HTTP framing share. */
#ifndef SKR_HTTP_TYPES_H
#define SKR_HTTP_TYPES_H

#include "answer/request.h"
#include "wire/http.h"

#if SKR_HTTP

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
    HTTP_CLOSE = 1, /* the connection ends with this answer */
    HTTP_OLD = 2,   /* HTTP/1.0: closes unless asked otherwise */
    HTTP_HAS_LENGTH = 4,
    HTTP_CHUNKED = 8,
    HTTP_HAS_HOST = 16,
    HTTP_HAS_ACCEPT = 32,
    HTTP_ACCEPTS_JSON = 64,
    HTTP_ACCEPTS_SSE = 128,
    HTTP_IS_JSON = 256,      /* Content-Type is application/json */
    HTTP_EXPECTS = 512,      /* the client waits for 100 Continue */
    HTTP_PREFERS_SSE = 1024, /* Accept names text/event-stream before JSON */
    HTTP_EVENTS = 2048,      /* the answer is a stream of events that has begun */
};

/* GET opens a stream for the news of a session, when there can be any (SESS-06). */
static inline bool skri_http_has_get(const struct skr_conn *c)
{
#if SKR_CHANGES
    return (c->srv->can_swap || c->srv->device->changes != 0) && !c->http.headers.modern; /* HTTP-12 */
#else
    (void)c;
    return false;
#endif
}

/* GET with Last-Event-ID picks up what a stream has left to say. */
static inline bool skri_http_comes_back(const struct skr_conn *c)
{
#if SKR_RESUME
    return c->http.last_stream != 0 && !c->http.headers.modern;
#else
    (void)c;
    return false;
#endif
}

/* Notes a fault that the request will get as its answer, unless an earlier one stands. */
void skri_http_refuse(struct skr_conn *c, enum skr_fault fault);

/* As above for a request after which the byte stream cannot be trusted. */
void skri_http_break(struct skr_conn *c, enum skr_fault fault);

/* Reads the request line, or one header line (http_header.c). */
void skri_http_request_line(struct skr_conn *c, struct skr_span line);
void skri_http_header_line(struct skr_conn *c, struct skr_span line);

/* Checks the headers as a whole, when the last one has come. */
void skri_http_check_headers(struct skr_conn *c);

/* Starts the answer (http_answer.c): the one in c->answer, a fault, or a bare status. */
void skri_http_send_answer(struct skr_conn *c);
void skri_http_send_fault(struct skr_conn *c, enum skr_fault fault);
void skri_http_send_status(struct skr_conn *c, uint16_t status);
void skri_http_send_continue(struct skr_conn *c);
void skri_http_send_stream(struct skr_conn *c); /* only its head: what follows comes later */

void skri_http_send_nothing(struct skr_conn *c); /* an answer without a byte, to put something before */

/* What is put into the scratch buffer leaves before the answer: put, then done with what was
 * put since `from`. */
void skri_http_put(struct skr_conn *c, const char *text);
void skri_http_put_number(struct skr_conn *c, uint32_t value, unsigned base);
void skri_http_put_stream_head(struct skr_conn *c);
void skri_http_put_done(struct skr_conn *c, uint32_t from);

/* The answers of a batch leave as chunks, since the length of all is not known when
 * the first is sent. The end: the closing bracket in c->answer, or 202 if none. */
void skri_http_send_batch_part(struct skr_conn *c, bool first);
void skri_http_send_batch_end(struct skr_conn *c, bool answered);

/* ---- Answers that are streams of events (http_stream.c) ---- */

#if SKR_JOBS
extern const struct skr_outlet skri_http_outlet;
#endif

#if SKR_RESUME
/* GET with Last-Event-ID: goes on with that stream. False when there is none. */
bool skri_stream_resume(struct skr_conn *c);
#endif

#endif

#endif
