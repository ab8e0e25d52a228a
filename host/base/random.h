/* random.h -- random bytes of the system, for keys. */
#ifndef HOST_RANDOM_H
#define HOST_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/random.h>
#include <unistd.h>

/* At most 256 bytes. False when the system has none, which no system in use does once it has started. */
static inline bool host_random(void *bytes, size_t n)
{
    return getentropy(bytes, n) == 0;
}

#endif
