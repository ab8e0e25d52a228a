/* device.h -- the fixture of the official conformance suite, as a device. */
#ifndef CONFORMANCE_DEVICE_H
#define CONFORMANCE_DEVICE_H

#include "skillrom.h"

extern const struct skr_device conformance_device;

/* asking.c */
int tool_ask_name(struct skr_call *call);
int tool_ask_model(struct skr_call *call);
int tool_ask_roots(struct skr_call *call);
int tool_ask_with_state(struct skr_call *call);
int tool_ask_three(struct skr_call *call);
int tool_ask_in_rounds(struct skr_call *call);
int tool_ask_what_can_be_asked(struct skr_call *call);
int prompt_ask_context(struct skr_call *call);
int tool_test_ask_url(struct skr_call *call);
int tool_test_ask_too_much(struct skr_call *call);
int tool_test_sampling(struct skr_call *call);
int tool_test_elicitation(struct skr_call *call);
int tool_test_elicitation_sep1034_defaults(struct skr_call *call);
int tool_test_elicitation_sep1330_enums(struct skr_call *call);

/* telling.c */
int tool_test_tool_with_progress(struct skr_call *call);
int tool_test_tool_with_logging(struct skr_call *call);
int tool_test_logging_tool(struct skr_call *call);
int tool_test_reconnection(struct skr_call *call);

/* tasks.c */
int tool_greet(struct skr_call *call);
int tool_slow_compute(struct skr_call *call);
int tool_failing_job(struct skr_call *call);
int tool_protocol_error_job(struct skr_call *call);
int tool_confirm_delete(struct skr_call *call);
int tool_multi_input(struct skr_call *call);
int tool_test_tool_with_task(struct skr_call *call);

/* tools.c */
int tool_echo(struct skr_call *call);
int tool_test_error_handling(struct skr_call *call);
int tool_test_missing_capability(struct skr_call *call);
int tool_test_streaming_elicitation(struct skr_call *call);
int tool_test_trigger_tool_change(struct skr_call *call);
int tool_test_trigger_prompt_change(struct skr_call *call);
int tool_text(struct skr_call *call);

#endif
