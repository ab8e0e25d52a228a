/* memory.h -- memory for a table whose size an option sets: mapped once, at the start, and committed where it is used. */
#ifndef SKR_FLEET_MEMORY_H
#define SKR_FLEET_MEMORY_H

#include <stddef.h>
#include <sys/mman.h>

/* n bytes, all zero; NULL, with errno, when the system has no room. */
static inline void *fleet_memory(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

#endif
