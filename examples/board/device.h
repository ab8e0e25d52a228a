/* device.h -- the windowsill planter: what its firmware adds to the image of its skills. */
#ifndef BOARD_DEVICE_H
#define BOARD_DEVICE_H

#include "skillrom.h"

extern const struct skr_device skr_board_device;

#endif
