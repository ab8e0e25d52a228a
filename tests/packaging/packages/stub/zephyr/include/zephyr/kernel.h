/* kernel.h -- what skr_zephyr_uart.c and skr_zephyr_http.c use of Zephyr's kernel. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUILD_ASSERT(true_here, why) _Static_assert(true_here, why)
/* 1 for a symbol that is defined as 1, and 0 for one that is not defined. */
#define IS_ENABLED(symbol) STUB_ENABLED(symbol)
#define STUB_ENABLED(value) STUB_SECOND(STUB_IS_##value 1, 0, 0)
#define STUB_IS_1 0,
#define STUB_SECOND(first, second, ...) second

typedef struct {
    int32_t ms;
} k_timeout_t;
#define K_MSEC(n) ((k_timeout_t){n})
#define K_FOREVER ((k_timeout_t){-1})

struct k_sem {
    unsigned count;
};
int k_sem_init(struct k_sem *sem, unsigned count, unsigned limit);
void k_sem_give(struct k_sem *sem);
int k_sem_take(struct k_sem *sem, k_timeout_t wait);

typedef long atomic_t;
long atomic_set(atomic_t *target, long value);
bool atomic_cas(atomic_t *target, long old, long value);

uint32_t k_uptime_get_32(void);
int32_t k_msleep(int32_t ms);

#endif
