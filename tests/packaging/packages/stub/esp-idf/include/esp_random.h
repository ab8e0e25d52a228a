#include <stddef.h>

void esp_fill_random(void *to, size_t n);
