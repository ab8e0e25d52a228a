/* semihosting.c -- Arm semihosting for M profile: BKPT 0xAB with an operation in r0 and its argument in r1. */
#include "semihosting.h"

#define SYS_WRITE0 0x04u
#define SYS_EXIT_EXTENDED 0x20u
#define APPLICATION_EXIT 0x20026u

static void ask(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

void semihosting_exit(int status)
{
    const uint32_t block[2] = {APPLICATION_EXIT, (uint32_t)status};
    ask(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

void semihosting_say(const char *text)
{
    ask(SYS_WRITE0, text);
}

void semihosting_say_number(uint32_t value)
{
    char text[11];
    char *p = text + sizeof text - 1;
    *p = '\0';
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    semihosting_say(p);
}
