/* replay.h -- runs the transcripts of a device's manuals and compares its responses. */
#ifndef CLI_REPLAY_H
#define CLI_REPLAY_H

#include "base/check.h"
#include "image/model.h"

/* The server that is tested: a program, started afresh for every file so that each begins with a device just switched on; or a
 * device, on which tools that are not read-only are called only if `all`. */
struct replay_target {
    char *const *argv;  /* of the program; NULL to use the device */
    const char *device; /* a serial port or URL */
    bool all;
};

struct replay_count {
    size_t files, steps, failed;
    size_t kept_back; /* files that were not run, because they would change something */
    size_t plans, plans_failed;
    bool *planned; /* of each tool: a step of it was planned */
};

/* Runs all of them; each response that differs from the manual is an error (SK-T-03), and so is a plan that moves something
 * (SK-T-05). Tool calls that a person has to confirm are confirmed. False, after a message, when the server
 * failed. */
bool replay(const struct check *c, const struct device *device, const struct replay_target *target,
            struct replay_count *count);

#endif
