/* proof.h -- what every proof here uses. A proof is the main() of a program that CBMC looks at for all values of what
 * is left open, immediately. README.md says how a proof is written. */
#ifndef SKR_PROOF_H
#define SKR_PROOF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ASSUME(condition) __CPROVER_assume(condition)
#define PROVE(condition) __CPROVER_assert(condition, #condition)

size_t nondet_size(void);
uint64_t nondet_u64(void);
uint32_t nondet_u32(void);
uint16_t nondet_u16(void);
uint8_t nondet_u8(void);
int nondet_int(void);
bool nondet_bool(void);

/* A number of bytes up to the bound that the table shows. */
static inline size_t any_length(void)
{
    size_t n = nondet_size();

    ASSUME(n <= BOUND);
    return n;
}

/* n bytes with any content that end where a block ends, so that reading or writing the byte after them is a failure. */
#define ANY_BYTES(name, n)                                                                                             \
    char name##_block[BOUND];                                                                                          \
    char *name = name##_block + (BOUND - (n))

/* CBMC has no memchr of its own. */
#ifndef NO_MEMCHR
void *memchr(const void *bytes, int c, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++) {
        if (p[i] == (unsigned char)c) {
            return (void *)(p + i);
        }
    }
    return NULL;
}
#endif

#endif
