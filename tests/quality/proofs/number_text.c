/* function: skr_number_text, skr_encode_number
 * property: any number, in base 10 and 16, has at most 10 digits and is written whole or not at all
 * bound:    24
 * unwind:   12
 * also:     unsigned
 * sources:  core/text/number.c core/text/encode.c core/text/json_string.c core/text/plain.c core/text/span.c
 * break:    core/text/encode.c: if (e->room >= sizeof digits) { -> {
 */
#include "proof.h"

#include "text/encode.h"
#include "text/number.h"

int main(void)
{
    size_t room = any_length();
    char digits[SKR_NUMBER_DIGITS];
    uint32_t value = nondet_u32();
    size_t n = skr_number_text(value, nondet_bool() ? 10 : 16, digits + sizeof digits);

    PROVE(n >= 1 && n <= sizeof digits);
    ANY_BYTES(out, room);
    struct skr_encoding e = {.out = out, .room = room};
    skr_encode_number(&e, value);
    PROVE(e.made <= room);
    return 0;
}
