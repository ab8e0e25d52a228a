/* function: romfs_inflate_next
 * property: whatever miniz's tinfl returns: never more than the image records, only from inside the window
 * bound:    512
 * unwind:   3
 * sources:  romfs/inflate.c
 * break:    romfs/inflate.c: out = z->out_left; -> 
 * break:    romfs/inflate.c: & (z->window_size - 1u) -> 
 */
#include "proof.h"

#include "inflate.h"
#include "miniz.h"

/* What tinfl promises: it takes and makes no more than it is given. */
tinfl_status tinfl_decompress(tinfl_decompressor *r, const mz_uint8 *in, size_t *in_size, mz_uint8 *start,
                              mz_uint8 *next, size_t *out_size, const mz_uint32 flags)
{
    PROVE(__CPROVER_r_ok(in, *in_size) && __CPROVER_w_ok(next, *out_size) && *out_size > 0 && flags == 0);
    PROVE(next + *out_size == start + BOUND); /* all the rest of the window, which it wraps at */
    size_t taken = nondet_size(), made = nondet_size();
    ASSUME(taken <= *in_size && made <= *out_size);
    *in_size = taken;
    *out_size = made;
    return nondet_int();
}

int main(void)
{
    uint8_t window[BOUND];
    uint8_t stored[16];
    struct romfs_inflate z = {.in = stored,
                              .in_left = nondet_u32(),
                              .out_left = nondet_u32(),
                              .window = window,
                              .window_size = BOUND,
                              .at = nondet_u32()};

    ASSUME(z.in_left <= sizeof stored && z.at < BOUND);
    const uint8_t *bytes;
    uint32_t left = z.out_left;
    for (int i = 0; i < 2; i++) {
        size_t n = romfs_inflate_next(&z, &bytes);
        PROVE(n <= left && z.out_left == left - n && z.at < BOUND);
        PROVE(n == 0 || (bytes >= window && bytes + n <= window + BOUND));
        left = z.out_left;
    }
    return 0;
}
