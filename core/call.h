/* call.h -- running a handler of the firmware: what it reads and writes (call.c). */
#ifndef SKR_CALL_H
#define SKR_CALL_H

#include "rpc.h"

/* Looks at what a resource's handler has left behind: makes too much of it a failure, and
 * gives it to the answer. False when the answer stands already. */
bool skr_call_ended(struct skr_call *call);

/* The firmware's handler of a tool, or NULL. */
const struct skr_tool *skr_tool_handler(const struct skr_device *d, struct skr_span name);

/* Renders a prompt that a handler has written (method_prompts.c). */
bool skr_prompt_body(struct skr_answer *a);

/* Renders the result of a tool: what it put, and whether it failed. */
bool skr_tool_body(struct skr_answer *a);

#endif
