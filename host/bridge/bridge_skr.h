/* bridge_skr.h -- the core's limits for the bridge (SKR_USER_CONFIG).
 *
 * The bridge uses the framings, the sessions, the checks and the jobs of the core. Its own method table (backend.c)
 * forwards almost everything to the device. */
#ifndef BRIDGE_BRIDGE_SKR_H
#define BRIDGE_BRIDGE_SKR_H

#define SKR_PROFILE_HOST
#ifndef SKR_JOBS
#define SKR_JOBS 64 /* requests that wait for a device */
#endif
#define SKR_JOB_OUTPUT_MAX 65536           /* client requests; a job's response is stored elsewhere */
#define SKR_JOB_DEADLINE_MAX_MS 2000000000 /* the bridge has its own timeouts */
#define SKR_DEFLATE 0                      /* no image is read here */
#define SKR_DIALECTS 0                     /* nor are skills shown */
#define SKR_CLIENT_REQUEST_MS 2000000000   /* the device decides how long it waits */
#define SKR_TASKS 0                        /* tasks are the device's */
#define SKR_GUARD 0                        /* rules of tools are checked by the device */
#define SKR_OAUTH 0                        /* the bridge has no option for it */

#endif
