/* function:  romfs_sha256_add
 * property:  any bytes in any state: only they are read, nothing beside the block is written, and each is counted
 * bound:     4 9
 * unwind:    2 + BOUND
 * contracts: take_block:block_contract
 * break:     romfs/sha256.c: s->block[s->length++ % sizeof s->block] = *p++; -> s->block[s->length++ % (1 + sizeof s->block)] = *p++;
 * break:     romfs/sha256.c: while (n-- > 0) { -> while (n-- > 1) {
 */
#include "proof.h"

#include "../../../romfs/sha256.c"

/* Loops of fixed length over fixed arrays. */
void block_contract(uint32_t state[8], const uint8_t *block)
{
    PROVE(__CPROVER_w_ok(state, 8 * sizeof *state) && __CPROVER_r_ok(block, 64));
}

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(text, n);
    struct romfs_sha256 s;
    ASSUME(s.length < UINT32_MAX - BOUND);
    uint32_t length = s.length;
    romfs_sha256_add(&s, text, n);
    PROVE(s.length == length + n);
    return 0;
}
