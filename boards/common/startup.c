/* startup.c -- from reset to main: paint the stack, copy .data, clear .bss.
 *
 * The stack is at the start of RAM (sections.ld), so that an overflow leaves RAM and faults instead of overwriting
 * variables. The paint shows afterwards how deep it has been: tests/boards/qemu reads it out of the emulator's memory. */
#include "board.h"

#define PAINT 0xA5A5A5A5u

extern uint32_t link_stack[], link_data[], link_data_end[], link_bss[], link_bss_end[];
extern const uint32_t link_data_load[];

int main(void);

void Reset_Handler(void)
{
    uint32_t *stack_pointer = cpu_stack_pointer();

    /* volatile, or the compiler turns it into a call of memset, whose frame is in the area being painted */
    for (volatile uint32_t *p = link_stack; p < stack_pointer; p++) {
        *p = PAINT;
    }
    const uint32_t *from = link_data_load;
    for (uint32_t *to = link_data; to < link_data_end; to++) {
        *to = *from++;
    }
    for (uint32_t *p = link_bss; p < link_bss_end; p++) {
        *p = 0;
    }
    main();
    board_fault();
}

void Fault_Handler(void)
{
    board_fault();
}
