/* http_session.c -- what clients of the initialize era agreed on, by Mcp-Session-Id.
 *
 * A fixed table. When it is full the session idle longest ends; its client gets 404
 * and initializes again, as the protocol foresees (SESS-04). A session id is no
 * authentication, but it must not be guessable: 128 bits of SipHash-2-4 over a
 * counter, keyed with the port's random seed. */
#include "http_types.h"
#include "version.h"

#if SKR_HTTP

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static void sip_rounds(uint64_t v[4], unsigned rounds)
{
    while (rounds-- > 0) {
        v[0] += v[1];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[0] = rotate(v[0], 32);
        v[2] += v[3];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[2] = rotate(v[2], 32);
    }
}

/* SipHash-2-4 of one 8-byte message. */
static uint64_t siphash(const uint8_t key[16], uint64_t message)
{
    uint64_t k[2];
    memcpy(k, key, sizeof k);
    uint64_t v[4] = {k[0] ^ 0x736f6d6570736575u, k[1] ^ 0x646f72616e646f6du, k[0] ^ 0x6c7967656e657261u,
                     k[1] ^ 0x7465646279746573u};
    const uint64_t words[2] = {message, (uint64_t)8 << 56};
    for (unsigned i = 0; i < 2; i++) {
        v[3] ^= words[i];
        sip_rounds(v, 2);
        v[0] ^= words[i];
    }
    v[2] ^= 0xff;
    sip_rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

void skr_session_text(const struct skr_session *session, char text[32])
{
    static const char hex[] = "0123456789abcdef";
    for (unsigned i = 0; i < 32; i++) {
        text[i] = hex[session->id[i / 8] >> (28 - 4 * (i % 8)) & 15];
    }
}

/* The four words of an id as skr_session_text writes it. */
static bool read_id(struct skr_span text, uint32_t id[4])
{
    memset(id, 0, 4 * sizeof *id);
    for (size_t i = 0; i < text.n && i < 32; i++) {
        char c = text.p[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
            return false;
        }
        id[i / 8] = id[i / 8] << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return text.n == 32;
}

uint16_t skr_session_find(struct skr_server *s, struct skr_span id)
{
    uint32_t wanted[4];
    if (!read_id(id, wanted)) {
        return 0;
    }
    for (uint16_t i = 0; i < SKR_SESSIONS; i++) {
        struct skr_session *session = &s->sessions[i];
        if (session->id[0] == wanted[0] && memcmp(session->id, wanted, sizeof wanted) == 0 &&
            session->legacy.version != SKR_V_NONE) {
            session->last_used = s->requests;
            return (uint16_t)(i + 1);
        }
    }
    return 0;
}

/* The session ends; the stream of its news, which another connection has, is to notice. */
static void forget_stream(struct skr_server *s, struct skr_session *session)
{
#if SKR_SWAP
    s->changes += session->stream != 0;
    session->stream = 0;
#else
    (void)s;
    (void)session;
#endif
}

uint16_t skr_session_new(struct skr_server *s, struct skr_legacy legacy)
{
    uint16_t slot = 0;
    uint32_t oldest = 0;
    for (uint16_t i = 0; i < SKR_SESSIONS; i++) {
        struct skr_session *session = &s->sessions[i];
        uint32_t age = session->legacy.version == SKR_V_NONE ? UINT32_MAX : s->requests - session->last_used;
        if (age >= oldest) {
            oldest = age;
            slot = i;
        }
    }
    struct skr_session *session = &s->sessions[slot];
    uint64_t high = siphash(s->http.seed, 2u * (uint64_t)s->session_count);
    uint64_t low = siphash(s->http.seed, 2u * (uint64_t)s->session_count + 1u);
    s->session_count++;
    session->id[0] = (uint32_t)(high >> 32);
    session->id[1] = (uint32_t)high;
    session->id[2] = (uint32_t)(low >> 32);
    session->id[3] = (uint32_t)low;
    session->last_used = s->requests;
    session->legacy = legacy;
    forget_stream(s, session);
    return (uint16_t)(slot + 1);
}

void skr_session_end(struct skr_server *s, uint16_t session)
{
    forget_stream(s, &s->sessions[session - 1]);
    memset(&s->sessions[session - 1], 0, sizeof s->sessions[0]);
}

bool skr_http_enter_session(struct skr_call *call, const struct skr_http_view *view)
{
    struct skr_server *s = call->srv;
    if (skr_json_equals(&call->json, call->method, "initialize")) {
        return true; /* agrees in conn->legacy; http.c makes a session of it */
    }
    if (view->session.p == NULL && skr_json_equals(&call->json, call->method, "ping")) {
        return true; /* ERA-14: a ping needs no handshake */
    }
    uint16_t session = view->session.p != NULL ? skr_session_find(s, view->session) : 0;
    if (session != 0) {
        call->legacy = &s->sessions[session - 1].legacy;
        return true;
    }
    skr_rpc_error(call, view->session.p == NULL ? SKR_SESSION_MISSING : SKR_SESSION_UNKNOWN, SPAN(""));
    return false; /* SESS-02, SESS-03 */
}

#endif
