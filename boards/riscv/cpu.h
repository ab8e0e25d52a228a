/* cpu.h -- what boards with a RISC-V core in machine mode share: one handler for all traps. board.h includes it. */
#ifndef CPU_H
#define CPU_H

/* An instruction on a control and status register: since 2019 those are an extension, which the names of older architectures, such as
 * rv32imc, leave out. */
#define CSR(instruction) ".option push\n\t.option arch, +zicsr\n\t" instruction "\n\t.option pop"

/* From the board: serves what its interrupt controller has pending. */
void board_interrupt(void);

void clock_tick(void); /* the timer's interrupt: clock.c */

static inline uint32_t *cpu_stack_pointer(void)
{
    uint32_t *sp;

    __asm volatile("mv %0, sp" : "=r"(sp));
    return sp;
}

/* Semihosting: an operation in a0 and its argument in a1. These three instructions, none of them compressed, are the sign for it. */
static inline void cpu_ask_host(uint32_t operation, const void *argument)
{
    register uint32_t a0 __asm("a0") = operation;
    register const void *a1 __asm("a1") = argument;
    __asm volatile(".option push\n\t.option norvc\n\t.balign 16\n\t"
                   "slli x0, x0, 0x1f\n\tebreak\n\tsrai x0, x0, 7\n\t.option pop"
                   : "+r"(a0)
                   : "r"(a1)
                   : "memory");
}

#endif
