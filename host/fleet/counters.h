/* counters.h -- figures for operators of the fleet, counted where it happens. metrics.c serves them. */
#ifndef SKR_FLEET_COUNTERS_H
#define SKR_FLEET_COUNTERS_H

#include <stdint.h>

struct fleet_counters {
    uint64_t sent;                        /* requests to devices */
    uint64_t unexpected;                  /* messages of devices that are not a response to a pending request */
    uint64_t duplicates;                  /* announcements with the id of another device */
    uint64_t online, offline;             /* devices that came and went */
    uint64_t changed;                     /* devices that came back with another build */
    uint64_t broker_losses;               /* lost connections to the broker */
    uint64_t calls[9];                    /* tool calls, by enum fleet_outcome; a tool that failed has responded */
    uint64_t failed;                      /* of them, results with isError */
    uint64_t denied;                      /* calls that the token does not allow */
    uint64_t call_ms;                     /* total time of all calls */
    uint64_t files_cached, files_fetched; /* files of skills: read from the cache, and from devices */
    uint64_t dropped;                     /* messages that the broker dropped, as it reports */
    uint64_t unrecorded;                  /* lines of the audit log that could not be written */
};

extern struct fleet_counters fleet_counters;

#endif
