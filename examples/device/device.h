/* device.h -- the Tidewater DP-4: what firmware adds to the image of its skills. */
#ifndef EXAMPLE_DEVICE_H
#define EXAMPLE_DEVICE_H

#include "skillrom.h"

/* Its tools and the resources made at run time. Pass it to skr_server_init with the image
 * that `skillrom pack examples/device` writes. */
extern const struct skr_device skr_example_device;

/* The handlers, one for each file in tools/. */
int tool_blink_lamp(struct skr_call *call);
int tool_line_status(struct skr_call *call);
int tool_prime_line(struct skr_call *call);
int tool_run_dose(struct skr_call *call);
int tool_stop_all(struct skr_call *call);
int tool_pressure_test(struct skr_call *call); /* of skill pump/clear-fault; needs time */

#endif
