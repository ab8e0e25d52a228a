/* device.h -- the fixture of the official conformance suite, as a device. */
#ifndef CONFORMANCE_DEVICE_H
#define CONFORMANCE_DEVICE_H

#include "skr_alarm.h"

extern const struct skr_device conformance_device;

/* Its only state. */
extern struct skr_alarms conformance_alarms;

/* One pixel, and two samples of silence. */
extern const struct skr_span conformance_png, conformance_wav;

/* Prompts by handlers: asking.c and tools_content.c. */
int prompt_elicit_context(struct skr_call *call);
int prompt_with_embedded_resource(struct skr_call *call);
int prompt_with_image(struct skr_call *call);

#endif
