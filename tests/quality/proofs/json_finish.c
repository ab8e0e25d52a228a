/* function:  finish_value, check_key (json_scan.c)
 * property:  from any place and any depth: inside the text and the table of brackets, and no deeper than before
 * bound:     4 8
 * unwind:    3 + BOUND
 * contracts: after_spaces:blanks_contract after_string:spelled_contract
 * sources:   core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json_scan.c: return check_move(c, p + 1); -> return check_move(c, p + 2);
 * break:     core/text/json_scan.c: p < c->end && *p == ':' ? -> *p == ':' ?
 */
#include "scan_contracts.h"

#include "text/json_scan.h"
#undef SKR_JSON_DEPTH
#define SKR_JSON_DEPTH 4
#include "../../../core/text/json_scan.c"

int main(void)
{
    size_t n = any_length(), at = nondet_size();

    ANY_BYTES(text, n);
    bool escapes = false;
    struct check c;
    ASSUME(at <= n && c.depth <= SKR_JSON_DEPTH);
    unsigned depth = c.depth;
    c.p = text + at;
    c.end = text + n;
    c.escapes = &escapes;
    if (nondet_u8() == 0) {
        bool there = check_key(&c);
        PROVE(c.p >= text + at && c.p <= c.end && c.depth == depth && (!there || c.p > text + at));
        return 0;
    }
    bool going = finish_value(&c);
    PROVE(c.p >= text + at && c.p <= c.end && c.depth <= depth);
    PROVE(!going || (c.depth > 0 ? c.p > text + at : c.p == c.end));
    return 0;
}
