/* function:  skri_http_header_line, on_param, on_length, trim (http_header.c)
 * property:  any line: only it is read, each name and value lies in it, and what is kept of it is no longer than it
 * bound:     11 20
 * slow:      9 s even so
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: keep_header:keep_contract name_is_sound:name_contract skr_same_nocase:same_contract header_handler_of:handler_contract
 * break:     core/wire/http_header.c: skr_span_from(line, colon != NULL ? name.n + 1 : 0); -> skr_span_from(line, name.n + 1);
 * break:     core/wire/http_header.c: name.n < 10 ? name.n : 10 -> 10
 * break:     core/wire/http_header.c: while (p < end && (*p == ' ' || *p == '\t')) { -> while (*p == ' ' || *p == '\t') {
 * break:     core/wire/http_header.c: on_param(c, skr_span_from(name, 10), trim_spaces(value)); -> on_param(c, name, trim_spaces(line));
 * break:     core/wire/http_header.c: if (h->param_count < SKR_PARAMS) { -> {
 */
#include "small.h"

#include "../../../core/wire/http_header.c"
#include "../../../core/wire/http_request.c"

static struct skr_span line;

static bool lies_in_line(struct skr_span s)
{
    return s.p >= line.p && s.n <= line.n && (size_t)(s.p - line.p) <= line.n - s.n;
}

/* header_keep.c */
void keep_contract(struct skr_conn *c, struct skr_span *slot, struct skr_span value, bool *twice)
{
    PROVE(lies_in_line(value) && __CPROVER_w_ok(twice, 1));
    c->http.keep += (uint32_t)value.n;
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

header_handler *handler_contract(struct skr_span name)
{
    PROVE(lies_in_line(name));
    return nondet_bool() ? on_any : NULL;
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    static struct skr_server server;
    static struct skr_conn conn;
    line = (struct skr_span){text, n};
    conn.srv = &server;
    conn.http.odd_line = nondet_bool();
    conn.http.headers.param_count = nondet_u8();
    ASSUME(conn.http.headers.param_count <= SKR_PARAMS);
    skri_http_header_line(&conn, line);
    PROVE(conn.http.keep <= n && conn.http.headers.param_count <= SKR_PARAMS);
    return 0;
}
