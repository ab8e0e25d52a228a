/* http_types.h -- what the files of the HTTP framing share. */
#ifndef SKR_HTTP_TYPES_H
#define SKR_HTTP_TYPES_H

#include "response/request.h"
#include "subscription/notify.h"
#include "wire/http.h"

struct skr_http_config;
struct skr_grant;

enum http_state {
    HTTP_IDLE,       /* between requests */
    HTTP_HEADERS,    /* the request line has come */
    HTTP_BODY,       /* a body of known length is coming */
    HTTP_CHUNK_SIZE, /* a chunk's size line */
    HTTP_CHUNK_DATA, /* its bytes */
    HTTP_CHUNK_END,  /* the line end after them */
    HTTP_TRAILERS,   /* lines after the last chunk */
    HTTP_SKIP,       /* a body nobody wants is dropped, then the refusal is sent */
    HTTP_STREAM,     /* the response is a stream that stays open: received bytes are dropped */
};

enum http_method { HTTP_OTHER, HTTP_POST, HTTP_GET, HTTP_DELETE, HTTP_HEAD };

/* Documents on other paths than MCP's; their paths are in http_request.c. */
enum http_document {
    HTTP_NO_DOCUMENT,
    HTTP_PAGE,
    HTTP_METADATA,
    HTTP_OF_BACKEND /* the first row of its table, and so on */
};

#define HTTP_HAS_DOCUMENTS (SKR_WEB || SKR_OAUTH || SKR_DOCUMENTS)

enum http_flags {
    HTTP_CLOSE = 1, /* the connection ends with this response */
    HTTP_OLD = 2,   /* HTTP/1.0: closes unless the client wants otherwise */
    HTTP_HAS_LENGTH = 4,
    HTTP_CHUNKED = 8,
    HTTP_HAS_HOST = 16,
    HTTP_HAS_ACCEPT = 32,
    HTTP_ACCEPTS_JSON = 64,
    HTTP_ACCEPTS_SSE = 128,
    HTTP_IS_JSON = 256,      /* Content-Type is application/json */
    HTTP_EXPECTS = 512,      /* the client waits for 100 Continue */
    HTTP_PREFERS_SSE = 1024, /* Accept names text/event-stream before JSON */
    HTTP_EVENTS = 2048,      /* the response is a stream of events that has begun */
    HTTP_ACCEPTS_GZIP = 4096,
};

/* How much of struct skr_http is cleared after a request and remembered of a head: all but the values of Mcp-Param-*
 * headers. Then there are none; on a PC they would be most of it. */
#if SKR_PARAMS
#define HTTP_BUT_PARAMS (offsetof(struct skr_http, headers) + offsetof(struct skr_headers, params))
#else
#define HTTP_BUT_PARAMS sizeof(struct skr_http)
#endif

/* The HTTP side of a connection, for code after `if (SKR_HTTP &&`. */
#if SKR_HTTP
#define skri_http_of(c) (&(c)->http)
#else
#define skri_http_of(c) ((void)(c), (struct skr_http *)NULL)
#endif

/* GET opens a stream for a session's notifications, if there can be any (SESS-06). */
static inline bool skri_http_has_get(const struct skr_conn *c)
{
#if SKR_CHANGES && SKR_HTTP
    const struct skr_server *s = c->srv;

    return (s->changes.can_swap || skri_changes_of(s->device) != 0) && !s->http.sessionless &&
           !c->http.headers.modern; /* HTTP-12 */
#else
    (void)c;
    return false;
#endif
}

/* GET with Last-Event-ID resumes a stream. */
static inline bool skri_http_comes_back(const struct skr_conn *c)
{
    return SKR_RESUME && skri_http_of(c)->last_stream != 0 && !skri_http_of(c)->headers.modern;
}

#if SKR_HTTP
/* DELETE ends a session, where there are any. */
static inline bool skri_http_has_delete(const struct skr_conn *c)
{
    return !c->srv->http.sessionless && !c->http.headers.modern; /* HTTP-12 */
}
#endif

/* Records the error that the request will get as its response, unless there is an earlier one. */
void skri_http_refuse(struct skr_conn *c, enum skr_rpc_error error);

/* As above for a request after which the byte stream cannot be trusted. */
void skri_http_break(struct skr_conn *c, enum skr_rpc_error error);

