/* function: path_canonical, template_matches (store.c)
 * property: any URI path into any room: nothing behind either; a variable is one segment inside the URI
 * bound:    6 14
 * unwind:   10 + BOUND
 * flags:    -DSKR_PROFILE_TINY
 * sources:  core/text/json_string.c core/text/span.c
 * break:    core/store/store.c: if (end - to < 3) { -> if (end - to < 2) {
 * break:    core/store/store.c: path.n - i > 2 ? -> path.n - i > 1 ?
 * break:    core/store/store.c: uri.n <= before.n + after.n || -> 
 */
#include "proof.h"

#include "../../../core/store/store.c"

int main(void)
{
    size_t n = any_length(), room = any_length(), length;

    ANY_BYTES(text, n);
    ANY_BYTES(out, room);
    struct skr_span uri = {text, n}, var;
    if (path_canonical(uri, out, room, &length)) {
        PROVE(length <= room && length <= n);
    }
    if (template_matches("a:{x}/b", uri, &var)) {
        PROVE(var.n > 0 && var.p == text + 2 && var.n == n - 4);
    }
    return 0;
}
