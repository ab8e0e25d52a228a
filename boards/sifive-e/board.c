/* board.c -- SiFive's FE310 as QEMU's sifive_e has it: UART 0 on pins 16 and 17, lamps on 19 (green) and 21 (blue). For QEMU, where it
 * is the board to measure RISC-V on: a fault ends the emulator. On the chip itself mtime counts 32,768 a second, the clock of the
 * UART depends on what the boot loader has set up, and pins have to be given to the UART. */
#include "board.h"

#include "semihosting.h"

const char board_name[] = "sifive-e";
const uint32_t board_hz = 10000000; /* QEMU's */
#define UART_HZ 16000000u

#define UART_TXDATA REGISTER(0x10013000u)
#define UART_RXDATA REGISTER(0x10013004u)
#define UART_TXCTRL REGISTER(0x10013008u)
#define UART_RXCTRL REGISTER(0x1001300Cu)
#define UART_IE REGISTER(0x10013010u)
#define UART_DIV REGISTER(0x10013018u)
#define FULL_OR_EMPTY (1u << 31)
#define TX_ON_INTERRUPT_BELOW_4 0x40001u
#define RX_ON_INTERRUPT_ABOVE_0 1u
#define IE_TX 1u
#define IE_RX 2u

#define PLIC_PRIORITY(irq) REGISTER(0x0C000000u + 4u * (irq))
#define PLIC_ENABLE REGISTER(0x0C002000u)
#define PLIC_THRESHOLD REGISTER(0x0C200000u)
#define PLIC_CLAIM REGISTER(0x0C200004u)
#define UART0_IRQ 3u

#define GPIO_OUTPUT_ENABLE REGISTER(0x10012008u)
#define GPIO_OUTPUT REGISTER(0x1001200Cu)

static const uint8_t lamp_pins[BOARD_LAMPS] = {19, 21};

/* Reading takes a byte out, so there must be room for it before. */
static void receive(void)
{
    while (serial_has_room()) {
        uint32_t got = UART_RXDATA;
        if ((got & FULL_OR_EMPTY) != 0) {
            return;
        }
        serial_received((uint8_t)got);
    }
}

void board_interrupt(void)
{
    uint32_t irq = PLIC_CLAIM;

    if (irq == UART0_IRQ) {
        receive();
        board_send();
    }
    PLIC_CLAIM = irq;
}

/* Fills the FIFO, and lets it interrupt when it is half empty, unless there is nothing left. */
void board_send(void)
{
    uint8_t byte;

    while ((UART_TXDATA & FULL_OR_EMPTY) == 0) {
        if (!serial_next(&byte)) {
            UART_IE &= ~IE_TX;
            return;
        }
        UART_TXDATA = byte;
    }
    UART_IE |= IE_TX;
}

void board_listen(bool on)
{
    uint32_t state = interrupts_off();

    UART_IE = on ? UART_IE | IE_RX : UART_IE & ~IE_RX;
    interrupts_restore(state);
}

/* The LEDs are between the supply and the pin: a low pin lights them. */
void board_lamp(unsigned n, bool on)
{
    uint32_t pin = 1u << lamp_pins[n];

    GPIO_OUTPUT = on ? GPIO_OUTPUT & ~pin : GPIO_OUTPUT | pin;
}

void board_init(void)
{
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        board_lamp(n, false);
        GPIO_OUTPUT_ENABLE |= 1u << lamp_pins[n];
    }
    UART_DIV = UART_HZ / 115200u - 1u;
    UART_TXCTRL = TX_ON_INTERRUPT_BELOW_4;
    UART_RXCTRL = RX_ON_INTERRUPT_ABOVE_0;
    UART_IE = IE_RX;
    PLIC_PRIORITY(UART0_IRQ) = 1;
    PLIC_ENABLE = 1u << UART0_IRQ;
    PLIC_THRESHOLD = 0;
}

void board_fault(void)
{
    semihosting_exit(124);
}