/* Reads the request line (http_request.c), or one header line (http_header.c). */
void skri_http_request_line(struct skr_conn *c, struct skr_span line);
void skri_http_header_line(struct skr_conn *c, struct skr_span line);

/* Reads "Host" and "Origin", and refuses requests from elsewhere (http_request.c). */
void skri_http_host(struct skr_conn *c, struct skr_span value);
void skri_http_origin(struct skr_conn *c, struct skr_span value);

/* At the beginning of a request: does it begin like the one before? Then these lines count as read (http_same.c). */
bool skri_http_same_head(struct skr_conn *c);

/* The line that has just been read is about one message: remembers the lines before it. Forgets them. */
void skri_http_remember_head(struct skr_conn *c, struct skr_span line);
void skri_http_forget_head(struct skr_conn *c);

/* Checks the headers as a whole, when the last one has come. */
void skri_http_check_headers(struct skr_conn *c);

/* SKR_AUTH: reads "Authorization"; then, after all headers, refuses a request without a valid token (http_auth.c). */
void skri_http_authorization(struct skr_conn *c, struct skr_span value);
void skri_http_check_token(struct skr_conn *c);

/* Puts WWW-Authenticate into the head of a refusal for lack of a token or a right; nothing for other errors. */
void skri_http_put_challenge(struct skr_conn *c);

/* SKR_OAUTH (http_oauth.c): whether there is an authority; the owner of a token, NULL if it is refused; whether this row
 * is the authority's; its reason for refusing the token, empty if it has not. */
bool skri_oauth_is_used(const struct skr_http_config *config);
const struct skr_grant *skri_oauth_find(struct skr_conn *c, struct skr_span token);
bool skri_oauth_is_bearer(const struct skr_conn *c, const struct skr_grant *who);
struct skr_span skri_oauth_reason(const struct skr_conn *c);

/* Puts where a token can be had, and with which scope (RFC 9728, 5.1). */
void skri_oauth_put_challenge(struct skr_conn *c, enum skr_rpc_error error);

/* True when this is the path of the authority's metadata, which the next function sends (http_get.c). */
bool skri_oauth_is_metadata(const struct skr_conn *c, struct skr_span path);
void skri_oauth_send_metadata(struct skr_conn *c);

/* HTTP_HAS_DOCUMENTS: responds to GET or HEAD of a document (http_get.c). */
void skri_http_send_document(struct skr_conn *c);

/* Notifies the port that a request is refused for this header. */
void skri_http_log_refused(const struct skr_conn *c, const char *header, struct skr_span value);

/* Starts the response (http_response.c): the one in c->response, an error, or a bare status. */
void skri_http_send_response(struct skr_conn *c);
void skri_http_send_error(struct skr_conn *c, enum skr_rpc_error error);
void skri_http_send_status(struct skr_conn *c, uint16_t status);
void skri_http_send_continue(struct skr_conn *c);
void skri_http_send_stream(struct skr_conn *c); /* only its head */

void skri_http_send_nothing(struct skr_conn *c); /* an empty response, to put something before it */

/* Bytes put into the scratch buffer are sent before the response: skri_http_put_done hands over those since `from`. */
void skri_http_put(struct skr_conn *c, const char *text);
void skri_http_put_number(struct skr_conn *c, uint32_t value, unsigned base);
void skri_http_put_length(struct skr_conn *c, uint32_t length); /* and the end of the head */
void skri_http_put_stream_head(struct skr_conn *c);
void skri_http_put_done(struct skr_conn *c, uint32_t from);

/* The responses of a batch are sent as chunks, since their total length is not known when the first is sent. The end is
 * the closing bracket in c->response, or 202 if there were no responses. */
void skri_http_send_batch_part(struct skr_conn *c, bool first);
void skri_http_send_batch_end(struct skr_conn *c, bool has_responses);

/* ---- Responses that are streams of events (http_stream.c) ---- */

extern const struct skr_transport skri_http_transport; /* SKR_JOBS */

/* SKR_RESUME: GET with Last-Event-ID continues that stream. False when there is none. */
bool skri_stream_resume(struct skr_conn *c);

/* SKR_CHANGES: GET opens the stream for a session's notifications. */
void skri_http_open_session_stream(struct skr_conn *c);

#endif
