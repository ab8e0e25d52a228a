/* request.h -- one request while it is being handled, and how it gets its response. */
#ifndef SKR_REQUEST_H
#define SKR_REQUEST_H

#include "response/lease.h"
#include "response/response.h"
#include "text/json.h"
#include "text/span.h"

/* The headers of the message that c is handling; NULL when it came on a line. */
static inline const struct skr_headers *skri_headers_of(const struct skr_conn *c)
{
#if SKR_HTTP
    return c->wire == SKR_HTTP_1 ? &c->http.headers : NULL;
#else
    (void)c;
    return NULL;
#endif
}

/* True when the client accepts a JSON message, but not a stream of events. */
static inline bool skri_takes_only_json(const struct skr_conn *c)
{
    const struct skr_headers *headers = skri_headers_of(c);

    return headers != NULL && headers->only_json;
}

/* The first SKR_WHO bytes of the current request's token hash; zeros if it needs no token, as on every line. */
const uint8_t *skri_who_id(const struct skr_conn *c); /* SKR_AUTH */

/* True while elements of a batch are being handled (wire/batch.c). */
static inline bool skri_in_batch(const struct skr_conn *c)
{
#if SKR_EXTRAS
    return c->batch.state != 0;
#else
    (void)c;
    return false;
#endif
}

/* Members of params that several methods read, and strings: they are looked for once. */
enum skr_param {
    SKR_PARAM_META,
    SKR_PARAM_NAME,
    SKR_PARAM_URI,
    SKR_PARAM_CURSOR,
    SKR_PARAM_VERSION,
#if SKR_EXTRAS
    SKR_PARAM_LEVEL,
#endif
#if SKR_DIALECTS
    SKR_PARAM_REFERENCE,
    SKR_PARAM_SCRIPT,
#endif
#if SKR_TASKS || SKR_HTTP /* a bridge checks headers for the tasks of its device */
    SKR_PARAM_TASK,
#endif
    SKR_PARAM_COUNT
};
extern const struct skr_span skri_params[SKR_PARAM_COUNT];

/* Members of _meta: the protocol version, the client's capabilities, what is to be logged. */
enum skr_meta {
    SKR_META_VERSION,
    SKR_META_OFFERS,
#if SKR_EXTRAS
    SKR_META_LEVEL,
#endif
    SKR_META_COUNT
};

/* A request while it is being handled. Tokens, and with them every token index, are gone when the handler returns;
 * spans of the request text stay valid until the response has been sent. */
struct skr_call {
    struct skr_server *srv;
    const struct romfs *fs; /* the image this request is served from, even after a swap */
    struct skr_conn *conn;
    struct skr_response *response;
    struct skr_legacy *legacy; /* the state of its session or line, to be read or changed */
    struct skr_json json;
    int id; /* tokens; -1: absent */
    int method;
    int params;
    int meta[SKR_META_COUNT]; /* in _meta */
    int arguments;            /* of a tool call */
#if SKR_GUARD
    bool plan; /* its handler only plans: skr_planning */
#endif
    bool modern;                 /* 2026-07-28: served from its own content alone */
    struct skr_output out;       /* the output of a handler */
    const struct skr_tool *tool; /* being called */
    struct skr_job *job;         /* of the tool call; NULL: it has none */
    bool needs_job;              /* the handler has used what only a call with a deadline has */
    bool task;                   /* 2025-11-25: the client wants a task */
    int replies;                 /* 2026-07-28: the object with the replies, by key */
    int reply;                   /* initialize era: the result that the client sent */
#if SKR_TASKS
    uint32_t ttl_ms; /* how long that task is to be kept at most */
#endif
    int given[SKR_PARAM_COUNT]; /* tokens in params; last, because the other members are used more */
};

/* Of a request of the initialize era: is it over HTTP without sessions, where nothing is remembered of a client?
 * (SESS-07) */
static inline bool skri_is_forgotten(const struct skr_call *call)
{
#if SKR_HTTP
    return call->conn->wire == SKR_HTTP_1 && call->srv->http.sessionless;
#else
    (void)call;
    return false;
#endif
}

/* Prepares the response of conn, which is neither a result nor an error yet. */
void skri_rpc_begin(struct skr_conn *conn);

/* Makes the response of conn the error for a message that cannot be parsed as a request; `id` is empty when it is not
 * known. */
void skri_rpc_refuse(struct skr_conn *conn, struct skr_span id, enum skr_rpc_error error);

/* Makes the response an error about `subject`. */
void skri_rpc_error_about(struct skr_call *call, enum skr_rpc_error error, const char *p, size_t n);
static inline void skri_rpc_error(struct skr_call *call, enum skr_rpc_error error, struct skr_span subject)
{
    skri_rpc_error_about(call, error, subject.p, subject.n);
}

/* True when the response is an error already. */
static inline bool skri_rpc_has_failed(const struct skr_call *call)
{
    return call->response->envelope.error != SKR_NO_ERROR;
}

/* A string in params. One of another type is an error; with `required` so is a missing one. False when the response
 * is that error. Absent: *out is empty and out->p is NULL. */
bool skri_rpc_param(struct skr_call *call, enum skr_param which, bool required, struct skr_span *out);

#endif
