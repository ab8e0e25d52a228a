/* tool_call.h -- running the handler of a tool, whichever method asked for it (tool_call.c). */
#ifndef SKR_RUN_H
#define SKR_RUN_H

#include "response/request.h"

/* The handler of a tool that the image describes; NULL: this device has none. */
const struct skr_tool *skri_tool_call_find(const struct romfs *fs, const struct skr_device *d,
                                           const struct romfs_tool *tool);

/* The same for a file of a skill, which needs no description if the device runs the script itself. */
const struct skr_tool *skri_tool_call_find_script(const struct romfs *fs, const struct skr_device *d,
                                                  const struct romfs_file *file);

/* Finds params.arguments. False when it is not an object: then the answer is already an error. */
bool skri_tool_call_arguments(struct skr_call *call);

/* Asks for permission, runs, and answers; or leaves the answer to a job. Handlers check their arguments first
 * (skr_args.h). For skills/execute `run` must outlive the answer. */
void skri_run(struct skr_call *call, struct skr_tool_call *run);

/* The same without asking for permission: for prompts. */
void skri_tool_call_unasked(struct skr_call *call, const struct skr_tool_call *run);

/* Answers that nothing was run. */
void skri_tool_call_refuse(struct skr_call *call, const struct skr_tool_call *run, enum skr_reason reason,
                           const char *why);

/* ---- For job.c ---- */

/* Limits the output to what the tool may put. */
void skri_tool_call_limit(struct skr_output *out, const struct skr_tool *tool);

/* Makes `a` the answer to a run that has ended with this output. */
void skri_tool_call_respond(struct skr_response *a, const struct skr_tool_call *run, struct skr_output *out);

/* Reports to the device (`ran`) that a run is over; `how` NULL: as the output says. */
#if SKR_JOBS || SKR_DIALECTS
void skri_tool_call_record(const struct skr_server *srv, const struct skr_tool_call *run, const struct skr_output *out,
                           const char *how, uint32_t ms);
#else
#define skri_tool_call_record(srv, run, out, how, ms) ((void)0)
#endif

#endif
