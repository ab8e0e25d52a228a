/* session.h -- what clients of the initialize era agreed on over HTTP, by Mcp-Session-Id (session.c). */
#ifndef SKR_SESSION_H
#define SKR_SESSION_H

#include "answer/request.h"

/* A session is known by its slot + 1; 0: there is none. `near` is one that is likely to be the one, or 0. */
uint16_t skri_session_find(struct skr_server *s, struct skr_span id, uint16_t near);
uint16_t skri_session_new(struct skr_server *s, struct skr_legacy legacy);
void skri_session_end(struct skr_server *s, uint16_t session);

/* What a request gets whose session was not found (SESS-02, SESS-03). */
static inline enum skr_fault skri_session_fault(struct skr_span named)
{
    return named.p == NULL ? SKR_SESSION_MISSING : SKR_SESSION_UNKNOWN;
}

void skri_session_text(const struct skr_session *session, char text[32]);

/* Points call->legacy to the session of a legacy request; initialize needs none yet. False when the answer is
 * already an error (SESS-02, SESS-03). */
bool skri_session_enter(struct skr_call *call);

#endif
