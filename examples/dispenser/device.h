/* device.h -- the Tidewater D1: a dispenser whose tools have every rule there is. */
#ifndef DISPENSER_DEVICE_H
#define DISPENSER_DEVICE_H

#include "skillrom.h"

extern const struct skr_device dispenser_device;

/* The simulated machine. */
struct dispenser {
    int32_t dispensed_ul;
    int32_t moves; /* how often anything has moved */
    bool lid_open;
    bool flushing;
};
extern struct dispenser dispenser;

#endif
