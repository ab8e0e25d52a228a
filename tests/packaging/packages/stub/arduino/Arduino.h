/* Arduino.h -- Serial is the line. */
#include <stddef.h>
#include <stdint.h>

class Serial_
{
  public:
    void begin(unsigned long baud);
    int available();
    int read();
    size_t write(const uint8_t *bytes, size_t n);

  private:
    int held = -1; /* a byte that available() has seen */
};
extern Serial_ Serial;
