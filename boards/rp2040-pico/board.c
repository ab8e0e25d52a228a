/* board.c -- Raspberry Pi Pico (RP2040): UART0 on GPIO 0 and 1, the LED of the board (GPIO 25) and
 * a second one that you may connect to GPIO 15. Runs from the 12 MHz crystal, without a PLL:
 * enough for one serial line, and the least to set up. */
#include "board.h"

const char board_name[] = "rp2040-pico";
const uint32_t board_hz = 12000000;

#define CLEAR 0x3000u /* writing to a register's address plus this clears bits of it */

#define RESETS_RESET 0x4000C000u
#define RESETS_DONE REGISTER(0x4000C008u)
#define UNRESET ((1u << 5) | (1u << 8) | (1u << 22)) /* IO_BANK0, PADS_BANK0, UART0 */

#define XOSC_CTRL REGISTER(0x40024000u)
#define XOSC_STATUS REGISTER(0x40024004u)
#define XOSC_STARTUP REGISTER(0x4002400Cu)
#define XOSC_ON 0x00FABAA0u /* enable, 1 to 15 MHz */
#define XOSC_STABLE (1u << 31)
#define XOSC_1_MS 47u /* in units of 256 periods */

#define CLK_REF_CTRL REGISTER(0x40008030u)
#define CLK_REF_SELECTED REGISTER(0x40008038u)
#define CLK_SYS_CTRL REGISTER(0x4000803Cu)
#define CLK_SYS_SELECTED REGISTER(0x40008044u)
#define CLK_PERI_CTRL REGISTER(0x40008048u)
#define REF_FROM_XOSC 2u
#define PERI_ON (1u << 11)

#define GPIO_CTRL(pin) REGISTER(0x40014004u + 8u * (pin))
#define FUNCTION_UART 2u
#define FUNCTION_SIO 5u
#define SIO_OUT_SET REGISTER(0xD0000014u)
#define SIO_OUT_CLEAR REGISTER(0xD0000018u)
#define SIO_OUTPUT_SET REGISTER(0xD0000024u)

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

static const uint8_t lamp_pins[BOARD_LAMPS] = {25, 15};

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

void board_lamp(unsigned n, bool on)
{
    *(on ? &SIO_OUT_SET : &SIO_OUT_CLEAR) = 1u << lamp_pins[n];
}

static void start_clocks(void)
{
    XOSC_STARTUP = XOSC_1_MS;
    XOSC_CTRL = XOSC_ON;
    while ((XOSC_STATUS & XOSC_STABLE) == 0) {
    }
    CLK_REF_CTRL = REF_FROM_XOSC;
    while ((CLK_REF_SELECTED & 1u << REF_FROM_XOSC) == 0) {
    }
    CLK_SYS_CTRL = 0; /* from the reference clock */
    while ((CLK_SYS_SELECTED & 1u) == 0) {
    }
    CLK_PERI_CTRL = PERI_ON;
}

void board_init(void)
{
    start_clocks();
    REGISTER(RESETS_RESET + CLEAR) = UNRESET;
    while ((RESETS_DONE & UNRESET) != UNRESET) {
    }
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        SIO_OUTPUT_SET = 1u << lamp_pins[n];
        GPIO_CTRL(lamp_pins[n]) = FUNCTION_SIO;
    }
    GPIO_CTRL(0) = FUNCTION_UART;
    GPIO_CTRL(1) = FUNCTION_UART;
    UART_IBRD = 6; /* 12 MHz / (16 * 115200) = 6 + 33/64 */
    UART_FBRD = 33;
    UART_LCR_H = LCR_8_BITS_FIFO;
    UART_CR = CR_ON_RX_TX;
    UART_IMSC = INT_RX;
    NVIC_ENABLE(UART0_IRQ);
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + UART0_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + UART0_IRQ] = UART0_Handler,
};
