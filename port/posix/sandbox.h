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
    pid_t pid;      /* to wait for */
    int out;        /* its stdout, not blocking */
    int err;        /* its stderr, likewise */
    unsigned group; /* its control group (cgroup.h), or 0 */
};

/* Tries whether this machine lets us make a sandbox, and looks for interpreters. False
 * when it does not, and the reason has been said. */
bool skr_sandbox_check(void);

/* What runs the file, by its extension or its first line, whether it is installed or not. */
enum skr_interpreter skr_sandbox_interpreter(const struct romfs *fs, const struct romfs_file *file);
bool skr_sandbox_has(enum skr_interpreter interpreter);
const char *skr_sandbox_path(enum skr_interpreter interpreter);

/* Runs `file` of `skill` with the arguments, a JSON object, on its stdin, and the words of their `argv`, which has
 * been looked at (argv.h), on its command line. False when the system has no process or descriptor left. */
bool skr_sandbox_start(struct skr_sandbox *box, const struct romfs *fs, const struct romfs_skill *skill,
                       const struct romfs_file *file, struct skr_span arguments);

/* Ends everything inside; its process is then to be waited for. */
void skr_sandbox_kill(const struct skr_sandbox *box);

/* Gives back what it took, once its process has been waited for. False as long as others in there have not gone yet:
 * then it is to be called again. *out_of_memory tells whether all together had used up theirs. */
bool skr_sandbox_end(const struct skr_sandbox *box, bool *out_of_memory);

#endif
