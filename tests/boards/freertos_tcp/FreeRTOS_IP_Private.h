/* FreeRTOS_IP_Private.h -- see FreeRTOS.h. */
#ifndef FREERTOS_IP_PRIVATE_H
#define FREERTOS_IP_PRIVATE_H

#include "FreeRTOS.h"

typedef enum { eTCPAcceptEvent = 9 } eIPEvent_t;

typedef struct {
    eIPEvent_t eEventType;
    void *pvData;
} IPStackEvent_t;

BaseType_t xSendEventStructToIPTask(const IPStackEvent_t *event, TickType_t wait);

#endif
