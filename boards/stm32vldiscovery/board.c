/* board.c -- STM32VLDISCOVERY (STM32F100RB): USART1 on PA9 and PA10, the blue and the green LED on PC8 and PC9. Runs
 * from the internal 8 MHz oscillator, the default after reset, which is good enough for 115200 baud.
 *
 * QEMU has the core, the memories and the USART, and lets writes to the rest pass; it counts
 * SysTick at 24 MHz, so a millisecond is a third of one there. */
#include "board.h"

#include "../stm32/usart.h"

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

#define USART1_IRQ 37u

void board_lamp(unsigned n, bool on)
{
    GPIOC_BSRR = 1u << (FIRST_LAMP + n + (on ? 0u : 16u));
}

void board_init(void)
{
    RCC_APB2ENR |= APB2_AFIO | APB2_GPIOA | APB2_GPIOC | APB2_USART1;
    GPIOA_CRH = (GPIOA_CRH & ~PA9_PA10_MASK) | PA9_SENDS_PA10_RECEIVES;
    GPIOC_CRH = (GPIOC_CRH & ~PC8_PC9_MASK) | PC8_PC9_OUTPUTS;
    usart_start();
    NVIC_ENABLE(USART1_IRQ);
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + USART1_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + USART1_IRQ] = USART_Handler,
};
