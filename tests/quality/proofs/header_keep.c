/* function:  keep_header (http_header.c)
 * property:  any value behind what is kept: it is moved there, inside the buffer, and holds no byte that no header may have
 * bound:     2 5
 * slow:      9 s even so
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: memmove:move_contract skr_plain_run:run_contract
 * break:     core/wire/http_header.c: char *kept = c->in + h->keep; -> char *kept = c->in + h->keep + 1;
 * break:     core/wire/http_header.c: h->keep += (uint32_t)value.n; -> h->keep += (uint32_t)value.n + 1;
 * break:     core/wire/http_header.c: (byte < 0x20 || byte > 0x7E) && byte -> byte > 0x7E && byte
 */
#include "http_state.h"

#include "../../../core/wire/http_header.c"

static bool is_allowed(char c)
{
    return (c >= 0x20 && c <= 0x7E) || c == '\t';
}

/* plain.c */
size_t run_contract(const char *text, size_t n)
{
    PROVE(__CPROVER_r_ok(text, n));
    size_t run = nondet_size();
    ASSUME(run <= n);
    for (size_t i = 0; i < BOUND; i++) {
        ASSUME(i >= run || is_allowed(text[i]));
    }
    return run;
}

int main(void)
{
    any_conn();
    struct skr_span slot = {nondet_bool() ? conn.in : NULL, 0}, value;
    bool twice = false;
    uint32_t at = nondet_u32(), keep = conn.http.keep;
    value.n = nondet_size();
    ASSUME(conn.http.body == 0 && at >= keep && at <= conn.rx.start && value.n <= conn.rx.start - at);
    value.p = conn.in + at;
    keep_header(&conn, &slot, value, &twice);
    PROVE(buffer_is_sound(&conn));
    size_t i = nondet_size();
    if (slot.p != NULL && i < slot.n) {
        PROVE(slot.p == conn.in + keep && slot.n == value.n && is_allowed(slot.p[i]));
    }
    return 0;
}
