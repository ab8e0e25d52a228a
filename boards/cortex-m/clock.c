/* clock.c -- milliseconds from SysTick, and sleeping until something happens. */
#include "board.h"

#define SYST_CSR REGISTER(0xE000E010u)
#define SYST_RVR REGISTER(0xE000E014u)
#define SYST_CVR REGISTER(0xE000E018u)
#define SYST_ON 7u /* count the processor's clock, with interrupt */

static volatile uint32_t now_ms;

void clock_init(void)
{
    SYST_RVR = board_hz / 1000u - 1u;
    SYST_CVR = 0;
    SYST_CSR = SYST_ON;
}

void SysTick_Handler(void)
{
    now_ms++;
    lamp_tick();
}

uint32_t clock_ms(void)
{
    return now_ms;
}

uint32_t clock_cycles(void)
{
    return SYST_CVR;
}

uint32_t interrupts_off(void)
{
    uint32_t masked;

    __asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(masked)::"memory");
    return masked;
}

void interrupts_restore(uint32_t masked)
{
    __asm volatile("msr primask, %0" ::"r"(masked) : "memory");
}

/* With interrupts off WFI still returns when one is pending; it is served right after. */
void clock_sleep(uint32_t seen)
{
    uint32_t state = interrupts_off();

    if (serial_events() == seen) {
        __asm volatile("dsb\n\twfi" ::: "memory");
    }
    interrupts_restore(state);
}
