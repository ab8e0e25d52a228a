/* kernel.h -- what port/sockets uses of Zephyr's kernel: declarations to compile against. Nothing here runs. */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_NET_IPV6 1
#define IS_ENABLED(option) option

uint32_t k_uptime_get_32(void);
int32_t k_msleep(int32_t ms);

#endif
