/* function:  romfs_release_read
 * property:  any bytes: none after the release is read, its pointers stay inside, and it does not contradict itself
 * bound:     1
 * unwind:    10
 * sources:   romfs/release.c
 * break:     romfs/release.c: out->number - 1 < ROMFS -> out->number < ROMFS
 * break:     romfs/release.c: out->size > 0 && -> 
 * break:     romfs/release.c:  && out->min_key <= out->key -> 
 * break:     romfs/release.c: .signature = bytes + ROMFS_RELEASE_SIGNED -> .signature = bytes + ROMFS_RELEASE_SIGNED + 1
 */
#include "proof.h"

#include "release.h"

static uint8_t bytes[ROMFS_RELEASE_SIZE];

int main(void)
{
    struct romfs_release r;

    __CPROVER_havoc_object(bytes);
    if (romfs_release_read(bytes, &r)) {
        PROVE(r.number > 0 && r.number <= 1000000000u && r.size > 0 && r.min_key <= r.key);
    }
    PROVE(__CPROVER_r_ok(r.product, 8) && __CPROVER_r_ok(r.interface_id, 8));
    PROVE(__CPROVER_r_ok(r.sha256, 32) && __CPROVER_r_ok(r.signature, 64));
    return 0;
}
