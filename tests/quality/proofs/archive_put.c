/* function: put_little_endian, put_octal, put_path (archive.c)
 * property: any value, at any place of a record of any length: nothing is written beside the bytes that are wanted
 * bound:    6 12
 * unwind:   14
 * sources:  romfs/unescape.c
 * break:    romfs/archive.c: if (i < sizeof z->made) { -> {
 * break:    romfs/archive.c: if (path[*i] == '\\' && *i + 1 < n) { -> if (path[*i] == '\\') {
 */
#include "proof.h"

#include "../../../romfs/archive.c"

int main(void)
{
    size_t n = any_length();

    ANY_BYTES(path, n);
    struct romfs_archive z;
    z.path = path;
    z.path_len = (uint32_t)n;
    unsigned size = nondet_u8();
    ASSUME(size <= 4);
    put_little_endian(&z, nondet_u32(), size);
    put_octal(&z, nondet_u32(), 8);
    put_path(&z, nondet_u32(), nondet_u32());
    PROVE(path_length(path, (uint32_t)n) <= n);
    return 0;
}
