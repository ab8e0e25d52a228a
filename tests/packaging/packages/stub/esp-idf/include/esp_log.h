#include <stdio.h>

#define ESP_LOGE(tag, ...) (fprintf(stderr, tag ": " __VA_ARGS__), fputc('\n', stderr))
