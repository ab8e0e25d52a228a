/* usart.h -- the USART of the STM32F1 and STM32F4 as the serial line: board_send and board_listen of board.h, and what a board does with
 * it. The board's own board_usart.h says where it is: USART_BASE. The board also sets up its clock, pins and interrupt. */
#ifndef STM32_USART_H
#define STM32_USART_H

/* On, at 115200 baud, when its clock is board_hz, with the receive interrupt. */
void usart_start(void);

/* Belongs into the vector table. */
void USART_Handler(void);

#endif
