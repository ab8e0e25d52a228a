// start.cpp - calls setup and loop.
#include <Arduino.h>

#include "line.h"

Serial_ Serial;
void setup();
void loop();

void Serial_::begin(unsigned long) {}

int Serial_::available()
{
    held = held >= 0 ? held : line_get();
    return held >= 0;
}

int Serial_::read()
{
    int byte = held >= 0 ? held : line_get();
    held = -1;
    return byte;
}

size_t Serial_::write(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        line_put(bytes[i]);
    }
    return n;
}

void Serial_::print(const char *text)
{
    while (*text) {
        line_put((unsigned char)*text++);
    }
}

void Serial_::println(const char *text)
{
    print(text);
    line_put('\n');
}

int main()
{
    setup();
    for (;;) {
        loop();
    }
}
