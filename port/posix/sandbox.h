/* sandbox.h -- start a program with nothing around it but a skill (sandbox.c). */
#ifndef SKR_SANDBOX_H
#define SKR_SANDBOX_H

#include <stdbool.h>
#include <sys/types.h>

#include "skillrom.h"

/* The text before the reason why a sandbox could not be made. */
#define POSIX_SANDBOX_NAME "sandbox"

/* The program that runs scripts, where it is installed. */
enum posix_interpreter { POSIX_NO_INTERPRETER, POSIX_SH, POSIX_BASH, POSIX_PYTHON, POSIX_LUA, POSIX_INTERPRETERS };

/* A sandboxed program that was started. */
struct posix_sandbox {
    pid_t pid;      /* to wait for */
    int out;        /* its stdout, not blocking */
    int err;        /* its stderr, likewise */
    unsigned group; /* its control group (cgroup.h), or 0 */
};

/* Checks whether this machine lets us make a sandbox, and looks for interpreters. False, after a message, when it
 * does not. */
bool posix_sandbox_check(void);

/* The interpreter for the file, by its extension or first line, whether or not it is installed. */
enum posix_interpreter posix_sandbox_interpreter(const struct romfs *fs, const struct romfs_file *file);
bool posix_sandbox_has(enum posix_interpreter interpreter);
const char *posix_sandbox_path(enum posix_interpreter interpreter);

/* Runs `file` of `skill` with the arguments, a JSON object, on its stdin, and the words of their `argv`, which has
 * been checked (argv.h), on its command line. False when the system has no process or descriptor left. */
bool posix_sandbox_start(struct posix_sandbox *box, const struct romfs *fs, const struct romfs_skill *skill,
                         const struct romfs_file *file, struct skr_span arguments);

/* Kills everything inside; the caller then waits for its process. */
void posix_sandbox_kill(const struct posix_sandbox *box);

/* Releases what it used, once its process has been waited for. False as long as other processes inside have not
 * ended: call it again then. *out_of_memory: they used up the memory allowed for all of them together. */
bool posix_sandbox_end(const struct posix_sandbox *box, bool *out_of_memory);

#endif
