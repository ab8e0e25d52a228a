/* record.c -- see record.h. A line is written at once and as a whole, so that several servers may share a file. */
#include "audit_log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "counters.h"
#include "console.h"
#include "sha256.h"
#include "json_text.h"
#include "text/span.h"

/* A line: names of 128 characters and a URI of 1,000 (device/tools/call_tool.json), each six bytes in JSON at most. */
#define LINE_MAX_BYTES 8192

/* Room that is kept beyond what is promised, so that the system is not asked for each call. */
#define SPARE (64u * 1024)

static int file = -1;
static char line[LINE_MAX_BYTES];
static uint64_t promises; /* lines that will be written */
static off_t size, kept;  /* when it was last looked at; and up to where it has room, 0: unknown */
static bool broken;       /* the last line could not be written, or none has been; */
static bool torn;         /* only its beginning could be */

static void complain(void)
{
    if (fleet_counters.unrecorded++ == 0) {
        host_log("the record cannot be written: %s; calls are refused until it can be", strerror(errno));
    }
}

static struct fleet_json begin(void)
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

/* False, with errno: it has not been written. */
static bool end(struct fleet_json *t)
{
    fleet_json_put(t, "}\n");
    if (t->over) {
        errno = EMSGSIZE;
        return false;
    }
    torn = torn && write(file, "\n", 1) != 1;
    ssize_t n = torn ? -1 : write(file, t->p, t->n);
    broken = n != (ssize_t)t->n;
    torn |= broken && n > 0;
    errno = broken && n >= 0 ? ENOSPC : errno; /* a part of it has been written */
    return !broken;
}

static void write_end(struct fleet_json *t)
{
    if (!end(t)) {
        complain();
    }
}

/* A line that only shows that one can be written. */
static bool try_line(void)
{
    struct fleet_json t = begin();
    fleet_json_member(&t, false, "record", skr_span_of("skillrom fleet " SKR_VERSION));
    return end(&t);
}

/* ---- Room ---- */

/* Has the file room for so many bytes more? Disk space is taken for them; where the system cannot do so, the last line tells. */
static bool has_room(off_t bytes)
{
    struct stat now;
    struct rlimit limit;
    if (fstat(file, &now) != 0 || !S_ISREG(now.st_mode)) {
        return !broken || try_line();
    }
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        (rlim_t)(now.st_size + bytes) > limit.rlim_cur) {
        errno = EFBIG;
        return false;
    }
#ifdef FALLOC_FL_KEEP_SIZE
    bool enough = now.st_size >= size && now.st_size + bytes <= kept; /* a file that has shrunk has lost its room */
    size = now.st_size;
    if (enough || fallocate(file, FALLOC_FL_KEEP_SIZE, size, bytes + SPARE) == 0) {
        kept = enough ? kept : size + bytes + SPARE;
        return true;
    }
    kept = 0;
    if (errno != EOPNOTSUPP && errno != ENOSYS) {
        return false;
    }
#endif
    return !broken || try_line();
}

bool fleet_audit_open(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit of its size is an error of write */
    broken = true;
    if (file < 0 || !has_room(sizeof line)) {
        host_log("%s: cannot be written: %s; without its record the fleet does not start", path, strerror(errno));
        return false;
    }
    return true;
}

/* ---- Lines ---- */

static struct fleet_json put_call(const struct fleet_audit_entry *what)
{
    char digest[2 * ROMFS_SHA256_SIZE + 1];
    struct fleet_json t = begin();
    sha256_hex(what->arguments, ROMFS_SHA256_SIZE, digest);
    if (what->who != NULL) {
        fleet_json_member(&t, false, "who", skr_span_of(what->who));
    }
    fleet_json_member(&t, false, "device", what->device);
    fleet_json_member(&t, false, what->what, what->name);
    fleet_json_member(&t, false, "arguments_sha256", skr_span_of(digest));
    fleet_json_member(&t, false, "result", skr_span_of(what->outcome));
    fleet_json_count(&t, false, "ms", what->ms);
    return t;
}

bool fleet_audit_promise(const struct fleet_audit_entry *what)
{
    if (file < 0) {
        return true;
    }
    struct fleet_json t = put_call(what);
    errno = EMSGSIZE;
    bool fits = !t.over && t.room - t.n > 32; /* for a longer outcome and time, and the end */
    if (!fits || !has_room((off_t)((promises + 1) * sizeof line))) {
        complain();
        return false;
    }
    promises++;
    return true;
}

void fleet_audit_release(void)
{
    promises -= promises > 0;
}

void fleet_audit_call(const struct fleet_audit_entry *what, bool promised)
{
    if (file >= 0 && (promised || fleet_audit_promise(what))) { /* the room of others stays theirs */
        fleet_audit_release();
        struct fleet_json t = put_call(what);
        write_end(&t);
    }
}

void fleet_audit_change(const struct fleet_device *d, const char *from, const char *to)
{
    host_log("%s: came back with another build, %.8s instead of %.8s", d->id, to, from);
    if (file < 0) {
        return;
    }
    struct fleet_json t = begin();
    fleet_json_member(&t, false, "device", skr_span_of(d->id));
    fleet_json_member(&t, false, "build", skr_span_of(to));
    fleet_json_member(&t, false, "earlier_build", skr_span_of(from));
    write_end(&t);
}
