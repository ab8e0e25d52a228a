/* function: skr_number_scaled
 * property: any digits, point and exponent, any decimals: no overflow, the loop ends, and the sign is that of the number
 * bound:    3 5
 * slow:     6 s even so
 * unwind:   26
 * sources:  core/text/number.c
 * break:    core/text/number.c: } else if (value > (INT64_MAX - 9) / 10) { -> } else if (value > INT64_MAX / 9) {
 * break:    core/text/number.c: i < s.n || (left > 0 && !zero);) { -> i < s.n || left > 0;) {
 */
#include "proof.h"

#include "text/number.h"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    bool rest;
    ASSUME(n > 0);
    for (size_t i = 0; i < n; i++) { /* json_readers.c shows that only a number of JSON comes here */
        ASSUME((text[i] >= '0' && text[i] <= '9') || (text[i] == '-' && i == 0 && n > 1) || (text[i] == '.' && i > 0) ||
               (text[i] == 'e' && i > 0 && i + 2 <= n) || (text[i] == '-' && text[i - 1] == 'e' && i + 2 <= n));
    }
    ASSUME(text[n - 1] >= '0' && text[n - 1] <= '9');
    int64_t value = skr_number_scaled((struct skr_span){text, n}, nondet_u8(), &rest);
    PROVE(text[0] == '-' ? value <= 0 : value >= 0);
    return 0;
}
