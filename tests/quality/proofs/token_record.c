/* function:  record_read (boards/net)
 * property:  any bytes in flash: none behind the record is read, and every grant has rights and a name that ends in its row
 * bound:     8
 * unwind:    10
 * flags:     -DSKR_PROFILE_NET
 * contracts: romfs_crc32:crc_contract
 * break:     boards/net/record.c: count > RECORD_ROWS || -> 
 * break:     boards/net/record.c: || row[ROW - 1] != '\0' -> 
 * break:     boards/net/record.c: (rights != SKR_MAY_READ && rights != SKR_MAY_OPERATE) || -> 
 */
#include "proof.h"

#include "../../../boards/net/record.c"

static uint8_t flash[HEAD + BOUND * ROW]; /* as long as a full record */

uint32_t crc_contract(uint32_t crc, const void *bytes, size_t n)
{
    PROVE(__CPROVER_r_ok(bytes, n));
    return nondet_u32();
}

int main(void)
{
    struct skr_grant grants[BOUND];
    __CPROVER_havoc_object(flash);
    size_t count = record_read(flash, grants), i = nondet_size();
    PROVE(count <= BOUND);
    if (i < count) {
        const char *row = (const char *)flash + HEAD + i * ROW;
        PROVE(grants[i].rights == SKR_MAY_READ || grants[i].rights == SKR_MAY_OPERATE);
        PROVE(grants[i].name == row + ROW_NAME && row[ROW_NAME] != '\0' && row[ROW - 1] == '\0');
    }
    return 0;
}
