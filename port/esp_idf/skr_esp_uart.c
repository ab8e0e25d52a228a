/* skr_esp_uart.c -- see skr_esp_uart.h. */
#include "skr_esp_uart.h"

#include <string.h>

#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/queue.h"

/* The driver's own buffer: what a host may send to a busy device (uart_config.h), and more than the 128 bytes of the
 * FIFO, which the driver insists on. */
#define DRIVER_RX (2 * SKR_UART_RX_BUFFER)

/* Events that wait. When there are more, bytes stay in the driver's buffer, and those that wait are enough to wake
 * us. */
#define EVENTS 8

/* How often the framing looks at the clock while a host uses it: a fifth of its first wait (uart_config.h). */
#define TICK_MS 40

/* How often a handler that has asked for time is called again. */
#define WORK_MS 5

/* At least one tick: a task that waits for none starves the idle task, and its watchdog. */
static TickType_t ticks(uint32_t ms)
{
    return pdMS_TO_TICKS(ms) > 0 ? pdMS_TO_TICKS(ms) : 1;
}

/* Passes on what has come, as far as the core takes it. True when something moved. */
static bool take(struct skr_esp_uart *u)
{
    int came = uart_read_bytes(u->port, u->in + u->held, (uint32_t)(sizeof u->in - u->held), 0);

    u->held += came > 0 ? (size_t)came : 0;
    size_t taken = skr_uart_rx(&u->line, u->in, u->held);
    u->held -= taken;
    memmove(u->in, u->in + taken, u->held);
    return taken > 0;
}

/* Sends what there is; waits while the FIFO is full, because the driver has no buffer to send. True when something
 * moved. */
static bool give(struct skr_esp_uart *u)
{
    uint8_t bytes[64];
    size_t n = skr_uart_tx(&u->line, bytes, sizeof bytes);

    if (n > 0) {
        (void)uart_write_bytes(u->port, bytes, n);
    }
    return n > 0;
}

/* How long the task may sleep when nothing moves. */
static TickType_t rest(struct skr_esp_uart *u, uint32_t now_ms)
{
    skr_uart_tick(&u->line, now_ms);
#if SKR_JOBS
    if (skr_server_tick(u->line.server, now_ms)) {
        return ticks(WORK_MS);
    }
#endif
    return u->line.frame.state == SKR_FRAME_ON ? ticks(TICK_MS) : portMAX_DELAY;
}

esp_err_t skr_esp_uart_serve(struct skr_esp_uart *u, uart_port_t port, struct skr_server *server, struct skr_conn *conn)
{
    esp_err_t error = uart_driver_install(port, DRIVER_RX, 0, EVENTS, &u->events, 0);

    if (error != ESP_OK) {
        return error;
    }
    u->port = port;
    u->held = 0;
    skr_uart_open(&u->line, server, conn);
    for (;;) {
        TickType_t most = rest(u, (uint32_t)(esp_timer_get_time() / 1000));
        bool moved = take(u);
        moved = give(u) || moved;
        if (!moved) {
            uart_event_t event;
            (void)xQueueReceive(u->events, &event, most);
        }
    }
}
