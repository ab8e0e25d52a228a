/* function: chunk_size (http.c)
 * property: any line: reads only the line, no size wraps, none without a digit
 * bound:    10 14
 * unwind:   2 + BOUND
 * also:     unsigned
 * break:    core/wire/http.c: i < line.n && i < 7; -> i < 7;
 * break:    core/wire/http.c: return digits && (i == line.n || line.p[i] == ';'); -> return digits && line.p[i] == ';';
 */
#include "proof.h"

#include "../../../core/wire/http.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    uint32_t size;
    if (chunk_size((struct skr_span){text, n}, &size)) {
        PROVE(n >= 1 && size <= 0xFFFFFFF);
    }
    return 0;
}
