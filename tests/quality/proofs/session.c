/* function:  skri_session_find, _new, _end, _text
 * property:  any id shown in any state of the table: nothing outside id and table is touched, and what is found is a place of it
 * bound:     34
 * unwind:    6
 * options:   --unwindset memcmp.0:34
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0 -DSKR_CHANGES=1
 * contracts: skr_id_read:id_contract skr_id_text:text_contract skr_sip_start:start_contract skr_sip_add:add_contract skr_sip_end:end_contract skri_notify_kinds:kinds_contract skri_who_id:who_contract
 * break:     core/mcp/session.c: while (i < SKR_SESSIONS && !is_session -> while (!is_session
 * break:     core/mcp/session.c: if (!skr_id_read(text, id)) { -> if (!skr_id_read(text, id) && text.n > 32) {
 * break:     core/mcp/session.c: if (i == SKR_SESSIONS) { -> if (i > SKR_SESSIONS) {
 * break:     core/mcp/session.c: is_session(&s->sessions[near - 1], id) -> is_session(&s->sessions[near], id)
 */
#include "small.h"

#include "../../../core/mcp/session.c"

/* seal.c: an id has 32 digits, which is why 32 bytes of one that was read may be kept. */
bool id_contract(struct skr_span text, uint32_t id[4])
{
    PROVE(__CPROVER_r_ok(text.p, text.n) && __CPROVER_w_ok(id, 4 * sizeof *id));
    for (unsigned i = 0; i < 4; i++) {
        id[i] = nondet_u32();
    }
    return text.n == 32 && nondet_bool();
}

void text_contract(const uint32_t id[4], char text[32])
{
    PROVE(__CPROVER_r_ok(id, 4 * sizeof *id) && __CPROVER_w_ok(text, 32));
}

void start_contract(struct skr_sip *sip, const uint8_t key[16])
{
    PROVE(__CPROVER_r_ok(key, 16));
}

void add_contract(struct skr_sip *sip, const void *bytes, size_t n)
{
    PROVE(__CPROVER_r_ok(bytes, n));
}

/* Any seal may be right, and wrong. */
uint64_t end_contract(struct skr_sip *sip)
{
    return nondet_u64();
}

const uint8_t *who_contract(const struct skr_conn *c)
{
    static uint8_t who[SKR_WHO];

    return who;
}

uint8_t kinds_contract(const struct skr_server *s)
{
    return nondet_u8();
}

static struct skr_server server;
static struct skr_conn conn;

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_backend backend = {.forgets_sessions = nondet_bool()};
    struct skr_grant who;
    char id[32];
    __CPROVER_havoc_object(&server);
    __CPROVER_havoc_object(&conn);
    server.backend = &backend;
    server.http.session_key = NULL;
    conn.srv = &server;
    conn.http.who = nondet_bool() ? &who : NULL;
    ASSUME(conn.last_session.slot <= SKR_SESSIONS);
    struct skr_legacy legacy;
    uint16_t number = nondet_u16();
    ASSUME(number >= 1 && number <= SKR_SESSIONS);
    switch (nondet_u8()) {
    case 0: PROVE(skri_session_find(&conn, (struct skr_span){text, n}) <= SKR_SESSIONS); break;
    case 1: PROVE((uint16_t)(skri_session_new(&server, legacy) - 1) < SKR_SESSIONS); break;
    case 2: skri_session_text(&conn, number, id); break;
    default: skri_session_end(&server, number); break;
    }
    return 0;
}
