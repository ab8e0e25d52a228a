// lamp.ino - the lamp on Arduino: its line is Serial. skills.c, skills.h and tools.h are what
// `skillrom pack device --emit-c skills.c --header tools.h` writes.
#include <skillrom.h>

#include "serve.h"

static size_t take(void *to, size_t room)
{
    size_t n = 0;
    while (n < room && Serial.available() > 0) {
        ((uint8_t *)to)[n++] = (uint8_t)Serial.read();
    }
    return n;
}

static size_t give(const void *bytes, size_t n)
{
    return Serial.write((const uint8_t *)bytes, n);
}

void setup()
{
    Serial.begin(115200);
    while (lamp_open() != 0) {
    }
}

void loop()
{
    lamp_serve(take, give);
}
