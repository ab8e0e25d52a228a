/* board_usart.h -- which USART is the serial line, for ../stm32/usart.c: USART1. */

#define USART_BASE 0x40013800u
