/* record.h -- every call on a record: who, which device, which tool, with what, how it ended, how long it took. A line of JSON
 * for each, appended to a file.
 *
 * Nothing is sent to a device unless its line can be written afterwards: fleet_audit_promise keeps room for it. */
#ifndef SKR_FLEET_RECORD_H
#define SKR_FLEET_RECORD_H

#include "registry.h"

/* Appends to this file. False, after a message, when that is impossible. */
bool fleet_audit_open(const char *path);

struct fleet_audit_entry {
    const char *who; /* NULL: nobody in particular */
    struct skr_span device;
    const char *what; /* "tool", or "resource", which was only read */
    struct skr_span name;
    const uint8_t *arguments; /* their SHA-256: a record needs no secrets */
    const char *outcome;      /* as clients are told */
    uint32_t ms;
};

/* Before a call is sent: keeps room for its line, whose outcome and time are not known yet. False, after a message, when the line
 * could not be written; the call must not be sent then. */
bool fleet_audit_promise(const struct fleet_audit_entry *what);

/* Nothing is sent for a promise. */
void fleet_audit_release(void);

/* Writes the line of a call, for which room was promised, or of one that was not sent. */
void fleet_audit_call(const struct fleet_audit_entry *what, bool promised);

/* A device has come back with another build. */
void fleet_audit_change(const struct fleet_device *d, const char *from, const char *to);

#endif
