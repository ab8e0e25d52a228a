/* function:  skr_state_record_read (port/update)
 * property:  any bytes in flash: none after the record is read, and a record that is taken names slot 0 or 1
 * bound:     1
 * unwind:    10
 * flags:     -Iport/update
 * contracts: romfs_crc32:crc_contract
 * break:     port/update/update_record.c: out->force < 2 && -> 
 * break:     port/update/update_record.c: < 0x7FFFFFFFu -> <= 0x7FFFFFFFu
 */
#include "proof.h"

#include "../../../port/update/update_record.c"

static uint8_t flash[SKR_STATE_RECORD_SIZE];

uint32_t crc_contract(uint32_t crc, const void *bytes, size_t n)
{
    PROVE(__CPROVER_r_ok(bytes, n));
    return nondet_u32();
}

int main(void)
{
    struct skr_state_record r;

    __CPROVER_havoc_object(flash);
    if (skr_state_record_read(flash, &r)) {
        PROVE(r.force < 2);
        PROVE(flash[0] == 'S' && flash[3] == 'J');
    }
    uint32_t a = nondet_u32(), b = nondet_u32(); /* of two records at most one is newer */
    PROVE(!(skr_state_record_is_ahead(a, b) && skr_state_record_is_ahead(b, a)));
    PROVE(!skr_state_record_is_ahead(a, a) && skr_state_record_is_ahead(skr_state_record_after(a), a));
    return 0;
}
