/* usart.c -- see usart.h. */
#include "usart.h"

#include "board.h"
#include "board_usart.h"

#define USART_SR REGISTER(USART_BASE)
#define USART_DR REGISTER(USART_BASE + 4u)
#define USART_BRR REGISTER(USART_BASE + 8u)
#define USART_CR1 REGISTER(USART_BASE + 12u)
#define SR_RECEIVED (1u << 5)
#define SR_SENDABLE (1u << 7)
#define CR1_RX (1u << 2)
#define CR1_TX (1u << 3)
#define CR1_RX_INTERRUPT (1u << 5)
#define CR1_TX_INTERRUPT (1u << 7)
#define CR1_ON (1u << 13)

void USART_Handler(void)
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

void usart_start(void)
{
    USART_BRR = (board_hz + 115200u / 2u) / 115200u;
    USART_CR1 = CR1_ON | CR1_TX | CR1_RX | CR1_RX_INTERRUPT;
}
