/* device.h -- the windowsill planter: what its firmware adds to the image of its skills. */
#ifndef BOARD_DEVICE_H
#define BOARD_DEVICE_H

#include "skillrom.h"

extern const struct skr_device skr_board_device;

/* The handlers, one for each file in tools/. */
int tool_read_sensors(struct skr_call *call);
int tool_set_lamp(struct skr_call *call);
int tool_water(struct skr_call *call);

#endif
