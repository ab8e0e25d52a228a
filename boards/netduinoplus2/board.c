/* board.c -- Netduino Plus 2 (STM32F405RG): USART6 on PC6, which sends, and PC7, the board's pins D1 and D0; lamps on PA10, the LED of
 * the board, and on PC8, where you may connect a second one. Runs from the internal 16 MHz oscillator, the default after reset, which
 * is good enough for 115200 baud.
 *
 * QEMU has the core, the memories and the USARTs, and lets writes to the rest pass; it counts SysTick at 168 MHz, so a
 * millisecond is a tenth of one there. */
#include "board.h"

#include "../stm32/usart.h"

const char board_name[] = "netduinoplus2";
const uint32_t board_hz = 16000000;

#define RCC_AHB1ENR REGISTER(0x40023830u)
#define AHB1_GPIOA (1u << 0)
#define AHB1_GPIOC (1u << 2)
#define RCC_APB2ENR REGISTER(0x40023844u)
#define APB2_USART6 (1u << 5)

/* Two bits a pin: its mode; four bits a pin of the lower eight: its alternate function. */
#define GPIOA 0x40020000u
#define GPIOC 0x40020800u
#define GPIO_MODER(port) REGISTER(port)
#define GPIO_BSRR(port) REGISTER((port) + 0x18u) /* lower half sets pins, upper half clears them */
#define GPIO_AFRL(port) REGISTER((port) + 0x20u)
#define OUTPUT 1u
#define ALTERNATE 2u
#define PC6_PC7_USART6 0x88000000u

#define USART6_IRQ 71u

static const struct {
    uint32_t port;
    uint8_t pin;
} lamps[BOARD_LAMPS] = {{GPIOA, 10}, {GPIOC, 8}};

void board_lamp(unsigned n, bool on)
{
    GPIO_BSRR(lamps[n].port) = 1u << (lamps[n].pin + (on ? 0u : 16u));
}

static void set_mode(uint32_t port, unsigned pin, uint32_t mode)
{
    GPIO_MODER(port) = (GPIO_MODER(port) & ~(3u << 2 * pin)) | mode << 2 * pin;
}

void board_init(void)
{
    RCC_AHB1ENR |= AHB1_GPIOA | AHB1_GPIOC;
    RCC_APB2ENR |= APB2_USART6;
    GPIO_AFRL(GPIOC) |= PC6_PC7_USART6;
    set_mode(GPIOC, 6, ALTERNATE);
    set_mode(GPIOC, 7, ALTERNATE);
    for (unsigned n = 0; n < BOARD_LAMPS; n++) {
        set_mode(lamps[n].port, lamps[n].pin, OUTPUT);
    }
    usart_start();
    NVIC_ENABLE(USART6_IRQ);
}

void board_fault(void)
{
    chip_reset();
}

__attribute__((section(".vectors"), used)) static const vector vectors[16 + USART6_IRQ + 1] = {
    SYSTEM_VECTORS,
    [16 + USART6_IRQ] = USART_Handler,
};
