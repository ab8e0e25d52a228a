/* function: next_of_list, is_address, after_scheme, name_is_sound (http_header.c, http_request.c)
 * property: any header value: only its bytes are read, and what is cut out of it lies in it
 * bound:    4 12
 * unwind:   26
 * sources:  core/text/span.c core/text/number.c core/text/plain.c
 * break:    core/wire/http_request.c: for (; i < s.n && s.p[i] != ']'; i++) { -> for (; s.p[i] != ']'; i++) {
 * break:    core/wire/http_request.c: if (uri.n > start.n && -> if (
 * break:    core/wire/http_header.c: comma != NULL ? n + 1 : n); -> n + 1);
 */
#include "proof.h"

#include "../../../core/wire/http_header.c"
#include "../../../core/wire/http_request.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct skr_span value = {text, n}, rest = value, element, uri;
    switch (nondet_u8()) {
    case 0:
        if (next_of_list(&rest, &element)) {
            PROVE(rest.n < n && rest.p + rest.n == text + n);
            PROVE(element.p >= text && element.n <= n && (size_t)(element.p - text) <= n - element.n);
        }
        break;
    case 1: (void)is_address(value); break;
    case 2:
        uri = after_scheme(value);
        PROVE(uri.p == NULL || (uri.n > 0 && uri.p + uri.n == text + n));
        break;
    default: (void)name_is_sound(value); break;
    }
    return 0;
}
