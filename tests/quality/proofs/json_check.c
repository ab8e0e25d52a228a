/* function:  skr_json_check_part
 * property:  any text, nested to any depth: stays inside it and the table of brackets, ends; at most n bytes are good
 * bound:     5 10
 * unwind:    2 + BOUND
 * contracts: after_spaces:blanks_contract check_key:key_contract finish_value:finish_contract after_scalar:spelled_contract
 * sources:   core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json_scan.c: if (c->depth == SKR_JSON_DEPTH) { -> if (c->depth > SKR_JSON_DEPTH) {
 */
#include "scan_contracts.h"

#include "text/json_scan.h"
#undef SKR_JSON_DEPTH
#define SKR_JSON_DEPTH 4 /* so that few bytes reach it */
#include "../../../core/text/json_scan.c"

bool key_contract(struct check *c)
{
    PROVE(c->p <= c->end);
    size_t n = nondet_size();
    ASSUME(n <= (size_t)(c->end - c->p));
    c->p += n;
    return n > 0;
}

bool finish_contract(struct check *c)
{
    PROVE(c->depth <= SKR_JSON_DEPTH && c->p <= c->end);
    size_t n = nondet_size(), closed = nondet_size();
    ASSUME(n <= (size_t)(c->end - c->p) && closed <= c->depth);
    c->p += n;
    c->depth -= (unsigned)closed;
    return c->depth > 0 ? n > 0 : c->p == c->end;
}

int main(void)
{
    size_t n = any_length(), good;
    bool escapes;

    ANY_BYTES(text, n);
    int error = skr_json_check_part(text, n, &good, &escapes);
    PROVE(good <= n);
    PROVE(error != SKR_JSON_OK || (good == n && n > 0));
    return 0;
}
