/* function: skr_decode_base64
 * property: any text into any room: nothing behind either, and three bytes for four digits at most
 * bound:    12 20
 * unwind:   2 + BOUND
 * sources:  core/text/encode.c core/text/number.c core/text/json_string.c core/text/plain.c core/text/span.c
 * break:    core/text/encode.c: if (n == room) { -> if (n > room) {
 * break:    core/text/encode.c: while (digits > 0 && in.n - digits < 2 && -> while (
 */
#include "proof.h"

#include "text/encode.h"

int main(void)
{
    size_t n = any_length(), room = any_length(), length;

    ANY_BYTES(text, n);
    struct skr_span in = {text, n};
    ANY_BYTES(out, room);
    if (skr_decode_base64(in, nondet_bool(), out, room, &length)) {
        PROVE(length <= room && length <= n * 3 / 4);
    }
    return 0;
}
