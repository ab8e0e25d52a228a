/* board.c -- Raspberry Pi Pico (RP2040) on a serial line: UART0 on GPIO 0 and 1. Runs from the 12 MHz crystal, without a PLL:
 * enough for one serial line, and the least to set up. */
#include "chip.h"

const char board_name[] = "rp2040-pico-uart";
const uint32_t board_hz = 12000000;

#define UNRESET_UART (1u << 22) /* UART0 */

#define CLK_PERI_CTRL REGISTER(0x40008048u)
#define PERI_ON (1u << 11)

#define FUNCTION_UART 2u

#define UART_DR REGISTER(0x40034000u)
#define UART_FR REGISTER(0x40034018u)
#define UART_IBRD REGISTER(0x40034024u)
#define UART_FBRD REGISTER(0x40034028u)
#define UART_LCR_H REGISTER(0x4003402Cu)
#define UART_CR REGISTER(0x40034030u)
#define UART_IMSC REGISTER(0x40034038u)
#define FR_RX_EMPTY (1u << 4)
#define FR_TX_FULL (1u << 5)
#define INT_RX ((1u << 4) | (1u << 6)) /* interrupts at enough bytes, or at some followed by silence */
#define INT_TX (1u << 5)
#define LCR_8_BITS_FIFO 0x70u
#define CR_ON_RX_TX 0x301u
#define UART0_IRQ 20u

static void UART0_Handler(void)
{
    while ((UART_FR & FR_RX_EMPTY) == 0 && serial_has_room()) {
        serial_received((uint8_t)UART_DR);
    }
    board_send();
}

/* Fills the FIFO, and lets it interrupt when it is half empty, unless there is nothing left. */
void board_send(void)
{
    uint8_t byte;

    while ((UART_FR & FR_TX_FULL) == 0) {
        if (!serial_next(&byte)) {
            UART_IMSC &= ~INT_TX;
            return;
        }
        UART_DR = byte;
    }
    UART_IMSC |= INT_TX;
}

void board_listen(bool on)
{
    uint32_t state = interrupts_off();

    UART_IMSC = on ? UART_IMSC | INT_RX : UART_IMSC & ~INT_RX;
    interrupts_restore(state);
}

void board_init(void)
{
    chip_start();
    CLK_PERI_CTRL = PERI_ON;
    chip_unreset(UNRESET_UART);
    chip_pin(0, FUNCTION_UART);
    chip_pin(1, FUNCTION_UART);
    UART_IBRD = 6; /* 12 MHz / (16 * 115200) = 6 + 33/64 */
    UART_FBRD = 33;
    UART_LCR_H = LCR_8_BITS_FIFO;
    UART_CR = CR_ON_RX_TX;
    UART_IMSC = INT_RX;
    NVIC_ENABLE(UART0_IRQ);
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + UART0_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + UART0_IRQ] = UART0_Handler,
};
