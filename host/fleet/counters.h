/* counts.h -- figures for those who run the fleet, counted where it happens. metrics.c shows them. */
#ifndef SKR_FLEET_COUNTS_H
#define SKR_FLEET_COUNTS_H

#include <stdint.h>

struct fleet_counters {
    uint64_t sent;    /* requests to devices */
    uint64_t strays;  /* messages of devices that answer nothing */
    uint64_t clashes; /* announcements of an id that is taken */
    uint64_t comings, goings;
    uint64_t changed;                 /* devices that came back with another build */
    uint64_t reconnects;              /* to the broker */
    uint64_t calls[9];                /* of tools, by enum fleet_fate; a tool that failed has answered */
    uint64_t failed;                  /* of them, results with isError */
    uint64_t denied;                  /* calls without a right to them */
    uint64_t call_ms;                 /* all together */
    uint64_t files_kept, files_asked; /* read from the cache, and from devices */
    uint64_t dropped;                 /* messages by the broker, as it says */
    uint64_t unrecorded;              /* lines of the record that could not be written */
};

extern struct fleet_counters fleet_counters;

#endif
