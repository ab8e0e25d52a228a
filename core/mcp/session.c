/* session.c -- what clients of the initialize era agreed on, by Mcp-Session-Id.
 *
 * A fixed table. When it is full the session idle longest ends, but one that was never used before one that
 * was; its client gets 404 and initializes again, as the protocol foresees (SESS-04). A session id is no
 * authentication, but it must not be guessable: seal.c makes it. */
#include "mcp/session.h"

#include "run/job.h"
#include "text/seal.h"
#include "answer/version.h"

#if SKR_HTTP

void skri_session_text(const struct skr_session *session, char text[32])
{
    skri_id_text(session->id, text);
}

static bool is_session(const struct skr_session *session, const uint32_t id[4])
{
    return session->id[0] == id[0] && memcmp(session->id, id, sizeof session->id) == 0 &&
           session->legacy.version != SKR_V_NONE;
}

uint16_t skri_session_find(struct skr_server *s, struct skr_span id, uint16_t near)
{
    uint32_t wanted[4];
    if (!skri_id_read(id, wanted)) {
        return 0;
    }
    uint16_t i = near > 0 && is_session(&s->sessions[near - 1], wanted) ? (uint16_t)(near - 1) : 0;
    while (i < SKR_SESSIONS && !is_session(&s->sessions[i], wanted)) {
        i++;
    }
    if (i == SKR_SESSIONS) {
        return 0;
    }
    s->sessions[i].last_used = s->requests;
    s->sessions[i].used = true;
    return (uint16_t)(i + 1);
}

/* The session ends; the stream of its news, which another connection has, is to notice. */
static void forget_stream(struct skr_server *s, struct skr_session *session)
{
#if SKR_CHANGES
    s->changes += session->stream != 0;
    session->stream = 0;
#else
    (void)s;
    (void)session;
#endif
}

/* Where a new session goes: a free place, or that of the one idle longest; among those that were never used, when there
 * are too many of them. */
static uint16_t place_for_new(const struct skr_server *s)
{
    uint16_t slot = 0, unused = 0;
    uint32_t oldest = 0;
    for (uint16_t i = 0; i < SKR_SESSIONS; i++) {
        unused += !s->sessions[i].used;
    }
    for (uint16_t i = 0; i < SKR_SESSIONS; i++) {
        const struct skr_session *session = &s->sessions[i];
        bool none = session->legacy.version == SKR_V_NONE;
        uint32_t age = none ? UINT32_MAX : s->requests - session->last_used;
        if (age >= oldest && (unused <= SKR_SESSIONS_UNUSED || !session->used)) {
            oldest = age;
            slot = i;
        }
    }
    return slot;
}

uint16_t skri_session_new(struct skr_server *s, struct skr_legacy legacy)
{
    uint16_t slot = place_for_new(s);
    struct skr_session *session = &s->sessions[slot];
    if (SKR_JOBS) {
        skri_job_forget_session(s, (uint16_t)(slot + 1));
    }
    skri_seal_id(s->seed, SKR_ID_SESSION, s->session_count++, session->id);
    session->last_used = s->requests;
    session->used = false;
    session->legacy = legacy;
    forget_stream(s, session);
    return (uint16_t)(slot + 1);
}

void skri_session_end(struct skr_server *s, uint16_t session)
{
    forget_stream(s, &s->sessions[session - 1]);
    if (SKR_JOBS) {
        skri_job_forget_session(s, session);
    }
    memset(&s->sessions[session - 1], 0, sizeof s->sessions[0]);
}

bool skri_session_enter(struct skr_call *call)
{
    const struct skr_headers *headers = skri_headers_of(call->conn);
    if (headers == NULL || skri_json_equals(&call->json, call->method, "initialize")) {
        return true; /* agrees in conn->legacy; http.c makes a session of it */
    }
    if (headers->session.p == NULL && skri_json_equals(&call->json, call->method, "ping")) {
        return true; /* ERA-14: a ping needs no handshake */
    }
    if (headers->session_slot != 0) {
        call->legacy = &call->srv->sessions[headers->session_slot - 1].legacy;
        return true;
    }
    skri_rpc_error(call, skri_session_fault(headers->session), SPAN(""));
    return false;
}

#endif
