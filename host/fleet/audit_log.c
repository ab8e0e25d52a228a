/* audit_log.c -- see audit_log.h. Several servers may share a file (record_file.h). */
#include "audit_log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "console.h"
#include "counters.h"
#include "json_text.h"
#include "record_file.h"
#include "sha256.h"
#include "text/span.h"

/* Space that is reserved beyond the promises, so that not every call needs the system. */
#define SPARE (64u * 1024)

static struct host_record record = {.file = -1};
static char line[HOST_RECORD_LINE]; /* device/tools/call_tool.json limits its texts */
static uint64_t promises;           /* lines to be written */

static void report_error(void)
{
    if (fleet_counters.unrecorded++ == 0) {
        host_log("cannot write the audit log: %s; calls are refused until that is fixed", strerror(errno));
    }
}

static struct fleet_json begin_line(void)
{
    struct fleet_json t = {line, 0, sizeof line, false};
    struct timespec now;
    char time[40];
    struct tm utc;

    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    (void)strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fleet_json_put(&t, "{");
    fleet_json_member(&t, true, "time", skr_span_of(time));
    return t;
}

/* False, with errno, when the line could not be written. */
static bool write_line(struct fleet_json *t)
{
    if (t->over) {
        errno = EMSGSIZE;
        return false;
    }
    return host_record_write(&record, t->p, t->n, t->room);
}

static void write_or_report(struct fleet_json *t)
{
    if (!write_line(t)) {
        report_error();
    }
}

/* Writes a line as a test. */
static bool write_test_line(void)
{
    struct fleet_json t = begin_line();

    fleet_json_member(&t, false, "record", skr_span_of("skillrom fleet " SKR_VERSION));
    return write_line(&t);
}

/* ---- Space ---- */

/* Reserves disk space for so many bytes more. Where the system cannot do so, the last write decides. */
static bool has_room(off_t bytes)
{
    struct stat now;
    struct rlimit limit;

    if (fstat(record.file, &now) != 0 || !S_ISREG(now.st_mode)) {
        return !record.broken || write_test_line();
    }
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (rlim_t)(now.st_size + bytes) > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
#ifdef FALLOC_FL_KEEP_SIZE
    static off_t size, kept; /* when it was last checked; and where its reserved space ends, 0: unknown */
    bool enough = now.st_size >= size && now.st_size + bytes <= kept; /* a file that has shrunk has lost its space */
    size = now.st_size;
    if (enough || fallocate(record.file, FALLOC_FL_KEEP_SIZE, size, bytes + SPARE) == 0) {
        kept = enough ? kept : size + bytes + SPARE;
        return true;
    }
    kept = 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
#endif
    return !record.broken || write_test_line();
}

bool fleet_audit_open(const char *path)
{
    signal(SIGXFSZ, SIG_IGN); /* so that exceeding the size limit is an error of write */
    if (!host_record_open(&record, path) || !has_room(sizeof line)) {
        host_log("%s: cannot write the audit log: %s; choose another --audit-log, or leave it out", path,
                 strerror(errno));
        return false;
    }
    return true;
}

/* ---- Lines ---- */

static struct fleet_json put_entry(const struct fleet_audit_entry *entry)
{
    char digest[2 * ROMFS_SHA256_SIZE + 1];
    struct fleet_json t = begin_line();

    romfs_sha256_hex(entry->arguments, ROMFS_SHA256_SIZE, digest);
    if (entry->who != NULL) {
        fleet_json_member(&t, false, "who", skr_span_of(entry->who));
    }
    fleet_json_member(&t, false, "device", entry->device);
    fleet_json_member(&t, false, entry->what, entry->name);
    fleet_json_member(&t, false, "arguments", skr_span_of(digest));
    fleet_json_member(&t, false, "how", skr_span_of(entry->outcome));
    fleet_json_count(&t, false, "ms", entry->ms);
    return t;
}

bool fleet_audit_promise(const struct fleet_audit_entry *entry)
{
    if (record.file < 0) {
        return true;
    }
    struct fleet_json t = put_entry(entry);
    errno = EMSGSIZE;
    bool fits = !t.over && t.room - t.n > HOST_RECORD_TAIL + 64; /* and the outcome and the time */
    if (!fits || !has_room((off_t)((promises + 1) * sizeof line))) {
        report_error();
        return false;
    }
    promises++;
    return true;
}

void fleet_audit_release(void)
{
    promises -= promises > 0;
}

void fleet_audit_call(const struct fleet_audit_entry *entry, bool promised)
{
    if (record.file >= 0 && (promised || fleet_audit_promise(entry))) { /* without using up the promises of others */
        fleet_audit_release();
        struct fleet_json t = put_entry(entry);
        write_or_report(&t);
    }
}

void fleet_audit_change(const struct fleet_device *d, const char *from, const char *to)
{
    host_log("%s: the device came back with another build, %.8s instead of %.8s", d->id, to, from);
    if (record.file < 0) {
        return;
    }
    struct fleet_json t = begin_line();
    fleet_json_member(&t, false, "device", skr_span_of(d->id));
    fleet_json_member(&t, false, "build", skr_span_of(to));
    fleet_json_member(&t, false, "earlier_build", skr_span_of(from));
    write_or_report(&t);
}
