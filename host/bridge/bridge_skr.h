/* bridge_skr.h -- the core's limits for the bridge (SKR_USER_CONFIG).
 *
 * The bridge uses the framings, the sessions, the checks and the jobs of the core, with a
 * method table of its own (front.c) that forwards almost everything to the device. */
#ifndef SKR_BRIDGE_SKR_H
#define SKR_BRIDGE_SKR_H

#define SKR_PROFILE_HOST
#define SKR_JOBS 64                        /* requests that wait for a device */
#define SKR_JOB_OUTPUT_MAX 65536           /* questions to a client; a job's answer is stored elsewhere */
#define SKR_JOB_DEADLINE_MAX_MS 2000000000 /* the bridge has its own time-outs */
#define SKR_DEFLATE 0                      /* no image is read here */
#define SKR_DIALECTS 0                     /* nor are skills shown */
#define SKR_CLIENT_REQUEST_MS 2000000000              /* the device decides how long it waits */
#define SKR_TASKS 0                        /* they are the device's */
#define SKR_OAUTH 0                        /* it has no option for it */

#endif
