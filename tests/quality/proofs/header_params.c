/* function:  decode, same_number, header_value (mcp/headers.c)
 * property:  any Mcp-Param header beside any argument: only they are read, and only a number of JSON is read as one
 * bound:     12
 * slow:      9 s even so
 * unwind:    3 + BOUND
 * flags:     -DSKR_PROFILE_NET -DSKR_JOBS=0
 * contracts: skr_decode_base64:base64_contract skr_json_check_part:check_contract skr_number_scaled:scaled_contract skr_same_nocase:same_contract
 * break:     core/mcp/headers.c: if (value->n < open.n + close.n || -> if (
 * break:     core/mcp/headers.c: || *header.p == '"' -> 
 * break:     core/mcp/headers.c: *header.p <= ' ' || -> 
 * break:     core/mcp/headers.c: i < h->param_count; i++) { -> i <= h->param_count; i++) {
 */
#include "small.h"

#include "../../../core/mcp/headers.c"

#define SHORT 3 /* bytes of what is compared */

static char text[SHORT], argument[SHORT];
static struct skr_conn conn;

static struct skr_span any_piece(char *of)
{
    size_t at = nondet_size(), n = nondet_size();

    ASSUME(at <= SHORT && n <= SHORT - at);
    return (struct skr_span){of + at, n};
}

/* base64.c */
bool base64_contract(struct skr_span in, bool url, char *out, size_t room, size_t *length)
{
    PROVE(__CPROVER_r_ok(in.p, in.n) && __CPROVER_w_ok(out, room));
    *length = nondet_size();
    ASSUME(*length <= room);
    return nondet_bool();
}

/* A value of JSON: blanks may be around it, and what is between them begins and ends as its kind does. */
int check_contract(const char *p, size_t n, size_t *good, bool *escapes)
{
    PROVE(__CPROVER_r_ok(p, n));
    return n > 0 && nondet_bool() ? SKR_JSON_OK : SKR_JSON_BAD;
}

/* number.c and number_scaled.c, of what is a number */
int64_t scaled_contract(struct skr_span number, unsigned decimals, bool *rest)
{
    PROVE(number.n > 0 && __CPROVER_r_ok(number.p, number.n));
    PROVE(*number.p > ' ' && *number.p <= '9' && *number.p != '"' && number.p[number.n - 1] > ' ');
    *rest = nondet_bool();
    return (int64_t)nondet_u64();
}

/* json_strings.c: the text of a token, here of a number. */
static struct skr_span any_number(void)
{
    struct skr_span raw = any_piece(argument);

    ASSUME(raw.n > 0 && *raw.p > ' ' && *raw.p <= '9' && *raw.p != '"' && raw.p[raw.n - 1] > ' ');
    return raw;
}

bool same_contract(const char *a, const char *b, size_t n)
{
    PROVE(__CPROVER_r_ok(a, n) && __CPROVER_r_ok(b, n));
    return nondet_bool();
}

int main(void)
{
    struct skr_call call = {.conn = &conn};
    size_t n = any_length();

    ANY_BYTES(encoded, n);
    __CPROVER_havoc_object(text);
    __CPROVER_havoc_object(argument);
    conn.wire = SKR_HTTP_1;
    conn.http.headers.param_count = nondet_u8();
    ASSUME(conn.http.headers.param_count <= SKR_PARAMS);
    for (unsigned i = 0; i < SKR_PARAMS; i++) {
        conn.http.headers.params[i].name = any_piece(text);
        conn.http.headers.params[i].value = any_piece(text);
    }
    struct skr_span value;
    bool twice;
    switch (nondet_u8()) {
    case 0: (void)same_number(any_piece(text), any_number()); break;
    case 1:
        value = (struct skr_span){encoded, n};
        if (decode(&call, &value)) {
            PROVE(__CPROVER_r_ok(value.p, value.n));
        }
        break;
    default: (void)header_value(&conn.http.headers, any_piece(text), &value, &twice); break;
    }
    return 0;
}
