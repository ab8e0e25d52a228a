/* function: romfs_unescape_next, romfs_escaped_at
 * property: any stored bytes: only they are read, at most `max` come out, a range never ends after them
 * bound:    8 14
 * unwind:   8 + BOUND
 * sources:  romfs/unescape.c
 * break:    romfs/unescape.c: if (n < LONG_ESCAPE || memcmp -> if (memcmp
 * break:    romfs/unescape.c: return i < stored ? i : stored; -> return i;
 */
#include "proof.h"

#include "unescape.h"

int main(void)
{
    size_t n = any_length(), max = nondet_size();

    ANY_BYTES(text, n);
    struct romfs_unescape u;
    const uint8_t *bytes, *in = (const uint8_t *)text;
    romfs_unescape_start(&u, in, n);
    size_t made = romfs_unescape_next(&u, max, &bytes);
    PROVE(made <= max && made <= n && u.in >= in && u.in <= u.end);
    PROVE(made == 0 || __CPROVER_r_ok(bytes, made));
    struct romfs fs = {.image = in};
    struct romfs_node file = {.data = 0, .stored = (uint32_t)n};
    PROVE(romfs_escaped_at(&fs, &file, nondet_u32()) <= n);
    return 0;
}
