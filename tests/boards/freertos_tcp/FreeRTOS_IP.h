/* FreeRTOS_IP.h -- see FreeRTOS.h. */
#ifndef FREERTOS_IP_H
#define FREERTOS_IP_H

#include "FreeRTOS.h"

#define FreeRTOS_htons(value) ((uint16_t)((uint16_t)(value) << 8 | (uint16_t)(value) >> 8))

#define pdFREERTOS_ERRNO_EWOULDBLOCK 11
#define pdFREERTOS_ERRNO_ENOSPC 28
#define pdFREERTOS_ERRNO_ENOTCONN 128

#endif
