/* skr_zephyr_uart.c -- see skr_zephyr_uart.h. */
#include "skr_zephyr_uart.h"

#include <errno.h>
#include <zephyr/drivers/uart.h>

/* How often the framing looks at the clock while a host uses it: a fifth of its first wait (uart_config.h). */
#define TICK_MS 40

/* How often a handler that has asked for time is called again. */
#define WORK_MS 5

/* Each ring has one writer and one reader, which may run on different processors. An interrupt that turns itself off
 * wakes the thread afterwards, and the thread looks at the rings again: so neither direction stays off by a race. */

/* ---- The interrupt's side ---- */

/* Drops nothing when the ring is full: the interrupt stays off until the thread has taken bytes, and a UART with
 * flow control stops the sender. */
static void receive(struct skr_zephyr_uart *u)
{
    uint8_t *to;
    uint32_t room = ring_buf_put_claim(&u->in, &to, SKR_UART_RX_BUFFER);
    int n = room > 0 ? uart_fifo_read(u->device, to, (int)room) : 0;

    (void)ring_buf_put_finish(&u->in, n > 0 ? (uint32_t)n : 0);
    if (room == 0) {
        uart_irq_rx_disable(u->device);
        atomic_set(&u->stopped, 1);
    }
}

static void send(struct skr_zephyr_uart *u)
{
    uint8_t *from;
    uint32_t left = ring_buf_get_claim(&u->out, &from, SKR_ZEPHYR_UART_OUT);
    int n = left > 0 ? uart_fifo_fill(u->device, from, (int)left) : 0;

    (void)ring_buf_get_finish(&u->out, n > 0 ? (uint32_t)n : 0);
    if (left == 0) {
        uart_irq_tx_disable(u->device);
    }
}

static void on_interrupt(const struct device *device, void *context)
{
    struct skr_zephyr_uart *u = context;

    for (;;) {
        (void)uart_irq_update(device); /* without a result since Zephyr 4.4 */
        if (!uart_irq_is_pending(device)) {
            break;
        }
        if (uart_irq_rx_ready(device)) {
            receive(u);
        }
        if (uart_irq_tx_ready(device)) {
            send(u);
        }
    }
    k_sem_give(&u->wake);
}

/* ---- The thread's side ---- */

/* Passes on what has come, as far as the core takes it. True when something moved. */
static bool take(struct skr_zephyr_uart *u)
{
    uint8_t *from;
    uint32_t n = ring_buf_get_claim(&u->in, &from, SKR_UART_RX_BUFFER);
    uint32_t taken = (uint32_t)skr_uart_rx(&u->line, from, n);

    (void)ring_buf_get_finish(&u->in, taken);
    if (ring_buf_space_get(&u->in) > 0 && atomic_cas(&u->stopped, 1, 0)) {
        uart_irq_rx_enable(u->device);
    }
    return taken > 0;
}

/* Hands over what there is to send. True when something moved. */
static bool give(struct skr_zephyr_uart *u)
{
    uint8_t *to;
    uint32_t room = ring_buf_put_claim(&u->out, &to, SKR_ZEPHYR_UART_OUT);
    uint32_t given = (uint32_t)skr_uart_tx(&u->line, to, room);

    (void)ring_buf_put_finish(&u->out, given);
    if (!ring_buf_is_empty(&u->out)) {
        uart_irq_tx_enable(u->device);
    }
    return given > 0;
}

/* How long the thread may sleep when nothing moves. */
static k_timeout_t rest(struct skr_zephyr_uart *u, uint32_t now_ms)
{
    skr_uart_tick(&u->line, now_ms);
#if SKR_JOBS
    if (skr_server_tick(u->line.server, now_ms)) {
        return K_MSEC(WORK_MS);
    }
#endif
    return u->line.frame.state == SKR_FRAME_ON ? K_MSEC(TICK_MS) : K_FOREVER;
}

int skr_zephyr_uart_serve(struct skr_zephyr_uart *u, const struct device *device, struct skr_server *server,
                          struct skr_conn *conn)
{
    int error;

    if (!device_is_ready(device)) {
        return -ENODEV;
    }
    u->device = device;
    (void)k_sem_init(&u->wake, 0, 1);
    (void)atomic_set(&u->stopped, 0);
    ring_buf_init(&u->in, sizeof u->in_bytes, u->in_bytes);
    ring_buf_init(&u->out, sizeof u->out_bytes, u->out_bytes);
    skr_uart_open(&u->line, server, conn);
    error = uart_irq_callback_user_data_set(device, on_interrupt, u);
    if (error != 0) {
        return error;
    }
    uart_irq_rx_enable(device);
    for (;;) {
        k_timeout_t most = rest(u, k_uptime_get_32());
        bool moved = take(u);
        moved = give(u) || moved;
        if (!moved) {
            (void)k_sem_take(&u->wake, most);
        }
    }
}
