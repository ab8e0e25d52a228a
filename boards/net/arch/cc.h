/* cc.h -- what lwIP needs to know about compiler and machine. lwIP includes it as arch/cc.h. */
#ifndef ARCH_CC_H
#define ARCH_CC_H

#include <stddef.h>
#include <stdint.h>

#define LWIP_NO_INTTYPES_H 1
#define LWIP_NO_CTYPE_H 1
#define LWIP_NO_UNISTD_H 1
#define X8_F "02x"
#define U16_F "u"
#define S16_F "d"
#define X16_F "x"
#define U32_F "lu"
#define S32_F "ld"
#define X32_F "lx"
#define SZT_F "u"

void board_fault(void) __attribute__((noreturn));
uint32_t entropy_word(void);

#define LWIP_PLATFORM_DIAG(text)
#define LWIP_PLATFORM_ASSERT(text) board_fault()
#define LWIP_RAND() entropy_word()

#endif
