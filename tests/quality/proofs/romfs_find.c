/* function:  find_child (romfs_find)
 * property:  any number of children, in whatever order they seem to be: only they are looked at, and the search ends
 * bound:     16 128
 * unwind:    12
 * contracts: bytes_order:order_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: first = node + 1; -> first = node + 2;
 * break:     romfs/romfs.c: count--; -> ;
 */
#include "proof.h"

#include "../../../romfs/romfs.c"

static struct romfs_node nodes[BOUND];

int order_contract(const char *a, size_t a_len, const char *b, size_t b_len)
{
    return nondet_int();
}

int main(void)
{
    static uint8_t image[4];
    struct romfs fs = {.image = image};
    uint32_t count = nondet_u32();

    ASSUME(count <= BOUND);
    const struct romfs_node *first = nodes + (BOUND - count), *found = find_child(&fs, first, count, 1, "a", 1);
    PROVE(found == NULL || (found >= first && found < nodes + BOUND));
    return 0;
}
