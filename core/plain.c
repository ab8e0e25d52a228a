/* plain.c -- the inner loop of checking and of escaping text. See plain.h. */
#include "plain.h"

#include <string.h>

/* A machine word at a time: a byte minus a bound borrows into its top bit when it was
 * below the bound; a byte above 0x7F has that bit already. The lowest bit found is
 * exact, those above it may be not. */
size_t skr_plain_run(const char *text, size_t n, bool ascii)
{
    size_t i = 0;
#if SKR_WORDWISE
    const size_t ones = SIZE_MAX / 0xFF, tops = ones * 0x80, let_pass = ascii ? 0 : tops;
    size_t word;
    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, text + i, sizeof word);
        size_t below = (word - ones * 0x20) | ((word ^ ones * '"') - ones) | ((word ^ ones * '\\') - ones);
        size_t found = (below | word) & ~(word & let_pass) & tops;
        if (found != 0) {
            for (; (found & 0x80) == 0; found >>= 8) {
                i++;
            }
            return i;
        }
    }
#endif
    for (; i < n; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == '"' || c == '\\' || (ascii && c > 0x7F)) {
            break;
        }
    }
    return i;
}
