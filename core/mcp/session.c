/* session.c -- sessions of the initialize era over HTTP, by Mcp-Session-Id.
 *
 * Clients that lose their session are lost themselves: official ones do not initialize again, though the protocol wants
 * them to (SESS-03). So an id says what a request needs to know, sealed with a key that may survive a reset:
 *
 *     start (24 bits), version (3), capabilities (5) | number (32) | seal (64)
 *
 * The table holds the rest of a session: subscriptions, a log level, a stream. A session without a slot, because the
 * server was reset or others took it, gets a new one when a request names it. The next stream of its client then
 * reports that everything may have changed, because its subscriptions are gone.
 *
 * An ended session must not come back this way. Its slot remembers it, and when that is needed for another, every
 * session that has no slot and might be it ends with it: those of this start with no higher number, or those of all
 * others. After a reset the server cannot know that it ended; a client that still sends its id gets a session as
 * initialize would give it.
 *
 * A session id does not authenticate a client, but it must not be guessed: so it is a sealed token (SESS-01,
 * SESS-08). */
#include "mcp/session.h"

#include "handler/job.h"
#include "response/backend.h"
#include "response/version.h"
#include "subscription/notify.h"
#include "text/siphash.h"

#if SKR_HTTP

/* ---- Ids ---- */

#define BOOT_BITS 24
#define CAN_BITS 5 /* enum skr_capability */

/* Computes the tag of the id and of the token, which must be the one that began the session (AUTH-08). */
static void session_seal(const struct skr_conn *c, uint32_t id[4])
{
    const struct skr_server *s = c->srv;
    struct skr_sip sip;

    skr_sip_start(&sip, s->http.session_key != NULL ? s->http.session_key : s->seed);
    skr_sip_add(&sip, id, 2 * sizeof *id);
#if SKR_AUTH
    if (c->http.who != NULL) {
        skr_sip_add(&sip, c->http.who->sha256, SKR_WHO);
    }
#endif
    uint64_t hash = skr_sip_end(&sip);
    id[2] = (uint32_t)(hash >> 32);
    id[3] = (uint32_t)hash;
}

static uint8_t version_in(const uint32_t id[2])
{
    return (uint8_t)(id[0] >> CAN_BITS & 7);
}

static bool is_of_this_start(const struct skr_server *s, const uint32_t id[2])
{
    return id[0] >> (32 - BOOT_BITS) == s->session.boot;
}

void skri_session_text(const struct skr_conn *c, uint16_t session, char text[32])
{
    const struct skr_session *it = &c->srv->sessions[session - 1];
    uint32_t id[4] = {it->id[0], it->id[1]};

    session_seal(c, id);
    skr_id_text(id, text);
}

/* ---- Places ---- */

void skri_session_start(struct skr_server *s)
{
    struct skr_sip sip;

    skr_sip_start(&sip, s->seed);
    s->session.boot = (uint32_t)skr_sip_end(&sip) >> (32 - BOOT_BITS);
}

/* The session ends; its stream of notifications, on another connection, must notice. */
static void session_forget_stream(struct skr_server *s, struct skr_session *session)
{
#if SKR_CHANGES
    s->changes.count += session->stream != 0;
    session->stream = 0;
#else
    (void)s;
    (void)session;
#endif
}

/* True when something would be lost with its place. */
static bool session_holds_something(const struct skr_server *s, uint16_t slot)
{
    const struct skr_session *session = &s->sessions[slot];
    bool holds = session->legacy.log_level != SKR_LEVEL_WARNING;

#if SKR_CHANGES
    holds |= session->stream != 0;
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        holds |= (session->legacy.subscriptions.list[i].uri[0] | session->legacy.subscriptions.list[i].uri[1]) != 0;
    }
#endif
#if SKR_JOBS
    for (unsigned i = 0; i < SKR_JOBS; i++) {
        holds |= s->jobs[i].call.tool != NULL && s->jobs[i].session == slot + 1;
    }
#else
    (void)s;
#endif
    return holds;
}

/* How readily a place is given to another session: a free one most. */
static unsigned session_readiness(const struct skr_server *s, uint16_t slot)
{
    const struct skr_session *session = &s->sessions[slot];

    if (session->legacy.version == SKR_V_NONE) {
        return session->id[0] == 0 ? 3 : 2;
    }
    return session_holds_something(s, slot) ? 0 : 1;
}

/* Empties the place that is given up most readily, and of several such the one idle longest. */
static uint16_t session_make_place(struct skr_server *s)
{
    uint16_t slot = 0;
    unsigned most = 0;
    uint32_t oldest = 0;

    for (uint16_t i = 0; i < SKR_SESSIONS && most < 3; i++) {
        unsigned ready = session_readiness(s, i);
        uint32_t age = s->session.requests - s->sessions[i].last_used;
        if (ready > most || (ready == most && age >= oldest)) {
            most = ready;
            oldest = age;
            slot = i;
        }
    }
    struct skr_session *session = &s->sessions[slot];
    if (most == 2 && !is_of_this_start(s, session->id)) {
        s->session.others_over = true;
    } else if (most == 2 && session->id[1] >= s->session.floor) {
        s->session.floor = session->id[1] + 1;
    }
    if (SKR_JOBS) {
        skri_job_forget_session(s, (uint16_t)(slot + 1));
    }
    session_forget_stream(s, session);
    memset(session, 0, sizeof *session);
    return slot;
}

