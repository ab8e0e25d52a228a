/* reset.c -- before Reset_Handler, and back to it. */
#include "board.h"

#define AIRCR REGISTER(0xE000ED0Cu)
#define AIRCR_RESET 0x05FA0004u

void chip_reset(void)
{
    AIRCR = AIRCR_RESET;
    for (;;) {
    }
}

#ifdef __ARM_FP
#define CPACR REGISTER(0xE000ED88u)
#define CPACR_FPU (0xFu << 20)

void cpu_fpu_on(void)
{
    CPACR |= CPACR_FPU;
    __asm volatile("dsb\n\tisb" ::: "memory");
    Reset_Handler();
}
#endif
