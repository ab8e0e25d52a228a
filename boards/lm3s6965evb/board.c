/* board.c -- the LM3S6965 evaluation board, a Cortex-M3 with 256 KB of flash and 64 KB of RAM: UART 0, two lamps on
 * port F. QEMU emulates it with its real memory size. ethernet.c has the network. */
#include "board.h"

const char board_name[] = "lm3s6965evb";
const uint32_t board_hz = 50000000;

#define RIS REGISTER(0x400FE050u)
#define RCC REGISTER(0x400FE060u)
#define RCGC1 REGISTER(0x400FE104u)
#define RCGC2 REGISTER(0x400FE108u)
#define RIS_PLL_LOCKED (1u << 6)
#define RCC_BYPASS (1u << 11)
#define RCC_PLL_OFF (1u << 13)
#define RCC_CRYSTAL_8MHZ (0xEu << 6)
#define RCC_DIVIDE_BY_4 (3u << 23 | 1u << 22)
#define RCC_NO_PWM (0xFu << 17)
#define RCGC1_UART0 1u
#define RCGC2_PORT_A 1u
#define RCGC2_PORT_F (1u << 5)

#define PORT_A_FUNCTION REGISTER(0x40004420u)
#define PORT_A_DIGITAL REGISTER(0x4000451Cu)
#define PORT_F_DATA REGISTER(0x400253FCu)
#define PORT_F_OUTPUT REGISTER(0x40025400u)
#define PORT_F_DIGITAL REGISTER(0x4002551Cu)

#define UART_DATA REGISTER(0x4000C000u)
#define UART_FLAGS REGISTER(0x4000C018u)
#define UART_DIVIDER REGISTER(0x4000C024u)
#define UART_FRACTION REGISTER(0x4000C028u)
#define UART_LINE REGISTER(0x4000C02Cu)
#define UART_CONTROL REGISTER(0x4000C030u)
#define UART_INT_MASK REGISTER(0x4000C038u)
#define UART_INT_CLEAR REGISTER(0x4000C044u)
#define FLAG_RX_EMPTY (1u << 4)
#define FLAG_TX_FULL (1u << 5)
#define LINE_8_BITS_FIFO 0x70u
#define CONTROL_ON 0x301u
#define INT_RX (1u << 4)
#define INT_TX (1u << 5)
#define INT_RX_PAUSE (1u << 6)
#define UART_IRQ 5u

static const uint8_t lamp_pins[BOARD_LAMPS] = {1u << 0, 1u << 2}; /* the status lamp, and one of the network jack */

static void UART_Handler(void)
{
    UART_INT_CLEAR = INT_RX | INT_RX_PAUSE | INT_TX;
    while ((UART_FLAGS & FLAG_RX_EMPTY) == 0 && serial_has_room()) {
        serial_received((uint8_t)UART_DATA);
    }
    board_send();
}

/* Fills the transmitter's queue; it interrupts when there is room again. */
void board_send(void)
{
    uint8_t byte;

    while ((UART_FLAGS & FLAG_TX_FULL) == 0 && serial_next(&byte)) {
        UART_DATA = byte;
    }
}

/* Bytes that arrived while the interrupt was off do not raise it when it is turned on, so it is raised by hand. */
void board_listen(bool on)
{
    uint32_t state = interrupts_off();

    if (on) {
        UART_INT_MASK |= INT_RX | INT_RX_PAUSE;
        NVIC_RAISE(UART_IRQ);
    } else {
        UART_INT_MASK &= ~(INT_RX | INT_RX_PAUSE);
    }
    interrupts_restore(state);
}

void board_lamp(unsigned n, bool on)
{
    PORT_F_DATA = on ? PORT_F_DATA | lamp_pins[n] : PORT_F_DATA & ~(uint32_t)lamp_pins[n];
}

/* 50 MHz from the crystal, by the PLL. */
static void start_clock(void)
{
    uint32_t rcc = RCC_NO_PWM | RCC_DIVIDE_BY_4 | RCC_CRYSTAL_8MHZ;

    RCC = rcc | RCC_BYPASS | RCC_PLL_OFF;
    RCC = rcc | RCC_BYPASS;
    for (uint32_t tries = 0; tries < 100000u && (RIS & RIS_PLL_LOCKED) == 0; tries++) {
    }
    RCC = rcc;
}

void board_init(void)
{
    start_clock();
    RCGC1 |= RCGC1_UART0;
    RCGC2 |= RCGC2_PORT_A | RCGC2_PORT_F;
    (void)RCGC2; /* a few cycles until they run */
    PORT_A_FUNCTION |= 3u;
    PORT_A_DIGITAL |= 3u;
    PORT_F_OUTPUT |= (uint32_t)(lamp_pins[0] | lamp_pins[1]);
    PORT_F_DIGITAL |= (uint32_t)(lamp_pins[0] | lamp_pins[1]);
    board_lamp(0, false);
    board_lamp(1, false);

    const uint32_t divider = (board_hz * 4u + 115200u / 2u) / 115200u; /* in 64ths of 16 */
    UART_DIVIDER = divider >> 6;
    UART_FRACTION = divider & 63u;
    UART_LINE = LINE_8_BITS_FIFO;
    UART_CONTROL = CONTROL_ON;
    UART_INT_MASK = INT_RX | INT_RX_PAUSE | INT_TX;
    NVIC_ENABLE(UART_IRQ);
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + UART_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + UART_IRQ] = UART_Handler,
};
