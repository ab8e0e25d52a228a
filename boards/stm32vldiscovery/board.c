/* board.c -- STM32VLDISCOVERY (STM32F100RB): USART1 on PA9 and PA10, the blue and the green LED on PC8 and PC9. Runs
 * from the internal 8 MHz oscillator, the default after reset, which is good enough for 115200 baud.
 *
 * QEMU has the core, the memories and the USART, and lets writes to the rest pass; it counts
 * SysTick at 24 MHz, so a millisecond is a third of one there. */
#include "board.h"

const char board_name[] = "stm32vldiscovery";
const uint32_t board_hz = 8000000;

#define RCC_APB2ENR REGISTER(0x40021018u)
#define APB2_AFIO (1u << 0)
#define APB2_GPIOA (1u << 2)
#define APB2_GPIOC (1u << 4)
#define APB2_USART1 (1u << 14)

#define GPIOA_CRH REGISTER(0x40010804u) /* pins 8 to 15, four bits each */
#define PA9_PA10_MASK 0x00000FF0u
#define PA9_SENDS_PA10_RECEIVES 0x000004B0u /* alternate function push-pull; floating input */
#define GPIOC_CRH REGISTER(0x40011004u)
#define PC8_PC9_MASK 0x000000FFu
#define PC8_PC9_OUTPUTS 0x00000022u
#define GPIOC_BSRR REGISTER(0x40011010u) /* lower half sets pins, upper half clears them */
#define FIRST_LAMP 8u

#define USART_SR REGISTER(0x40013800u)
#define USART_DR REGISTER(0x40013804u)
#define USART_BRR REGISTER(0x40013808u)
#define USART_CR1 REGISTER(0x4001380Cu)
#define SR_RECEIVED (1u << 5)
#define SR_SENDABLE (1u << 7)
#define CR1_RX (1u << 2)
#define CR1_TX (1u << 3)
#define CR1_RX_INTERRUPT (1u << 5)
#define CR1_TX_INTERRUPT (1u << 7)
#define CR1_ON (1u << 13)
#define USART1_IRQ 37u

static void USART1_Handler(void)
{
    while ((USART_SR & SR_RECEIVED) != 0 && serial_has_room()) {
        serial_received((uint8_t)USART_DR);
    }
    board_send();
}

/* Fills the transmitter, and lets it interrupt when there is room again, unless there is nothing left. QEMU's
 * always has room and never interrupts. */
void board_send(void)
{
    uint8_t byte;
    while ((USART_SR & SR_SENDABLE) != 0) {
        if (!serial_next(&byte)) {
            USART_CR1 &= ~CR1_TX_INTERRUPT;
            return;
        }
        USART_DR = byte;
    }
    USART_CR1 |= CR1_TX_INTERRUPT;
}

void board_listen(bool on)
{
    uint32_t state = interrupts_off();
    USART_CR1 = on ? USART_CR1 | CR1_RX_INTERRUPT : USART_CR1 & ~CR1_RX_INTERRUPT;
    interrupts_restore(state);
}

void board_lamp(unsigned n, bool on)
{
    GPIOC_BSRR = 1u << (FIRST_LAMP + n + (on ? 0u : 16u));
}

void board_init(void)
{
    RCC_APB2ENR |= APB2_AFIO | APB2_GPIOA | APB2_GPIOC | APB2_USART1;
    GPIOA_CRH = (GPIOA_CRH & ~PA9_PA10_MASK) | PA9_SENDS_PA10_RECEIVES;
    GPIOC_CRH = (GPIOC_CRH & ~PC8_PC9_MASK) | PC8_PC9_OUTPUTS;
    USART_BRR = board_hz / 115200u;
    USART_CR1 = CR1_ON | CR1_TX | CR1_RX | CR1_RX_INTERRUPT;
    NVIC_ENABLE(USART1_IRQ);
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + USART1_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + USART1_IRQ] = USART1_Handler,
};
