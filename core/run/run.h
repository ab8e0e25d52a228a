/* run.h -- running the handler of a tool, whichever method asked for it (run.c). */
#ifndef SKR_RUN_H
#define SKR_RUN_H

#include "answer/request.h"

/* The handler of a tool that the image describes; NULL: this device has none. */
const struct skr_tool *skri_run_find(const struct romfs *fs, const struct skr_device *d, const struct romfs_tool *tool);

/* The same for a file of a skill, which also needs no description when the device runs
 * scripts as they are. */
const struct skr_tool *skri_run_find_script(const struct romfs *fs, const struct skr_device *d,
                                            const struct romfs_file *file);

/* Finds params.arguments. False when it is no object and that has been answered. */
bool skri_run_arguments(struct skr_call *call);

/* Asks for permission, runs, and answers; or leaves the answer to a job. Handlers check
 * their arguments first (skr_args.h). For skills/execute `run` outlives the answer. */
void skri_run(struct skr_call *call, struct skr_run *run);

/* The same without asking anybody: for prompts. */
void skri_run_unasked(struct skr_call *call, const struct skr_run *run);

/* Answers that nothing was run. */
void skri_run_refuse(struct skr_call *call, const struct skr_run *run, enum skr_reason reason, const char *why);

/* ---- For job.c ---- */

/* Lets the tool put no more than it may. */
void skri_run_limit(struct skr_output *out, const struct skr_tool *tool);

/* Makes `a` the answer to a run that has ended with this output. */
void skri_run_answer(struct skr_answer *a, const struct skr_run *run, struct skr_output *out);

/* Tells the device's record that a run is over; `how` NULL: as the output says. */
#if SKR_JOBS || SKR_DIALECTS
void skri_run_record(const struct skr_server *srv, const struct skr_run *run, const struct skr_output *out,
                     const char *how, uint32_t ms);
#else
#define skri_run_record(srv, run, out, how, ms) ((void)0)
#endif

#endif
