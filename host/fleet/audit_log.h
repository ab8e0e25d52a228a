/* audit_log.h -- a line of JSON for every tool call, appended to a file (--audit-log): the token's name, device, tool, digest of the
 * arguments, outcome and time. The format is that of a device's record, and so is the chain (host/base/record_chain.h); `skillrom call FILE --log` checks it.
 *
 * A call is only sent if its line can be written afterwards: fleet_audit_promise reserves the space. */
#ifndef SKR_FLEET_AUDIT_LOG_H
#define SKR_FLEET_AUDIT_LOG_H

#include "registry.h"

/* Appends to this file. False, after a message, when that is impossible. */
bool fleet_audit_open(const char *path);

struct fleet_audit_entry {
    const char *who; /* the name of the token; NULL: none */
    struct skr_span device;
    const char *what; /* "tool" or "resource" */
    struct skr_span name;
    const uint8_t *arguments; /* their SHA-256: they may contain secrets */
    const char *outcome;      /* as in the result for the client */
    uint32_t ms;
};

/* Before a call is sent: reserves space for its line, whose outcome and time are still unknown. False, after a message, when the line
 * cannot be written; the call must not be sent then. */
bool fleet_audit_promise(const struct fleet_audit_entry *entry);

/* Takes a promise back: the call is not sent. */
void fleet_audit_release(void);

/* Writes the line of a call, `promised` or, if the call was not sent, without a promise. */
void fleet_audit_call(const struct fleet_audit_entry *entry, bool promised);

/* Logs a device that came back with another build. */
void fleet_audit_change(const struct fleet_device *d, const char *from, const char *to);

#endif
