/* call.h -- running a handler of the firmware: what it reads and writes (call.c). */
#ifndef SKR_CALL_H
#define SKR_CALL_H

#include "answer/request.h"

/* Looks at what a resource's handler has left behind: makes too much of it a failure, and
 * gives it to the answer. False when the answer stands already. */
bool skri_call_ended(struct skr_call *call);

/* What was put so far names the argument that the refusal is about. */
void skri_argument_named(struct skr_call *call);

/* Puts text as a JSON string, with its quotes. */
void skri_put_quoted(struct skr_call *call, struct skr_span text);

/* The firmware's handler of a tool, or NULL. */
const struct skr_tool *skri_tool_handler(const struct skr_device *d, struct skr_span name);

/* What stands around the content of a prompt's message. */
#define SKR_MESSAGE "\"messages\":[{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_NEXT "},{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_END "}]"

/* Renders the result of a tool: what it put, and whether it failed. Of a prompt that a
 * handler has written, its message. */
bool skri_tool_body(struct skr_answer *a);

#endif
