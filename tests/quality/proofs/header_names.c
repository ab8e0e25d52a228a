/* function:  header_handler_of (http_header.c)
 * property:  any name: only its bytes are read
 * bound:     10 21
 * slow:      6 s even so
 * unwind:    23
 * flags:     -DSKR_PROFILE_FULL
 * sources:   core/text/span.c core/text/plain.c
 * break:     core/wire/http_header.c: case 4: return IS("Host") -> case 4: name.n = 5; return IS("Host:")
 * break:     core/text/span.c: while (i < n && skr_lower(a[i]) == skr_lower(b[i])) { -> while (i <= n && skr_lower(a[i]) == skr_lower(b[i])) {
 */
#include "proof.h"

#include "../../../core/wire/http_header.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(name, n);
    (void)header_handler_of((struct skr_span){name, n});
    return 0;
}
