/* device.h -- the Tidewater DP-4: what firmware adds to the image of its skills. */
#ifndef EXAMPLE_DEVICE_H
#define EXAMPLE_DEVICE_H

#include "skillrom.h"

/* Its tools and the resources made at run time. Pass it to skr_server_init with the image
 * that `skillrom pack examples/pump` writes. */
extern const struct skr_device skr_example_device;

#endif
