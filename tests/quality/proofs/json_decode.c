/* function: skr_json_decode
 * property: an escape that has been checked is decoded inside its quotes, into 4 bytes, and never grows
 * bound:    14
 * unwind:   8
 * sources:  core/text/json_string.c core/text/span.c
 * break:    core/text/json_string.c: end - p >= 12 -> end - p >= 6
 */
#include "proof.h"

#include "text/json_string.h"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    char out[4];
    /* One character or escape of a string that json_readers.c lets through, and anything after it. */
    ASSUME(n >= 1 && (text[0] != '\\' || (n >= 2 && (text[1] != 'u' || n >= 6))));
    for (unsigned i = 2; i < 6; i++) {
        ASSUME(text[0] != '\\' || text[1] != 'u' || skr_hex_digit(text[i]) >= 0);
    }
    for (unsigned i = 8; i < 12; i++) {
        ASSUME(n < 12 || text[6] != '\\' || text[7] != 'u' || skr_hex_digit(text[i]) >= 0);
    }
    unsigned used, made = skr_json_decode(text, text + n, out, &used);
    PROVE(made >= 1 && made <= 4 && made <= used && used <= n);
    return 0;
}
