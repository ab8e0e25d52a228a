#ifndef ZEPHYR_RING_BUFFER_H
#define ZEPHYR_RING_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

struct ring_buf {
    uint8_t *bytes;
    uint32_t size, head, tail;
};

void ring_buf_init(struct ring_buf *buf, uint32_t size, uint8_t *data);
bool ring_buf_is_empty(const struct ring_buf *buf);
uint32_t ring_buf_space_get(const struct ring_buf *buf);
uint32_t ring_buf_put_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);
int ring_buf_put_finish(struct ring_buf *buf, uint32_t size);
uint32_t ring_buf_get_claim(struct ring_buf *buf, uint8_t **data, uint32_t size);
int ring_buf_get_finish(struct ring_buf *buf, uint32_t size);

#endif
