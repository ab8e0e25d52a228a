/* semphr.h -- see FreeRTOS.h. */
#ifndef SEMPHR_H
#define SEMPHR_H

#include "FreeRTOS.h"

typedef struct QueueDefinition *SemaphoreHandle_t;

SemaphoreHandle_t xSemaphoreCreateBinaryStatic(StaticSemaphore_t *memory);
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t wait);

#endif
