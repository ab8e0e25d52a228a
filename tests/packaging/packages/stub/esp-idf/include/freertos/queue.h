#ifndef QUEUE_H
#define QUEUE_H

#include "FreeRTOS.h"

typedef struct QueueDefinition *QueueHandle_t;

BaseType_t xQueueReceive(QueueHandle_t queue, void *to, TickType_t wait);

#endif
