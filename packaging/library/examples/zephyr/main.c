/* main.c -- the lamp on Zephyr: its line is the UART that the board has for its console. */
#include <zephyr/device.h>
#include <zephyr/drivers/uart.h>
#include <zephyr/kernel.h>

#include "serve.h"

static const struct device *const line = DEVICE_DT_GET(DT_CHOSEN(zephyr_console));

static size_t take(void *to, size_t room)
{
    unsigned char *bytes = to;
    size_t n = 0;

    while (n < room && uart_poll_in(line, &bytes[n]) == 0) {
        n++;
    }
    return n;
}

static size_t give(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uart_poll_out(line, ((const unsigned char *)bytes)[i]);
    }
    return n;
}

int main(void)
{
    if (lamp_open() != 0) {
        return 1;
    }
    for (;;) {
        if (lamp_serve(take, give) == 0) {
            k_yield();
        }
    }
}
