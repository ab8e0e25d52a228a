/* audit.c -- see audit.h. A line has what the record of the firmware has (core/handler/record.c); its chain is the
 * file's own, and goes on over restarts. */
#include "audit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "console.h"
#include "record_file.h"
#include "sha256.h"

#if SKR_GUARD

static struct host_record record;
static const struct skr_device *served;
static const struct skr_guard *guard;

/* Appends the last entry of the firmware's record. */
static void write_entry(const char *tool, const char *how, uint32_t ms)
{
    const struct skr_kept *kept = guard->kept;
    const struct skr_record_entry *entry = &kept->entries[(kept->count - 1) % SKR_RECORD];
    char line[1024], at[40], who[2 * SKR_DIGEST + 1], arguments[2 * SKR_DIGEST + 1];
    time_t now = time(NULL);
    struct tm utc;

    (void)strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    romfs_sha256_hex(entry->who, SKR_DIGEST, who);
    romfs_sha256_hex(entry->arguments, SKR_DIGEST, arguments);
    int n = snprintf(line, sizeof line,
                     "{\"time\":\"%s\",\"who\":\"%s\",\"tool\":\"%s\",\"arguments\":\"%s\",\"how\":\"%s\",\"ms\":%lu",
                     at, who, tool, arguments, how, (unsigned long)ms);
    if (!host_record_write(&record, line, (size_t)n, sizeof line)) {
        host_log("cannot write the audit log: %s; the entry of %s is missing", strerror(errno), tool);
    }
}

static void write_then_call(void *context, const char *tool, const char *how, uint32_t ms)
{
    write_entry(tool, how, ms);
    if (served->tool_called != NULL) {
        served->tool_called(context, tool, how, ms);
    }
}

bool posix_audit_start(const char *path, const struct skr_device *device, struct skr_device *recorded)
{
    served = device;
    for (size_t i = 0; i < device->tool_count && guard == NULL; i++) {
        guard = device->tools[i].rules != NULL ? device->tools[i].rules->guard : NULL;
    }
    if (guard == NULL) {
        host_log("--audit-log: no tool of this device has rules, so it keeps no record; leave it out");
        return false;
    }
    if (!host_record_open(&record, path)) {
        host_log("%s: cannot write the audit log: %s; choose another --audit-log, or leave it out", path,
                 strerror(errno));
        return false;
    }
    *recorded = *device;
    recorded->tool_called = write_then_call;
    return true;
}

#else

bool posix_audit_start(const char *path, const struct skr_device *device, struct skr_device *recorded)
{
    (void)path;
    (void)device;
    (void)recorded;
    host_log("--audit-log: this program was built without the rules of tools (SKR_GUARD); leave it out");
    return false;
}

#endif
