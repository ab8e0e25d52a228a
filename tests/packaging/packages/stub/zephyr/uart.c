/* uart.c -- the console's UART is the line; its interrupt comes when the thread waits for it. */
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/ring_buffer.h>

#include "line.h"

const struct device stub_console;

static struct {
    uart_irq_callback_user_data_t call;
    void *user_data;
    bool receives, sends;
    int byte; /* that has come; -1: none */
} irq = {.byte = -1};

bool device_is_ready(const struct device *dev)
{
    return dev == &stub_console;
}

int uart_irq_callback_user_data_set(const struct device *dev, uart_irq_callback_user_data_t cb, void *user_data)
{
    (void)dev;
    irq.call = cb;
    irq.user_data = user_data;
    return 0;
}

void uart_irq_rx_enable(const struct device *dev)
{
    (void)dev;
    irq.receives = true;
}

void uart_irq_rx_disable(const struct device *dev)
{
    (void)dev;
    irq.receives = false;
}

void uart_irq_tx_enable(const struct device *dev)
{
    (void)dev;
    irq.sends = true;
}

void uart_irq_tx_disable(const struct device *dev)
{
    (void)dev;
    irq.sends = false;
}

void uart_irq_update(const struct device *dev)
{
    (void)dev;
    if (irq.receives && irq.byte < 0) {
        irq.byte = line_get();
    }
}

int uart_irq_is_pending(const struct device *dev)
{
    return uart_irq_rx_ready(dev) || uart_irq_tx_ready(dev);
}

int uart_irq_rx_ready(const struct device *dev)
{
    (void)dev;
    return irq.receives && irq.byte >= 0;
}

int uart_irq_tx_ready(const struct device *dev)
{
    (void)dev;
    return irq.sends;
}

/* A FIFO of one byte, both ways. */
int uart_fifo_read(const struct device *dev, uint8_t *to, const int size)
{
    (void)dev;
    if (size < 1 || irq.byte < 0) {
        return 0;
    }
    *to = (uint8_t)irq.byte;
    irq.byte = -1;
    return 1;
}

int uart_fifo_fill(const struct device *dev, const uint8_t *from, int size)
{
    (void)dev;
    if (size < 1) {
        return 0;
    }
    line_put(*from);
    return 1;
}

int k_sem_init(struct k_sem *sem, unsigned count, unsigned limit)
{
    sem->count = count;
    return limit == 1 ? 0 : -1;
}

void k_sem_give(struct k_sem *sem)
{
    sem->count = 1;
}

int k_sem_take(struct k_sem *sem, k_timeout_t wait)
{
    (void)wait;
    if (sem->count == 0) {
        irq.call(&stub_console, irq.user_data);
    }
    sem->count = 0;
    return 0;
}

long atomic_set(atomic_t *target, long value)
{
    long before = *target;

    *target = value;
    return before;
}

bool atomic_cas(atomic_t *target, long old, long value)
{
    bool same = *target == old;

    *target = same ? value : *target;
    return same;
}

uint32_t k_uptime_get_32(void)
{
    return 0;
}

/* ---- A ring, whose claims end where it does ---- */

void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data)
{
    *buf = (struct ring_buf){.bytes = data, .size = size};
}

bool ring_buf_is_empty(const struct ring_buf *buf)
{
    return buf->head == buf->tail;
}

uint32_t ring_buf_space_get(const struct ring_buf *buf)
{
    return buf->size - (buf->head - buf->tail);
}

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t n = a < b ? a : b;

    return n < c ? n : c;
}

uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
    uint32_t at = buf->head % buf->size;

    *data = buf->bytes + at;
    return least(size, ring_buf_space_get(buf), buf->size - at);
}

int ring_buf_put_finish(struct ring_buf *buf, uint32_t size)
{
    buf->head += size;
    return 0;
}

uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size)
{
    uint32_t at = buf->tail % buf->size;

    *data = buf->bytes + at;
    return least(size, buf->head - buf->tail, buf->size - at);
}

int ring_buf_get_finish(struct ring_buf *buf, uint32_t size)
{
    buf->tail += size;
    return 0;
}
