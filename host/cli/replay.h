/* replay.h -- runs the transcripts of a device's manuals and compares what it answers. */
#ifndef MKROMFS_REPLAY_H
#define MKROMFS_REPLAY_H

#include "base/check.h"
#include "image/model.h"

/* What is wrong with structured content, as the rest of a sentence that begins with *member; NULL: it fits the schema.
 * Both are JSON objects; the content is changed. */
typedef const char *replay_mismatch(char *content, const char *schema, const char **member);

/* What answers: a program that is started afresh for every file, so that each begins with a device just switched on; or
 * something that lasts, to which calls that change anything are made only if `all`. */
struct replay_target {
    char *const *argv;
    bool lasts;
    bool all;
    replay_mismatch *mismatch;
};

struct replay_count {
    size_t files, steps, failed;
    size_t kept_back; /* files that were not run, because they would change something */
};

/* Runs all of them; each step that is not answered as written is an error (SK-T-03). False when the device failed to serve;
 * a message has said why. */
bool replay(const struct check *c, const struct device *device, const struct replay_target *target,
            struct replay_count *count);

#endif
