/* function: skr_json_first, _after (json.c)
 * property: tokens of any numbers, also where they ran out in the middle: only those that exist are looked at, and a walk goes on
 * bound:    4
 * unwind:   2 + BOUND
 * sources:  core/text/json_scan.c core/text/json_string.c core/text/span.c core/text/plain.c
 * break:    core/text/json.c: next < json->count && token_at(json, next)->start -> token_at(json, next)->start
 * break:    core/text/json.c: int next = token + 1; -> int next = token + 1, end = token_at(json, token)->end; (void)end;
 */
#include "proof.h"

#include "../../../core/text/json.c"

int main(void)
{
    size_t count = any_length();
    struct skr_token block[BOUND];
    struct skr_json json = {.tokens = block + (BOUND - count), .count = (int)count};
    int parent = nondet_int(), child = nondet_int();

    ASSUME(parent >= 0 && parent < json.count && child > parent && child < json.count);
    int first = skr_json_first(&json, parent), after = skr_json_after(&json, parent, child);
    PROVE(first == -1 || (first == parent + 1 && first < json.count));
    PROVE(after == -1 || (after > child && after < json.count));
    return 0;
}
