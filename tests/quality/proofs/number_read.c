/* function: skr_number_read
 * property: any text: only digits are taken, no number wraps, none has a leading zero
 * bound:    12
 * unwind:   2 + BOUND
 * also:     unsigned
 * flags:    -DSKR_PROFILE_TINY
 * break:    core/text/number.c: value > (UINT32_MAX - digit) / 10 -> value > UINT32_MAX / 9
 * break:    core/text/number.c: for (; i < s->n && -> for (;
 */
#include "proof.h"

#include "../../../core/text/number.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_span s = {text, n};
    uint32_t value;
    if (skr_number_read(&s, &value)) {
        size_t used = (size_t)(s.p - text);
        PROVE(used >= 1 && used <= 10 && s.n == n - used);
        PROVE(s.n == 0 || *s.p < '0' || *s.p > '9');
        PROVE(used == 1 || text[0] != '0');
        PROVE(used == 1 || value >= 10);
    }
    return 0;
}
