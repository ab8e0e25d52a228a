/* stale.h -- memory as a device finds it: nothing may depend on what was there before. */
#ifndef TEST_STALE_H
#define TEST_STALE_H

#include <string.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define STALE_TO_SANITIZER(p, n) __msan_poison(p, n)
#endif
#endif
#ifndef STALE_TO_SANITIZER
#define STALE_TO_SANITIZER(p, n) ((void)0)
#endif

static inline void make_stale(void *p, size_t n)
{
    memset(p, 0xA5, n);
    STALE_TO_SANITIZER(p, n); /* make msan: and reports each read of it */
}

#endif
