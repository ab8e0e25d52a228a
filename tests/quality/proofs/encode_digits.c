/* function:  skr_encode_hex, skr_encode_base64
 * property:  any bytes into any room, from any place: nothing is written after it or read past the end, it ends
 * bound:     4 9
 * unwind:    7 + BOUND
 * also:      unsigned
 * sources:   core/text/encode.c core/text/number.c core/text/json_string.c core/text/plain.c core/text/span.c
 * break:     core/text/encode.c: while (e->room - e->made >= 4) { -> while (e->room - e->made >= 3) {
 * break:     core/text/encode.c: e->used < e->n && e->room - e->made >= 2; -> e->used < e->n && e->room - e->made >= 1;
 */
#include "proof.h"

#include "text/encode.h"

int main(void)
{
    size_t n = any_length(), room = any_length();

    ANY_BYTES(from, n);
    ANY_BYTES(out, room);
    struct skr_encoding e = {.from = from, .n = n, .out = out, .room = room};
    struct skr_carry carry = {.n = nondet_u8()};
    e.used = nondet_size();
    e.made = nondet_size();
    e.url = nondet_bool();
    ASSUME(e.used <= n && e.made <= room && carry.n < 3);
    switch (nondet_u8()) {
    case 0: skr_encode_hex(&e); break;
    default: skr_encode_base64(&e, &carry, nondet_bool()); break;
    }
    PROVE(e.used <= n && e.made <= room && carry.n <= 3);
    return 0;
}