static uint16_t session_settle(struct skr_server *s, const uint32_t id[2], struct skr_legacy legacy)
{
    uint16_t slot = session_make_place(s);
    struct skr_session *session = &s->sessions[slot];

    memcpy(session->id, id, sizeof session->id);
    session->last_used = s->session.requests;
    session->legacy = legacy;
    return (uint16_t)(slot + 1);
}

uint16_t skri_session_new(struct skr_server *s, struct skr_legacy legacy)
{
    uint32_t id[2] = {s->session.boot << (32 - BOOT_BITS) | (uint32_t)legacy.version << CAN_BITS, s->session.made++};

#if SKR_INTERACTIVE
    id[0] |= legacy.capabilities;
#endif
    return session_settle(s, id, legacy);
}

/* A session that has no place, but may have had one before. */
static uint16_t session_come_back(struct skr_server *s, const uint32_t id[2])
{
    struct skr_legacy legacy = {.version = version_in(id), .log_level = SKR_LEVEL_WARNING};

    if (!s->backend->forgets_sessions ||
        (is_of_this_start(s, id) ? id[1] < s->session.floor : s->session.others_over) ||
        legacy.version > SKR_NEWEST_LEGACY || (!SKR_EXTRAS && legacy.version == SKR_V_2025_03_26)) {
        return 0;
    }
#if SKR_INTERACTIVE
    legacy.capabilities = id[0] & ((1u << CAN_BITS) - 1);
#endif
#if SKR_CHANGES
    legacy.subscriptions.seen = s->changes.swaps;
    legacy.subscriptions.wants = legacy.subscriptions.due = skri_notify_kinds(s);
    legacy.subscriptions.pending = true;
#endif
    return session_settle(s, id, legacy);
}

static bool is_session(const struct skr_session *session, const uint32_t id[2])
{
    return session->id[1] == id[1] && session->id[0] == id[0];
}

/* Reads an id. False when this server has not made it, or not for this token. A client sends the same id with every
 * request, and unless the token changes (http_auth.c), so does the result stay the same. */
static bool session_read_id(struct skr_conn *c, struct skr_span text, uint32_t said[2])
{
    uint32_t id[4];

    if (c->last_session.genuine &&
        skr_span_eq(text, (struct skr_span){c->last_session.text, sizeof c->last_session.text})) {
        memcpy(said, c->last_session.id, sizeof c->last_session.id);
        return true;
    }
    if (!skr_id_read(text, id)) {
        return false;
    }
    uint32_t ours[4] = {id[0], id[1]};
    session_seal(c, ours);
    if (memcmp(id, ours, sizeof ours) != 0) {
        return false;
    }
    memcpy(said, id, sizeof c->last_session.id);
    memcpy(c->last_session.id, id, sizeof c->last_session.id);
    memcpy(c->last_session.text, text.p, sizeof c->last_session.text);
    c->last_session.genuine = true;
    return true;
}

uint16_t skri_session_find(struct skr_conn *c, struct skr_span text)
{
    struct skr_server *s = c->srv;
    uint32_t id[2];

    if (!session_read_id(c, text, id)) {
        return 0;
    }
    uint16_t near = c->last_session.slot; /* mostly the one it was before */
    uint16_t i = near > 0 && is_session(&s->sessions[near - 1], id) ? (uint16_t)(near - 1) : 0;
    while (i < SKR_SESSIONS && !is_session(&s->sessions[i], id)) {
        i++;
    }
    if (i == SKR_SESSIONS) {
        return session_come_back(s, id);
    }
    s->sessions[i].last_used = s->session.requests;
    return s->sessions[i].legacy.version != SKR_V_NONE ? (uint16_t)(i + 1) : 0;
}

void skri_session_end(struct skr_server *s, uint16_t number)
{
    struct skr_session *session = &s->sessions[number - 1];

    session_forget_stream(s, session);
    if (SKR_JOBS) {
        skri_job_forget_session(s, number);
    }
    memset(&session->legacy, 0, sizeof session->legacy); /* its id stays, so that it does not come back */
}

/* ---- Requests ---- */

uint8_t skri_session_version(const struct skr_conn *c)
{
    const struct skr_headers *headers = &c->http.headers;

    if (headers->session_slot != 0) {
        return c->srv->sessions[headers->session_slot - 1].legacy.version;
    }
    if (!c->srv->http.sessionless) {
        return SKR_V_NONE;
    }
    uint8_t version = skri_version_find(headers->protocol);
    return version != SKR_V_NONE ? version : SKR_V_2025_03_26;
}

bool skri_session_enter(struct skr_call *call)
{
    const struct skr_headers *headers = skri_headers_of(call->conn);

    if (headers == NULL || skr_json_equals(&call->json, call->method, "initialize")) {
        return true; /* agrees in conn->legacy; http.c makes a session of it */
    }
    if (headers->session_slot != 0) {
        call->legacy = &call->srv->sessions[headers->session_slot - 1].legacy;
        return true;
    }
    if (headers->session.p == NULL && skr_json_equals(&call->json, call->method, "ping")) {
        return true; /* ERA-14: a ping needs no handshake */
    }
    memset(call->legacy, 0, sizeof *call->legacy); /* that of the connection */
    call->legacy->log_level = SKR_LEVEL_WARNING;
    call->legacy->version = skri_session_version(call->conn);
    if (call->legacy->version != SKR_V_NONE) {
        return true;
    }
    skri_rpc_error(call, skri_session_error(headers->session), SPAN(""));
    return false;
}

#endif
