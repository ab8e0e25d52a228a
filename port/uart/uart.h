/* uart.h -- MCP on a serial line that is shared with log lines and may be noisy.
 *
 * Sits between a UART and a connection of the core. It starts in plain mode: one message per line, and lines that are
 * not messages are ignored. A host that wants more sends a hello, and then everything travels in frames until the
 * host leaves or the device is reset; README.md has the rules. Firmware without this file speaks plain lines with the
 * core alone.
 *
 *     static struct skr_uart uart;
 *
 *     skr_uart_open(&uart, &server, &conn);
 *     for (;;) {
 *         n = skr_uart_rx(&uart, ring.bytes, ring.fill);    then drop n from the ring
 *         n = skr_uart_tx(&uart, fifo, sizeof fifo);        then send n
 *         skr_uart_tick(&uart, board_ms());
 *         skr_server_tick(&server, board_ms());
 *     }
 */
#ifndef SKR_UART_H
#define SKR_UART_H

#include "frame.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* You provide it; only these functions change it. */
struct skr_uart {
    struct skr_server *server;
    struct skr_conn *conn;
    uint8_t line;       /* enum uart_line: in plain mode, what the current line is */
    bool response_open; /* in plain mode, a response is partly out */
    struct skr_frame frame;
    uint8_t rx[SKR_UART_RX_FRAME];
    uint8_t tx[SKR_UART_TX_WINDOW];
};

/* Opens conn on server, in plain mode. */
#define skr_uart_open SKR_CONFIGURED(skr_uart_open) /* skr_layout.h */
void skr_uart_open(struct skr_uart *u, struct skr_server *server, struct skr_conn *conn);

/* Takes up to n received bytes and returns how many: fewer when the core has to answer
 * first, which happens in plain mode only. */
size_t skr_uart_rx(struct skr_uart *u, const uint8_t *bytes, size_t n);

/* Writes up to `room` bytes to send to `to` and returns how many. They count as sent. */
size_t skr_uart_tx(struct skr_uart *u, uint8_t *to, size_t room);

/* Passes the time in milliseconds; the clock may wrap around. Call it in every turn of the main loop. */
void skr_uart_tick(struct skr_uart *u, uint32_t now_ms);

/* True when the firmware may print a complete line of its own on the UART: neither a response nor a frame is partly
 * sent. */
bool skr_uart_may_print(const struct skr_uart *u);

/* The device's identity: 16 bytes that change when the image, tools or firmware resources change (README.md,
 * "Identity"). */
void skr_uart_identity(const struct skr_server *server, uint8_t identity[SKR_FRAME_IDENTITY]);

#ifdef __cplusplus
}
#endif

#endif
