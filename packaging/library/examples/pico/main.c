/* main.c -- the lamp on a Pico with the SDK: its line is stdio, on UART 0, or on USB by pico_enable_stdio_usb. */
#include <stdio.h>

#include "pico/stdlib.h"
#include "serve.h"

static size_t take(void *to, size_t room)
{
    size_t n = 0;
    int c;

    while (n < room && (c = getchar_timeout_us(0)) >= 0) {
        ((char *)to)[n++] = (char)c;
    }
    return n;
}

static size_t give(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        putchar_raw(((const char *)bytes)[i]);
    }
    return n;
}

int main(void)
{
    stdio_init_all();
    if (lamp_open() != 0) {
        return 1;
    }
    puts("lamp: ready");
    for (;;) {
        lamp_serve(take, give);
    }
}
