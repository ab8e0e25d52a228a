/* main.c -- the lamp on an ESP32: its line is UART 0, which the console leaves to it (sdkconfig.defaults). */
#include "driver/uart.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "serve.h"

static size_t take(void *to, size_t room)
{
    int n = uart_read_bytes(UART_NUM_0, to, (uint32_t)room, 0);

    return n > 0 ? (size_t)n : 0;
}

static size_t give(const void *bytes, size_t n)
{
    int sent = uart_write_bytes(UART_NUM_0, bytes, n);

    return sent > 0 ? (size_t)sent : 0;
}

void app_main(void)
{
    uart_driver_install(UART_NUM_0, 1024, 0, 0, NULL, 0);
    if (lamp_open() != 0) {
        return;
    }
    for (;;) {
        if (lamp_serve(take, give) == 0) {
            vTaskDelay(1);
        }
    }
}
