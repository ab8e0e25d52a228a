/* http.h -- what the rest of the core asks the HTTP framing. */
#ifndef SKR_HTTP_H
#define SKR_HTTP_H

#include "mcp/rpc.h"

/* The headers of the request being handled that rules speak of. A header that was
 * not sent has p == NULL; one sent twice cannot match anything (HDR-08). */
struct skr_http_view {
    struct skr_span protocol;   /* MCP-Protocol-Version */
    struct skr_span mcp_method; /* Mcp-Method */
    struct skr_span mcp_name;   /* Mcp-Name, not yet decoded */
    struct skr_span session;    /* Mcp-Session-Id */
    bool protocol_twice, method_twice, name_twice;
};

#if SKR_HTTP

/* Fills *view and returns it, or NULL when conn is not an HTTP connection. */
struct skr_http_view *skr_http_view(struct skr_conn *conn, struct skr_http_view *view);

/* True when the Mcp-Name header, decoded, equals the string `token` (HDR-04..07). */
bool skr_http_name_matches(struct skr_call *call, const struct skr_http_view *view, int token);

#if SKR_PARAMS
/* True when the Mcp-Param-* headers repeat the arguments that this description of a tool
 * names (HDR-12). */
bool skr_http_params_match(struct skr_call *call, struct skr_span json);
#endif

/* Points call->legacy to the session of a legacy request, or makes one for
 * initialize. False when the answer is already an error (SESS-02, SESS-03). */
bool skr_http_enter_session(struct skr_call *call, const struct skr_http_view *view);

/* The HTTP framing, called by conn.c. */
void skr_http_advance(struct skr_conn *c);
void skr_http_answered(struct skr_conn *c);
void skr_http_timed_out(struct skr_conn *c);

#else

static inline struct skr_http_view *skr_http_view(struct skr_conn *conn, struct skr_http_view *view)
{
    (void)conn;
    (void)view;
    return NULL;
}

static inline bool skr_http_name_matches(struct skr_call *call, const struct skr_http_view *view, int token)
{
    (void)call;
    (void)view;
    (void)token;
    return true;
}

static inline bool skr_http_enter_session(struct skr_call *call, const struct skr_http_view *view)
{
    (void)call;
    (void)view;
    return true;
}

#endif

#endif
