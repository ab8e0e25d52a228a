/* function:  skri_http_request_line, behind_scheme, method_of (http_request.c)
 * property:  any first line of a request: only it is read, and method, path, host and version lie in it
 * bound:     12 20
 * unwind:    2 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: skr_same_nocase:same_contract host_allowed:host_contract is_address:address_contract skr_span_is:is_contract
 * break:     core/wire/http_request.c: if (second == NULL || -> if (first == NULL ||
 * break:     core/wire/http_request.c: if (uri.n > start.n && -> if (
 * break:     core/wire/http_request.c: (size_t)(second - first - 1)}; -> (size_t)(second - first)};
 */
#include "small.h"

#include "../../../core/wire/http_request.c"

static struct skr_span line;

static bool lies_in_line(struct skr_span s)
{
    return s.p >= line.p && s.n <= line.n && (size_t)(s.p - line.p) <= line.n - s.n;
}

bool same_contract(const char *a, const char *b, size_t n)
{
    PROVE(__CPROVER_r_ok(a, n) && __CPROVER_r_ok(b, n));
    return nondet_bool();
}

bool host_contract(const struct skr_http_config *config, struct skr_span authority)
{
    PROVE(lies_in_line(authority) && memchr(authority.p, ' ', authority.n) == NULL);
    return nondet_bool();
}

/* header_values.c */
bool address_contract(struct skr_span authority)
{
    PROVE(lies_in_line(authority));
    return nondet_bool();
}

bool is_contract(struct skr_span path, const char *text)
{
    PROVE(lies_in_line(path) && memchr(path.p, ' ', path.n) == NULL);
    return nondet_bool();
}

int main(void)
{
    static struct skr_server server;
    static struct skr_conn conn;
    size_t n = any_length();

    ANY_BYTES(text, n);
    line = (struct skr_span){text, n};
    conn.srv = &server;
    skri_http_request_line(&conn, line);
    return 0;
}
