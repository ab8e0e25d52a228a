/* function:  check_header (romfs_mount)
 * property:  any header of an image of any length: nothing is read outside of it, and what passes is as long as it says
 * bound:     1
 * unwind:    12
 * contracts: romfs_crc32:crc_contract check_table:table_contract
 * sources:   romfs/crc32.c
 * break:     romfs/romfs.c: h->meta_size > h->size || h->meta_size < sizeof *h -> h->meta_size > h->size
 * break:     romfs/romfs.c: if (h->size > n || h->meta_size -> if (h->meta_size
 * break:     romfs/romfs.c: (window & (window - 1u)) == 0 -> true
 */
#include "proof.h"

#include "../../../romfs/romfs.c"

static struct romfs_header header;
static size_t length; /* of the image that begins with it */

uint32_t crc_contract(uint32_t crc, const void *bytes, size_t n)
{
    size_t from = (size_t)((const uint8_t *)bytes - (const uint8_t *)&header);

    PROVE(from < sizeof header && from <= length && n <= length - from);
    return nondet_u32();
}

/* romfs_mount.c shows what it does with the table. */
int table_contract(const struct romfs_header *h, const struct romfs_table *table, const struct record *r)
{
    PROVE(__CPROVER_r_ok(table, sizeof *table) && (const uint8_t *)table < (const uint8_t *)&h->base &&
          r < records + TABLES);
    return nondet_int();
}

int main(void)
{
    struct romfs_header any, *h = &header;

    header = any;
    length = nondet_size();
    ASSUME(length >= sizeof header);
    size_t n = length;
    if (check_header(h, n) == ROMFS_OK) {
        PROVE(h->size <= n && h->meta_size <= h->size && h->meta_size >= sizeof *h);
        PROVE(h->nodes.count > 0 && h->listed <= h->skills.count);
        PROVE(h->base.off <= h->meta_size && h->base.len <= h->meta_size - h->base.off);
        PROVE(h->skill_tools[1].off <= h->meta_size && h->skill_tools[1].len <= h->meta_size - h->skill_tools[1].off);
        PROVE(h->window == 0 || (h->window & (h->window - 1)) == 0);
    }
    return 0;
}
