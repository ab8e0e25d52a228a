#include <stddef.h>
#include <stdint.h>

typedef int esp_err_t;
typedef int uart_port_t;
typedef uint32_t TickType_t;
typedef struct QueueDefinition *QueueHandle_t;
#define UART_NUM_0 0

esp_err_t uart_driver_install(uart_port_t port, int rx_size, int tx_size, int queue_size, QueueHandle_t *queue,
                              int flags);
int uart_read_bytes(uart_port_t port, void *to, uint32_t length, TickType_t wait);
int uart_write_bytes(uart_port_t port, const void *from, size_t size);
