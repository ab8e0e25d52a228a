/* device.h -- the fixture of the official conformance suite, as a device. */
#ifndef CONFORMANCE_DEVICE_H
#define CONFORMANCE_DEVICE_H

#include "skillrom.h"

extern const struct skr_device conformance_device;

int tool_echo(struct skr_call *call);
int tool_test_error_handling(struct skr_call *call);
int tool_test_missing_capability(struct skr_call *call);
int tool_test_streaming_elicitation(struct skr_call *call);
int tool_text(struct skr_call *call);

#endif
