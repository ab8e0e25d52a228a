/* device.h -- the fixture of the official conformance suite, as a device. */
#ifndef CONFORMANCE_DEVICE_H
#define CONFORMANCE_DEVICE_H

#include "skillrom.h"

extern const struct skr_device conformance_device;

/* One pixel, and two samples of silence. */
extern const struct skr_span conformance_png, conformance_wav;

#endif
