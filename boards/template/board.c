/* board.c -- a board to start from: every function that board.h wants, with a comment where your chip comes in. It compiles as it
 * is. Fill it in from the bottom up, in the order of docs/guides/board.md, and look at each result before you go on. */
#include "board.h"

const char board_name[] = "template";
const uint32_t board_hz = 8000000; /* step 3: what SysTick counts */

#define UART_IRQ 37u /* step 3: the number of the UART's interrupt */

/* Step 2: clock to the port, pin to output, pin high: a lamp. Step 3: clock to the UART, pins to their alternate function, divider
 * for 115200 baud, transmitter on. Step 4: receiver and receive interrupt on. */
void board_init(void)
{
    NVIC_ENABLE(UART_IRQ);
}

/* Step 3: while the transmitter has room, give it serial_next; when it is full, turn its interrupt on; when there is nothing left,
 * off. This takes every byte and sends none. */
void board_send(void)
{
    uint8_t byte;

    while (serial_next(&byte)) {
    }
}

/* Step 4: the receive interrupt on or off. */
void board_listen(bool on)
{
    (void)on;
}

/* Step 4: while the receiver has a byte and there is room, serial_received(byte). */
static void UART_Handler(void)
{
    board_send();
}

/* Step 6. */
void board_lamp(unsigned n, bool on)
{
    (void)n;
    (void)on;
}

/* Choose what suits your product; a connected client sees the line that says `ready` again. */
void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + UART_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + UART_IRQ] = UART_Handler,
};
