/* function: romfs_path_order
 * property: any two paths: only they are read; one path is before, at or after the other
 * bound:    3 6
 * unwind:   2 + BOUND
 * sources:  romfs/crc32.c
 * break:    romfs/romfs.c: while (n > 0 && path[n - 1] != '/') { -> while (path[n - 1] != '/') {
 * break:    romfs/romfs.c: size_t n = a_len < b_len ? a_len : b_len; -> size_t n = a_len;
 */
#include "proof.h"

#include "../../../romfs/romfs.c"

int main(void)
{
    size_t n = any_length(), m = any_length();

    ANY_BYTES(a, n);
    ANY_BYTES(b, m);
    int order = romfs_path_order(a, n, b, m);
    PROVE(n != 0 || m == 0 || order <= 0);
    return 0;
}
