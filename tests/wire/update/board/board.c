/* board.c -- BBC micro:bit (nRF51822) as QEMU has it: its serial line, and its flash, which keeps its content over a reset. */
#include "board.h"

const char board_name[] = "microbit";
const uint32_t board_hz = 16000000;

#define UART(offset) REGISTER(0x40002000u + (offset))
#define UART_START_RX UART(0x000u)
#define UART_START_TX UART(0x008u)
#define UART_RECEIVED UART(0x108u)
#define UART_SENT UART(0x11Cu)
#define UART_INTERRUPTS_ON UART(0x304u)
#define UART_INTERRUPTS_OFF UART(0x308u)
#define UART_ENABLE UART(0x500u)
#define UART_PIN_TX UART(0x50Cu)
#define UART_PIN_RX UART(0x514u)
#define UART_RX UART(0x518u)
#define UART_TX UART(0x51Cu)
#define UART_BAUD UART(0x524u)
#define ON_RECEIVED (1u << 2)
#define ON_SENT (1u << 7)
#define ENABLED 4u
#define BAUD_115200 0x01D7E000u
#define UART_IRQ 2u

static volatile bool sending;

void board_init(void)
{
    UART_PIN_TX = 24;
    UART_PIN_RX = 25;
    UART_BAUD = BAUD_115200;
    UART_ENABLE = ENABLED;
    UART_START_RX = 1;
    UART_START_TX = 1;
    UART_INTERRUPTS_ON = ON_RECEIVED | ON_SENT;
    NVIC_ENABLE(UART_IRQ);
}

void board_listen(bool on)
{
    if (on) {
        UART_INTERRUPTS_ON = ON_RECEIVED;
    } else {
        UART_INTERRUPTS_OFF = ON_RECEIVED;
    }
}

void board_send(void)
{
    uint8_t byte;

    if (!sending && serial_next(&byte)) {
        sending = true;
        UART_TX = byte;
    }
}

static void UART_Handler(void)
{
    uint8_t byte;

    if (UART_RECEIVED != 0 && serial_has_room()) {
        UART_RECEIVED = 0;
        serial_received((uint8_t)UART_RX);
    }
    if (UART_SENT != 0) {
        UART_SENT = 0;
        sending = serial_next(&byte);
        if (sending) {
            UART_TX = byte;
        }
    }
}

void board_lamp(unsigned n, bool on)
{
    (void)n;
    (void)on;
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + UART_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + UART_IRQ] = UART_Handler,
};
