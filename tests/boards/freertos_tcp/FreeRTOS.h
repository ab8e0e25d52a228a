/* FreeRTOS.h -- the few names of the FreeRTOS kernel that port/freertos_tcp uses, declared anew for a compile check
 * (README.md there). Nothing here runs. */
#ifndef FREERTOS_H
#define FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef uint32_t TickType_t;
typedef uint32_t StackType_t;

typedef struct {
    void *opaque[24];
} StaticTask_t;

typedef struct {
    void *opaque[20];
} StaticSemaphore_t;

#define configTICK_RATE_HZ 1000
#define pdMS_TO_TICKS(ms) ((TickType_t)(((uint64_t)(ms)*configTICK_RATE_HZ) / 1000u))

#endif
