/* call.h -- running a handler of the firmware: what it reads and writes (call.c). */
#ifndef SKR_CALL_H
#define SKR_CALL_H

#include "answer/request.h"

/* A resource's handler has returned: passes its output to the answer, as a failure if it is too long or has blocks.
 * False when the answer is already an error. */
bool skri_call_ended(struct skr_call *call);

/* What has been put so far is the name of the refused argument. */
void skri_argument_named(struct skr_call *call);

/* Puts text as a JSON string, with its quotes. */
void skri_put_quoted(struct skr_call *call, struct skr_span text);

/* The firmware's handler of a tool, or NULL. */
const struct skr_tool *skri_tool_handler(const struct skr_device *d, struct skr_span name);

/* What is put around the content of a prompt's message. */
#define SKR_MESSAGE "\"messages\":[{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_NEXT "},{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_END "}]"

/* Renders the result of a tool: what it put, and whether it failed; or the message of a prompt that a handler wrote. */
bool skri_tool_body(struct skr_answer *a);

#endif
