/* cc.h -- what lwIP needs to know about compiler and machine. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>

#define LWIP_ERRNO_STDINCLUDE 1
#define LWIP_PLATFORM_ASSERT(text) abort()
#define LWIP_RAND() ((u32_t)random())

#endif
