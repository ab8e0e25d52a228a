/* function:  skri_http_header_line, keep_header, on_param, on_length, trim (http_header.c)
 * property:  any line in a buffer: only the line is read, each value lies in it, and what is kept is no longer than it and stays before it
 * bound:     5 12
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: memmove:move_contract skri_plain_run:run_contract name_is_sound:name_contract skri_same_nocase:same_contract known_header:known_contract
 * break:     core/wire/http_header.c: skri_span_from(line, colon != NULL ? name.n + 1 : 0); -> skri_span_from(line, name.n + 1);
 * break:     core/wire/http_header.c: name.n < 10 ? name.n : 10 -> 10
 * break:     core/wire/http_header.c: char *kept = c->in + h->keep; -> char *kept = c->in + h->keep + 1;
 * break:     core/wire/http_header.c: if (h->param_count < SKR_PARAMS) { -> {
 */
#include "http_state.h"

#include "../../core/wire/http_header.c"

static struct skr_span line;

static bool lies_in_line(struct skr_span s)
{
    return s.p >= line.p && s.n <= line.n && (size_t)(s.p - line.p) <= line.n - s.n;
}

size_t run_contract(const char *text, size_t n)
{
    PROVE(__CPROVER_r_ok(text, n));
    size_t run = nondet_size();
    ASSUME(run <= n);
    return run;
}

bool name_contract(struct skr_span name)
{
    PROVE(lies_in_line(name));
    return nondet_bool();
}

bool same_contract(const char *a, const char *b, size_t n)
{
    PROVE(__CPROVER_r_ok(a, n) && __CPROVER_r_ok(b, n));
    return nondet_bool();
}

/* Any header may be one that matters: header_values.c shows what its value may be. */
static void on_any(struct skr_conn *c, struct skr_span value)
{
    PROVE(lies_in_line(value));
    switch (nondet_u8()) {
    case 0: on_mcp_name(c, value); break;
    case 1: on_length(c, value); break;
    default: break;
    }
}

header_handler *known_contract(struct skr_span name)
{
    PROVE(lies_in_line(name));
    return nondet_bool() ? on_any : NULL;
}

int main(void)
{
    any_conn();
    uint32_t start = nondet_u32(), keep = conn.http.keep;
    line.p = conn.in + start; /* the line before what is read next */
    line.n = nondet_size();
    ASSUME(conn.http.body == 0 && start >= keep && start <= conn.start && line.n <= conn.start - start);
    ASSUME(conn.http.headers.param_count <= SKR_PARAMS);
    skri_http_header_line(&conn, line);
    PROVE(conn.http.keep >= keep && conn.http.keep - keep <= line.n);
    PROVE(conn.http.headers.param_count <= SKR_PARAMS);
    PROVE(buffer_is_sound(&conn));
    return 0;
}
