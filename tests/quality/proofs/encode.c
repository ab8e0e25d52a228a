/* function:  skr_encode_text
 * property:  any bytes into any room, from any place: nothing is written after it or read past the end, it ends
 * bound:     6 8
 * unwind:    7 + BOUND
 * also:      unsigned
 * contracts: skr_plain_copy:copy_contract
 * sources:   core/text/encode.c core/text/number.c core/text/json_string.c core/text/plain.c core/text/span.c
 * break:     core/text/encode.c: if (e->used < e->n && e->room - e->made >= ESCAPE_MAX) { -> if (e->used < e->n) {
 */
#include "proof.h"

#include "text/encode.h"

/* plain.c shows that it keeps this. */
size_t copy_contract(char *out, const char *text, size_t n)
{
    PROVE(__CPROVER_r_ok(text, n) && __CPROVER_w_ok(out, n));
    size_t copied = nondet_size();
    ASSUME(copied <= n);
    return copied;
}

int main(void)
{
    size_t n = any_length(), room = any_length();

    ANY_BYTES(from, n);
    ANY_BYTES(out, room);
    struct skr_encoding e = {.from = from, .n = n, .out = out, .room = room};
    e.used = nondet_size();
    e.made = nondet_size();
    ASSUME(e.used <= n && e.made <= room);
    skr_encode_text(&e);
    PROVE(e.used <= n && e.made <= room);
    return 0;
}
