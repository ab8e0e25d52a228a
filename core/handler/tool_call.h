/* tool_call.h -- calls the handler of a tool, for every method that can (tool_call.c, outcome.c). */
#ifndef SKR_TOOL_CALL_H
#define SKR_TOOL_CALL_H

#include "response/request.h"

/* The handler of a tool that the image describes; NULL: this device has none. */
const struct skr_tool *skri_tool_call_find(const struct romfs *fs, const struct skr_device *d,
                                           const struct romfs_tool *tool);

/* Likewise for a file of a skill, which needs no description if the device runs the script itself. */
const struct skr_tool *skri_tool_call_find_script(const struct romfs *fs, const struct skr_device *d,
                                                  const struct romfs_file *file);

/* Finds params.arguments. False when it is not an object: then the response is already an error. */
bool skri_tool_call_arguments(struct skr_call *call);

/* Checks permission, calls the handler, and makes the response; or leaves it to a job. Handlers check their arguments
 * first (skr_args.h). For skills/execute `tool_call` must outlive the response. */
void skri_tool_call_start(struct skr_call *call, struct skr_tool_call *tool_call);

/* Likewise without the check: for prompts. */
void skri_tool_call_permitted(struct skr_call *call, struct skr_tool_call *tool_call);

/* Makes the response a refusal: the handler is not called. The second has its text in the output already. */
void skri_tool_call_refuse(struct skr_call *call, const struct skr_tool_call *tool_call, enum skr_reason reason,
                           const char *why);
void skri_tool_call_refused(struct skr_call *call, const struct skr_tool_call *tool_call);

/* ---- For job.c ---- */

/* Limits the output to what the tool may put. */
void skri_tool_call_limit(struct skr_output *out, const struct skr_tool *tool);

/* Makes `a` the response to a tool call that has ended with this output. */
void skri_tool_call_respond(struct skr_response *a, const struct skr_tool_call *tool_call, struct skr_output *out);

/* How a tool call has ended, beside enum skr_reason. */
enum call_end {
    CALL_AS_PUT = SKR_REASONS, /* as the output says */
    CALL_FAILED,
    CALL_CANCELLED,
    CALL_ASKED,   /* the response is client requests */
    CALL_PLANNED, /* it was a plan */
};

/* Reports to the device (`tool_called`) and to the record that a tool call has ended: enum call_end or enum
 * skr_reason. */
#if SKR_JOBS || SKR_DIALECTS
void skri_tool_call_record(const struct skr_server *srv, const struct skr_tool_call *tool_call,
                           const struct skr_output *out, unsigned how, uint32_t ms);

/* The word for it: "done". */
const char *skri_tool_call_how(unsigned how);
#else
#define skri_tool_call_record(srv, tool_call, out, how, ms) ((void)0)
#endif

#endif
