/* record.h -- every call on a record: who, which device, which tool, with what, how it ended, how long it took. A line of JSON
 * for each, appended to a file. */
#ifndef SKR_FLEET_RECORD_H
#define SKR_FLEET_RECORD_H

#include "registry.h"

/* Appends to this file. False, after a message, when it cannot be opened. */
bool skr_record_open(const char *path);

struct skr_recorded {
    const char *who; /* NULL: nobody in particular */
    const char *device;
    const char *what; /* "tool", or "resource", which was only read */
    struct skr_span name;
    const uint8_t *arguments; /* their SHA-256: a record needs no secrets */
    const char *outcome;      /* as clients are told */
    uint32_t ms;
};
void skr_record_call(const struct skr_recorded *what);

/* A device has come back with another build. */
void skr_record_change(const struct skr_fleet_device *d, const char *from, const char *to);

#endif
