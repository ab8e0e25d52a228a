#include <stddef.h>
#include <stdint.h>

#include "esp_err.h"
#include "freertos/FreeRTOS.h"
#include "freertos/queue.h"

typedef int uart_port_t;
typedef struct {
    int type;
    size_t size;
} uart_event_t;
#define UART_NUM_0 0

esp_err_t uart_driver_install(uart_port_t port, int rx_size, int tx_size, int queue_size, QueueHandle_t *queue,
                              int flags);
int uart_read_bytes(uart_port_t port, void *to, uint32_t length, TickType_t wait);
int uart_write_bytes(uart_port_t port, const void *from, size_t size);
