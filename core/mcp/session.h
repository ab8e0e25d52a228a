/* session.h -- sessions of the initialize era over HTTP, by Mcp-Session-Id (session.c). */
#ifndef SKR_SESSION_H
#define SKR_SESSION_H

#include "response/request.h"

/* The server has its seed. */
void skri_session_start(struct skr_server *s);

/* A session is known by its slot + 1; 0: there is none. Finding one that has no place gives it one, if its id is ours
 * and it has not ended. A session is found only for the token that began it (AUTH-08). */
uint16_t skri_session_find(struct skr_conn *c, struct skr_span id);
uint16_t skri_session_new(struct skr_server *s, struct skr_legacy legacy);
void skri_session_end(struct skr_server *s, uint16_t session);

/* The error of a request whose session was not found (SESS-02, SESS-03). */
static inline enum skr_rpc_error skri_session_error(struct skr_span named)
{
    return named.p == NULL ? SKR_SESSION_MISSING : SKR_SESSION_UNKNOWN;
}

/* The protocol version of the current message of c: SKR_V_NONE when it has no session but should have one. A server
 * without sessions reads the version from the header (SESS-07, ERA-23). */
uint8_t skri_session_version(const struct skr_conn *c);

/* The id of a session, for the client that has begun it with the current message of c. */
void skri_session_text(const struct skr_conn *c, uint16_t session, char text[32]);

/* Points call->legacy to the session of a legacy request; initialize needs none yet. False when the response is
 * an error (SESS-02, SESS-03). */
bool skri_session_enter(struct skr_call *call);

#endif
