/* cpu.h -- what every Cortex-M has: the first vectors, the interrupt controller, a way to restart. board.h includes it. */
#ifndef CPU_H
#define CPU_H

void SysTick_Handler(void);

/* Restarts, which is what most boards do about a fault. A connected client sees the start line again. */
void chip_reset(void) __attribute__((noreturn));

typedef void (*vector)(void);

/* The first sixteen vectors of every table. */
#define SYSTEM_VECTORS                                                                                                 \
    (vector)(uintptr_t) link_stack_top, CPU_ENTRY, Fault_Handler, Fault_Handler, Fault_Handler, Fault_Handler,         \
        Fault_Handler, 0, 0, 0, 0, Fault_Handler, Fault_Handler, 0, Fault_Handler, SysTick_Handler

/* Lets an interrupt through; raises it by hand. */
#define NVIC_ENABLE(irq) REGISTER(0xE000E100u + 4u * ((irq) / 32u)) = 1u << ((irq) % 32u)
#define NVIC_RAISE(irq) REGISTER(0xE000E200u + 4u * ((irq) / 32u)) = 1u << ((irq) % 32u)

/* Where a reset leads. The compiler may use a floating-point unit anywhere, also before main, and it is off after reset. */
#ifdef __ARM_FP
void cpu_fpu_on(void) __attribute__((noreturn));
#define CPU_ENTRY cpu_fpu_on
#else
#define CPU_ENTRY Reset_Handler
#endif

static inline uint32_t *cpu_stack_pointer(void)
{
    uint32_t *sp;

    __asm volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

/* Semihosting: an operation in r0 and its argument in r1. */
static inline void cpu_ask_host(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm("r0") = operation;
    register const void *r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
}

#endif
