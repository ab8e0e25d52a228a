/* board.c -- Arm MPS2, application note 385: CMSDK UART 0, the two lamps of the FPGA's I/O
 * block. Made for QEMU, where it is the board to measure on: a fault ends the emulator. */
#include "board.h"

#include "semihosting.h"

const char board_name[] = "mps2-an385";
const uint32_t board_hz = 25000000;

#define UART_DATA REGISTER(0x40004000u)
#define UART_STATE REGISTER(0x40004004u)
#define UART_CTRL REGISTER(0x40004008u)
#define UART_INTCLEAR REGISTER(0x4000400Cu)
#define UART_BAUDDIV REGISTER(0x40004010u)
#define STATE_TX_FULL 1u
#define STATE_RX_FULL 2u
#define CTRL_TX 1u
#define CTRL_RX 2u
#define CTRL_TX_INTERRUPT 4u
#define CTRL_RX_INTERRUPT 8u
#define INT_TX 1u
#define INT_RX 2u
#define RX_IRQ 0u
#define TX_IRQ 1u

#define LEDS REGISTER(0x40028000u)

static void UART_RX_Handler(void)
{
    UART_INTCLEAR = INT_RX;
    while ((UART_STATE & STATE_RX_FULL) != 0 && serial_has_room()) {
        serial_received((uint8_t)UART_DATA);
    }
}

static void UART_TX_Handler(void)
{
    UART_INTCLEAR = INT_TX;
    board_send();
}

/* The transmitter interrupts when it has become free; an idle one has to be given its first byte. */
void board_send(void)
{
    uint8_t byte;

    while ((UART_STATE & STATE_TX_FULL) == 0 && serial_next(&byte)) {
        UART_DATA = byte;
    }
}

/* A byte that arrived while the interrupt was off does not raise it when it is turned on, so this does. */
void board_listen(bool on)
{
    uint32_t state = interrupts_off();

    if (on) {
        UART_CTRL |= CTRL_RX_INTERRUPT;
        NVIC_RAISE(RX_IRQ);
    } else {
        UART_CTRL &= ~CTRL_RX_INTERRUPT;
    }
    interrupts_restore(state);
}

void board_lamp(unsigned n, bool on)
{
    LEDS = on ? LEDS | 1u << n : LEDS & ~(1u << n);
}

void board_init(void)
{
    LEDS = 0;
    UART_BAUDDIV = board_hz / 115200u;
    UART_CTRL = CTRL_TX | CTRL_RX | CTRL_TX_INTERRUPT | CTRL_RX_INTERRUPT;
    /* QEMU delivers earlier bytes only after a read; nothing can be lost here. */
    (void)UART_DATA;
    NVIC_ENABLE(RX_IRQ);
    NVIC_ENABLE(TX_IRQ);
}

void board_fault(void)
{
    semihosting_exit(124);
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + 2] = {
    SYSTEM_VECTORS,
    [16 + RX_IRQ] = UART_RX_Handler,
    [16 + TX_IRQ] = UART_TX_Handler,
};
