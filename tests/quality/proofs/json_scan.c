/* function:  skr_scan_pair, _item, _is
 * property:  in any text at all, also one that is not JSON: what they find lies in it, and a walk ends
 * bound:     3 8
 * unwind:    3 + BOUND
 * contracts: after_spaces:blanks_contract after_value:reader_contract skr_json_same_text:same_contract
 * sources:   core/text/json_string.c core/text/span.c core/text/plain.c
 * break:     core/text/json_scan.c: if (p == end || (*p != one -> if ((*p != one
 * break:     core/text/json_scan.c: rest->p = after_spaces(behind, end); -> rest->p = after_spaces(behind + 1, end);
 */
#include "scan_contracts.h"

#include "../../../core/text/json_scan.c"

bool same_contract(struct skr_span inside, struct skr_span text)
{
    PROVE(__CPROVER_r_ok(inside.p, inside.n));
    return nondet_bool();
}

static bool lies_in(struct skr_span part, const char *text, size_t n)
{
    return part.p >= text && part.n <= n && (size_t)(part.p - text) <= n - part.n;
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_span rest = {text, n}, first, second;
    if (nondet_bool()) {
        while (skr_scan_pair(&rest, &first, &second)) {
            PROVE(lies_in(first, text, n) && lies_in(second, text, n));
            (void)skr_scan_is(first, "x");
        }
    } else {
        while (skr_scan_item(&rest, &first)) {
            PROVE(lies_in(first, text, n));
        }
    }
    PROVE(lies_in(rest, text, n));
    return 0;
}
