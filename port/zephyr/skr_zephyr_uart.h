/* skr_zephyr_uart.h -- serve a UART of Zephyr, over its interrupt-driven API.
 *
 *     static struct skr_zephyr_uart line;
 *
 *     skr_zephyr_uart_serve(&line, DEVICE_DT_GET(DT_CHOSEN(zephyr_console)), &server, &conn);
 *
 * The calling thread sleeps on a semaphore until the interrupt gives it, so threads of lower priority run. Handlers run
 * on its stack. The line may carry log lines too: port/uart. */
#ifndef SKR_ZEPHYR_UART_H
#define SKR_ZEPHYR_UART_H

#include <zephyr/device.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/ring_buffer.h>

#include "../uart/uart.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes between the interrupt and the thread, to send: 128 are 11 ms at 115200 baud, longer than a thread waits for its
 * turn. */
#define SKR_ZEPHYR_UART_OUT 128

/* You provide it; only these functions change it. */
struct skr_zephyr_uart {
    const struct device *device;
    struct k_sem wake; /* given by the interrupt: bytes came or left */
    atomic_t stopped;  /* the receive interrupt is off, because `in` is full */
    struct ring_buf in, out;
    struct skr_uart line;
    uint8_t in_bytes[SKR_UART_RX_BUFFER], out_bytes[SKR_ZEPHYR_UART_OUT];
};

/* Serves the device for ever. Returns only when it cannot: -ENODEV when the UART is not ready, -ENOSYS or -ENOTSUP when
 * its driver has no interrupts. */
int skr_zephyr_uart_serve(struct skr_zephyr_uart *u, const struct device *device, struct skr_server *server,
                          struct skr_conn *conn);

#ifdef __cplusplus
}
#endif

#endif
