/* function: skr_number_int, skr_number_point
 * property: any digits, point and exponent: no overflow, the loops end, and what is whole is the number
 * bound:    4 6
 * unwind:   8
 * options:  --unwindset skr_number_int.2:16
 * sources:  core/text/number.c
 * break:    core/text/number.c: if (s.p[i] == '.') { -> if (i == 0) {
 */
#include "proof.h"

#include "text/number.h"
#include "skr_args.h"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_span s = {text, n};
    int32_t value;
    ASSUME(n > 0);
    for (size_t i = 0; i < n;
         i++) { /* a number of JSON has these bytes, and json_readers.c shows that only it comes here */
        ASSUME((text[i] >= '0' && text[i] <= '9') || (text[i] == '-' && i == 0 && n > 1) || (text[i] == '.' && i > 0) ||
               (text[i] == 'e' && i > 0 && i + 2 == n));
    }
    ASSUME(text[n - 1] >= '0' && text[n - 1] <= '9');
    int point = skr_number_point(s);
    PROVE(point >= 0 && point <= 9 + BOUND);
    if (skr_number_int(s, &value)) {
        PROVE(point > 9 || value >= -(int64_t)SKR_ARG_INT_MAX);
        PROVE((text[0] == '-') ? value <= 0 : point > 9 || value >= 0);
    }
    return 0;
}
