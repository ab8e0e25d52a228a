/* record.c -- see record.h. A line is written at once and as a whole, so that several servers may share a file. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "counts.h"
#include "say.h"
#include "sha256.h"
#include "text.h"
#include "text/span.h"

static int file = -1;
static char line[4096];

bool skr_record_open(const char *path)
{
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (file < 0) {
        skr_say("%s: %s", path, strerror(errno));
    }
    return file >= 0;
}

static struct skr_text begin(void)
{
    struct skr_text t = {line, 0, sizeof line, false};
    struct timespec now;
    char time[40];
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    (void)strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%SZ", &utc);
    skr_text_put(&t, "{");
    skr_text_member(&t, true, "time", skri_span_of(time));
    return t;
}

static void end(struct skr_text *t)
{
    skr_text_put(t, "}\n");
    if (t->over || write(file, t->p, t->n) != (ssize_t)t->n) {
        if (skr_counts.unrecorded++ == 0) {
            skr_say("the record cannot be written: %s", t->over ? "a line is too long" : strerror(errno));
        }
    }
}

void skr_record_call(const struct skr_recorded *what)
{
    char digest[2 * SHA256_SIZE + 1];
    if (file < 0) {
        return;
    }
    struct skr_text t = begin();
    sha256_hex(what->arguments, SHA256_SIZE, digest);
    if (what->who != NULL) {
        skr_text_member(&t, false, "who", skri_span_of(what->who));
    }
    skr_text_member(&t, false, "device", skri_span_of(what->device));
    skr_text_member(&t, false, what->what, what->name);
    skr_text_member(&t, false, "arguments_sha256", skri_span_of(digest));
    skr_text_member(&t, false, "result", skri_span_of(what->outcome));
    skr_text_count(&t, false, "ms", what->ms);
    end(&t);
}

void skr_record_change(const struct skr_fleet_device *d, const char *from, const char *to)
{
    skr_say("%s: came back with another build, %.8s instead of %.8s", d->id, to, from);
    if (file < 0) {
        return;
    }
    struct skr_text t = begin();
    skr_text_member(&t, false, "device", skri_span_of(d->id));
    skr_text_member(&t, false, "build", skri_span_of(to));
    skr_text_member(&t, false, "earlier_build", skri_span_of(from));
    end(&t);
}
