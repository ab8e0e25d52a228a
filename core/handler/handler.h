/* handler.h -- the handlers of the firmware: what they read and write (handler.c). */
#ifndef SKR_HANDLER_H
#define SKR_HANDLER_H

#include "response/depend.h"
#include "response/request.h"

/* A resource's handler has returned: passes its output to the response, as a failure if it is too long or has blocks.
 * False when the response is already an error. */
bool skri_call_ended(struct skr_call *call);

/* What has been put so far is the name of the refused argument. */
void skri_argument_named(struct skr_call *call);

/* Puts text as a JSON string, with its quotes. */
void skri_put_quoted(struct skr_call *call, struct skr_span text);

/* The handler has broken a rule of skillrom.h: the result is an error with its name and `rule`. */
void skri_end_misused(struct skr_call *call, const char *rule);

/* Has a handler used what only a tool with a deadline has? Then the next makes the result an error that says so. */
static inline bool skri_needs_job(const struct skr_call *call)
{
    return SKR_JOBS > 0 && call->needs_job;
}
void skri_end_needs_job(struct skr_call *call);

/* What is put around the content of a prompt's message. */
#define SKR_MESSAGE "\"messages\":[{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_NEXT "},{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_END "}]"

/* Renders the result of a tool: what it put, and whether it failed; or the message of a prompt that a handler wrote. */
bool skri_tool_body(struct skr_response *a);

/* Did the handler leave a bracket open, or close one too many? Then what it wrote is not JSON. */
static inline bool skri_is_unbalanced(const struct skr_output *out)
{
    return out->unbalanced || out->nest > 1;
}
#define SKRI_UNBALANCED "unbalanced skr_write_end in its handler"

/* What an error says of a limit: its name and its number. */
#define SKRI_TEXT_OF(number) #number
#define SKRI_LIMIT(name, number) name " (" SKRI_TEXT_OF(number) " bytes)"
#define SKRI_OUTPUT_LIMIT SKRI_LIMIT("the result exceeds SKR_OUTPUT_MAX", SKR_OUTPUT_MAX)
#define SKRI_JOB_OUTPUT_LIMIT SKRI_LIMIT("SKR_JOB_OUTPUT_MAX", SKR_JOB_OUTPUT_MAX)

#endif
