/* function:  skr_access_record (port/access)
 * property:  any bytes in flash: none after the record is read, and every grant has rights and a name that ends in its row
 * bound:     8
 * unwind:    10
 * flags:     -DSKR_PROFILE_NET
 * contracts: romfs_crc32:crc_contract
 * break:     port/access/record.c: count > SKR_ACCESS_ROWS || -> 
 * break:     port/access/record.c: row[SKR_ACCESS_ROW - 1] != '\0' -> false
 * break:     port/access/record.c: (rights != SKR_MAY_READ && rights != SKR_MAY_OPERATE) || -> 
 */
#include "proof.h"

#include "../../../port/access/record.c"

static uint8_t flash[SKR_ACCESS_HEAD + (BOUND + 1) * SKR_ACCESS_ROW]; /* longer than a full record */

uint32_t crc_contract(uint32_t crc, const void *bytes, size_t n)
{
    PROVE(__CPROVER_r_ok(bytes, n));
    return nondet_u32();
}

int main(void)
{
    struct skr_grant grants[BOUND];

    __CPROVER_havoc_object(flash);
    size_t count = skr_access_record(flash, sizeof flash, grants), i = nondet_size();
    PROVE(count <= BOUND);
    if (i < count) {
        const char *row = (const char *)flash + SKR_ACCESS_HEAD + i * SKR_ACCESS_ROW;
        PROVE(grants[i].rights == SKR_MAY_READ || grants[i].rights == SKR_MAY_OPERATE);
        PROVE(grants[i].name == row + SKR_ACCESS_NAME && row[SKR_ACCESS_NAME] != '\0' &&
              row[SKR_ACCESS_ROW - 1] == '\0');
    }
    return 0;
}
