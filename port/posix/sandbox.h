/* sandbox.h -- start a program with nothing around it but a skill (sandbox.c). */
#ifndef SKR_SANDBOX_H
#define SKR_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

#include "skillrom.h"

/* Who says that a sandbox could not be made, in front of the reason. */
#define SKR_SANDBOX_SAYS "sandbox"

/* What runs a script, where it is installed. */
enum skr_interpreter { SKR_NO_INTERPRETER, SKR_SH, SKR_BASH, SKR_PYTHON, SKR_LUA, SKR_INTERPRETERS };

/* A sandboxed program that was started. */
struct skr_sandbox {
    pid_t pid; /* to wait for */
    int out;   /* its stdout, not blocking */
    int err;   /* its stderr, likewise */
};

/* Tries whether this machine lets us make a sandbox, and looks for interpreters. False
 * when it does not, and the reason has been said. */
bool skr_sandbox_check(void);

/* What runs the file, by its extension or its first line. */
enum skr_interpreter skr_sandbox_interpreter(const struct romfs *fs, const struct romfs_file *file);

/* Runs `file` of `skill` with `input` on its stdin. False when the system has no process
 * or descriptor left. */
bool skr_sandbox_start(struct skr_sandbox *box, const struct romfs *fs, const struct romfs_skill *skill,
                       const struct romfs_file *file, struct skr_span input);

/* Ends everything inside; its process is then to be waited for. */
void skr_sandbox_kill(const struct skr_sandbox *box);

#endif
