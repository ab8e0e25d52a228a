/* function: skr_utf8_char
 * property: reads only text[0..n); what it accepts fits n, and is the shortest form of no surrogate
 * bound:    6
 * unwind:   4
 * sources:  core/text/json_string.c
 * break:    core/text/json_string.c: n <= more || -> n < more ||
 */
#include "proof.h"

#include "text/json_string.h"

int main(void)
{
    size_t n = any_length();

    ASSUME(n > 0);
    ANY_BYTES(text, n);
    size_t length = skr_utf8_char(text, n);
    PROVE(length <= 4 && length <= n);
    const unsigned char *c = (const unsigned char *)text;
    if (length > 0 && c[0] >= 0x80) {
        PROVE(c[0] >= 0xC2 && c[0] <= 0xF4 && (c[1] & 0xC0) == 0x80);
        PROVE(c[0] != 0xED || c[1] < 0xA0);
        PROVE(c[0] != 0xF4 || c[1] < 0x90);
    }
    return 0;
}
