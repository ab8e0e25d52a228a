/* trap.c -- from reset to Reset_Handler, and all that interrupts: timer, devices, faults. */
#include "board.h"

#define TIMER_INTERRUPT 0x80000007u
#define DEVICE_INTERRUPT 0x8000000Bu

void Trap_Handler(void);

/* First in flash, where the processor starts. gp lets the linker address small data in one instruction; it must not do so here. */
__attribute__((naked, section(".vectors"), used)) static void enter(void)
{
    __asm volatile(".option push\n\t.option norelax\n\t"
                   "la gp, __global_pointer$\n\t"
                   ".option pop\n\t"
                   "la sp, link_stack_top\n\t"
                   "la t0, Trap_Handler\n\t" CSR("csrw mtvec, t0") "\n\t"
                                                                   "tail Reset_Handler");
}

/* mtvec has the mode in its lowest two bits. */
__attribute__((interrupt("machine"), aligned(4))) void Trap_Handler(void)
{
    uint32_t cause;

    __asm volatile(CSR("csrr %0, mcause") : "=r"(cause));
    if (cause == TIMER_INTERRUPT) {
        clock_tick();
    } else if (cause == DEVICE_INTERRUPT) {
        board_interrupt();
    } else {
        Fault_Handler();
    }
}
