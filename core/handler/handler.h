/* handler.h -- the handlers of the firmware: what they read and write (handler.c). */
#ifndef SKR_HANDLER_H
#define SKR_HANDLER_H

#include "response/depend.h"
#include "response/request.h"

/* Calls the handler of a resource and passes its output to the response, as a failure if it is too long or has blocks. False
 * when the handler returned SKR_NOT_FOUND. The response may be an error in either case. */
bool skri_resource_read(struct skr_call *call, const struct skr_resource *resource, struct skr_span var);

#if SKR_EVENTS
/* The same for output that no handler has put. False when the response is already an error. */
bool skri_call_ended(struct skr_call *call);
#endif

/* The text put so far is the name of the refused argument. */
void skri_argument_named(struct skr_call *call);

/* Puts text as a JSON string, with its quotes. */
void skri_put_quoted(struct skr_call *call, struct skr_span text);

/* The handler has broken a rule of skillrom.h: the result is an error with its name and `rule`. */
void skri_end_misused(struct skr_call *call, const char *rule);

/* True when a handler has used what only a tool with a deadline has. skri_end_needs_job makes the result an error that names it. */
static inline bool skri_needs_job(const struct skr_call *call)
{
    return SKR_JOBS > 0 && call->needs_job;
}
void skri_end_needs_job(struct skr_call *call);

/* The texts around the content of a prompt's message. */
#define SKR_MESSAGE "\"messages\":[{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_NEXT "},{\"role\":\"user\",\"content\":"
#define SKR_MESSAGE_END "}]"

/* Renders the result of a tool: what it put, and whether it failed; or the message of a prompt that a handler wrote. */
bool skri_tool_body(struct skr_response *a);

/* True when the handler left a bracket open, or closed one too many: its text is not JSON. */
static inline bool skri_is_unbalanced(const struct skr_output *out)
{
    return out->unbalanced || out->nest > 1;
}
#define SKRI_UNBALANCED "unbalanced skr_write_end in its handler"

/* A limit in an error: its name and its number. */
#define SKRI_TEXT_OF(number) #number
#define SKRI_LIMIT(name, number) name " (" SKRI_TEXT_OF(number) " bytes)"
#define SKRI_OUTPUT_LIMIT SKRI_LIMIT("the result exceeds SKR_OUTPUT_MAX", SKR_OUTPUT_MAX)
#define SKRI_JOB_OUTPUT_LIMIT SKRI_LIMIT("SKR_JOB_OUTPUT_MAX", SKR_JOB_OUTPUT_MAX)

#endif
