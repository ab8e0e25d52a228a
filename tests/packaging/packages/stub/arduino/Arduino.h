/* Arduino.h -- Serial is the line. */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>

class Serial_
{
  public:
    void begin(unsigned long baud);
    int available();
    int read();
    size_t write(const uint8_t *bytes, size_t n);
    void print(const char *text);
    void println(const char *text);

  private:
    int held = -1; /* a byte that available() has seen */
};
extern Serial_ Serial;

unsigned long millis();
void delay(unsigned long ms);
uint32_t esp_random();

#endif
