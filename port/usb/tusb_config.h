/* tusb_config.h -- TinyUSB's settings for one serial port. A project that has TinyUSB already keeps its own and only needs
 * CFG_TUD_CDC 1. */
#ifndef TUSB_CONFIG_H
#define TUSB_CONFIG_H

#define CFG_TUSB_OS OPT_OS_NONE
#define CFG_TUD_ENABLED 1
#define CFG_TUD_MAX_SPEED OPT_MODE_FULL_SPEED
#define CFG_TUD_ENDPOINT0_SIZE 64
#define CFG_TUD_CDC 1

/* Events between interrupt and main loop: a transfer in each direction, one on endpoint 0, a reset; the rest is for good measure. */
#define CFG_TUD_TASK_QUEUE_SZ 8

/* A packet of full speed, in each direction. */
#define CFG_TUD_CDC_EP_BUFSIZE 64

/* Two packets: while one is being taken the next one arrives. */
#define CFG_TUD_CDC_RX_BUFSIZE 128

/* The core makes its next piece while these leave. Four packets, as many as full speed carries in a fifth of a millisecond. */
#define CFG_TUD_CDC_TX_BUFSIZE 256

#endif
