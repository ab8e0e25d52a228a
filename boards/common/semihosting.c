/* semihosting.c -- see semihosting.h. The instruction that reaches the emulator is the processor's: cpu.h. */
#include "semihosting.h"

#include "board.h"

#define SYS_WRITE0 0x04u
#define SYS_EXIT_EXTENDED 0x20u
#define APPLICATION_EXIT 0x20026u

void semihosting_exit(int status)
{
    const uint32_t block[2] = {APPLICATION_EXIT, (uint32_t)status};

    cpu_ask_host(SYS_EXIT_EXTENDED, block);
    for (;;) {
    }
}

void semihosting_print(const char *text)
{
    cpu_ask_host(SYS_WRITE0, text);
}

void semihosting_print_number(uint32_t value)
{
    char text[11];
    char *p = text + sizeof text - 1;

    *p = '\0';
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    semihosting_print(p);
}
