/* leave.c -- what a child of the server gives up before it becomes a sandbox, and the limits it sets itself. */
#include "leave.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cgroup.h"
#include "console.h"
#include "posix_config.h"
#include "sandbox.h"

#define MEGABYTE 1048576u
#define DESCRIPTORS_MAX 1048576 /* the usual maximum of a process */

void posix_give_up(const char *what)
{
    int error = errno;

    host_log_set_name(POSIX_SANDBOX_NAME);
    host_log("%s: %s", what, strerror(error));
    _exit(1);
}

/* A session of its own, without a terminal, with a process group that can be killed as one, and without the keys of
 * the user who started the server. If we are denied keys, so is the script. */
static void leave_session(void)
{
    (void)setsid();
    if (syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL) < 0 && errno != ENOSYS && errno != EPERM) {
        posix_give_up("cannot leave the session's keys behind");
    }
}

/* Every descriptor except the standard three, including those the server inherited. */
static void close_others(void)
{
    struct rlimit files = {0, 0};

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) { /* one for each file of the skill, until bwrap has it */
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
    if (syscall(SYS_close_range, 3u, ~0u, 0u) != 0) { /* Linux before 5.9 */
        for (rlim_t fd = 3; fd < files.rlim_max && fd < DESCRIPTORS_MAX; fd++) {
            (void)close((int)fd);
        }
    }
}

static void become_nobody(void)
{
    if (geteuid() == 0) {
        (void)setgroups(0, NULL);
        bool is_nobody = setresgid(POSIX_NOBODY, POSIX_NOBODY, POSIX_NOBODY) == 0 &&
                         setresuid(POSIX_NOBODY, POSIX_NOBODY, POSIX_NOBODY) == 0;
        if (!is_nobody && errno != EINVAL) { /* EINVAL: root in a container without other users */
            posix_give_up("cannot become nobody");
        }
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void posix_leave_server(pid_t server, unsigned group)
{
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    leave_session();
    close_others();
    if (group != 0 && !posix_cgroup_enter(group)) {
        posix_give_up("cannot limit its memory");
    }
    become_nobody();
    if (getppid() != server) { /* the server ended before we could ask to end with it */
        _exit(1);
    }
}

void posix_leave_limits(void)
{
    const rlim_t bytes = (rlim_t)POSIX_EXEC_MEMORY_MB * MEGABYTE, room = (rlim_t)POSIX_EXEC_SCRATCH_MB * MEGABYTE;
    const struct rlimit processor = {POSIX_EXEC_CPU_S,
                                     POSIX_EXEC_CPU_S + 1}; /* the soft limit first sends a signal that says why */
    const struct rlimit memory = {bytes, bytes}, scratch = {room, room}, none = {0, 0};
    const struct rlimit dump = {1, 1}; /* 0 would not keep dumps from a program that collects them */
    const struct rlimit signals = {POSIX_EXEC_FILES, POSIX_EXEC_FILES};

    if (setrlimit(RLIMIT_CPU, &processor) != 0 || setrlimit(RLIMIT_AS, &memory) != 0 ||
        setrlimit(RLIMIT_FSIZE, &scratch) != 0 || setrlimit(RLIMIT_CORE, &dump) != 0 ||
        setrlimit(RLIMIT_MEMLOCK, &none) != 0 || setrlimit(RLIMIT_MSGQUEUE, &none) != 0 ||
        setrlimit(RLIMIT_SIGPENDING, &signals) != 0) {
        posix_give_up("cannot set a limit");
    }
    (void)setpriority(PRIO_PROCESS, 0, POSIX_EXEC_NICE);
}
