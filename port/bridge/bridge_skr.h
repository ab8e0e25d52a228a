/* bridge_skr.h -- the core's limits as the bridge wants them (SKR_USER_CONFIG).
 *
 * The bridge uses the framings, the sessions, the checks and the jobs of the core, with a
 * method table of its own (front.c) in which almost everything is asked of the device. */
#ifndef SKR_BRIDGE_SKR_H
#define SKR_BRIDGE_SKR_H

#define SKR_PROFILE_HOST
#define SKR_JOBS 64                        /* requests that wait for a device */
#define SKR_JOB_OUTPUT_MAX 64              /* what a job answers lies elsewhere */
#define SKR_JOB_DEADLINE_MAX_MS 2000000000 /* the bridge has its own time-outs */
#define SKR_DEFLATE 0                      /* no image is read here */
#define SKR_WINDOW_MAX 0
#define SKR_ARCHIVES 0
#define SKR_DIALECT_F 0
#define SKR_ASK 0                          /* nothing of ours asks or tells; devices are not asked to */
#define SKR_NOTES 0
#define SKR_RESUME 0
#define SKR_TASKS 0
#define SKR_PARAMS 0                       /* the device that has the tool looks at its headers */

#endif
