/* session.h -- what clients of the initialize era agreed on over HTTP, by Mcp-Session-Id (session.c). */
#ifndef SKR_SESSION_H
#define SKR_SESSION_H

#include "response/request.h"

/* The server has its seed. */
void skri_session_start(struct skr_server *s);

/* A session is known by its slot + 1; 0: there is none. Finding one that has no place gives it one, if its id is ours
 * and it has not ended. A session is found for nobody but whoever began it (AUTH-08). */
uint16_t skri_session_find(struct skr_conn *c, struct skr_span id);
uint16_t skri_session_new(struct skr_server *s, struct skr_legacy legacy);
void skri_session_end(struct skr_server *s, uint16_t session);

/* What a request gets whose session was not found (SESS-02, SESS-03). */
static inline enum skr_rpc_error skri_session_error(struct skr_span named)
{
    return named.p == NULL ? SKR_SESSION_MISSING : SKR_SESSION_UNKNOWN;
}

/* What the message that c is about was agreed on under: SKR_V_NONE when it belongs to no session but should. Without
 * sessions its header says so (SESS-07, ERA-23). */
uint8_t skri_session_version(const struct skr_conn *c);

/* The id of a session, for whoever has begun it with the message that c is about. */
void skri_session_text(const struct skr_conn *c, uint16_t session, char text[32]);

/* Points call->legacy to the session of a legacy request; initialize needs none yet. False when the answer is
 * already an error (SESS-02, SESS-03). */
bool skri_session_enter(struct skr_call *call);

#endif
