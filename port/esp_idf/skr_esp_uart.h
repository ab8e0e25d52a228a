/* skr_esp_uart.h -- serve a UART of ESP-IDF, over its driver's event queue.
 *
 *     static struct skr_esp_uart line;
 *
 *     skr_esp_uart_serve(&line, UART_NUM_0, &server, &conn);
 *
 * The calling task sleeps until the driver has an event. Handlers run on its stack. The line may carry log lines too:
 * port/uart. */
#ifndef SKR_ESP_UART_H
#define SKR_ESP_UART_H

#include "../uart/uart.h"
#include "driver/uart.h"
#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* You provide it; only these functions change it. */
struct skr_esp_uart {
    QueueHandle_t events;
    uart_port_t port;
    struct skr_uart line;
    size_t held; /* of `in`: bytes that the core has not taken yet */
    uint8_t in[SKR_UART_RX_BUFFER];
};

/* Installs the driver and serves for ever. Returns only when the driver cannot be installed. Set baud rate and pins
 * before or after with uart_param_config and uart_set_pin; the console's UART needs neither. */
esp_err_t skr_esp_uart_serve(struct skr_esp_uart *u, uart_port_t port, struct skr_server *server,
                             struct skr_conn *conn);

#ifdef __cplusplus
}
#endif

#endif
