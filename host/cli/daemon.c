/* daemon.c -- starting and stopping the program that serves. See daemon.h. */
#include "daemon.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/screen.h"
#include "console.h"
#include "system.h"

#define STOP_POLLS 300 /* of 10 ms each */

char *daemon_beside_us(const char *name)
{
    char self[PATH_MAX];

    if (!host_own_path(self, sizeof self)) {
        screen_error("cannot find %s: this system does not say where this program is", name);
        return NULL;
    }
    char *slash = strrchr(self, '/');
    return xasprintf("%.*s/%s", slash != NULL ? (int)(slash - self) : 0, self, name);
}

bool daemon_find(struct daemon *d, const char *given, bool reload, char **options, int count)
{
    static char *const by_default[] = {"--http", "127.0.0.1:7700"};
    static char reloads[] = "--reload", quiet[] = "--quiet", verbose[] = "--verbose";
    char *program = given != NULL ? xstrdup(given) : daemon_beside_us("skillromd");

    if (program == NULL) {
        return false;
    }
    if (access(program, X_OK) != 0) {
        screen_error("cannot run %s: %s%s", program, strerror(errno), given == NULL ? "; build it with 'make'" : "");
        return false;
    }
    char *const *passed = count > 0 ? options : by_default;
    size_t passed_count = count > 0 ? (size_t)count : 2;
    d->argv = xmalloc((passed_count + 6) * sizeof *d->argv);
    char **next = d->argv + 2; /* after the image */
    d->argv[0] = program;
    if (reload) {
        *next++ = reloads;
    }
    if (host_console.quiet) {
        *next++ = quiet;
    }
    if (host_console.verbose) {
        *next++ = verbose;
    }
    memcpy(next, passed, passed_count * sizeof *passed);
    next[passed_count] = NULL;
    d->pid = 0;
    return true;
}

void daemon_become(struct daemon *d, char *image)
{
    d->argv[1] = image;
    execv(d->argv[0], d->argv);
    screen_error("cannot run %s: %s", d->argv[0], strerror(errno));
}

bool daemon_start(struct daemon *d, char *image)
{
    pid_t parent = getpid();

    fflush(NULL);
    d->pid = fork();
    if (d->pid < 0) {
        screen_error("cannot start %s: %s", d->argv[0], strerror(errno));
        d->pid = 0;
        return false;
    }
    if (d->pid == 0) {
        /* If this process is killed, the server must not keep the port. */
        host_end_with_parent(SIGTERM);
        if (getppid() != parent) {
            _exit(1);
        }
        /* A SIGHUP that arrives before it is ready would end it; blocked, the signal waits. */
        sigaddset(&d->mask, SIGHUP);
        sigprocmask(SIG_SETMASK, &d->mask, NULL);
        daemon_become(d, image);
        _exit(1);
    }
    return true;
}

void daemon_reload(const struct daemon *d)
{
    if (d->pid != 0) {
        kill(d->pid, SIGHUP);
    }
}

void daemon_end(pid_t pid)
{
    const struct timespec pause = {0, 10 * 1000 * 1000};

    kill(pid, SIGTERM);
    for (int i = 0; i < STOP_POLLS; i++) {
        if (waitpid(pid, NULL, WNOHANG) != 0) {
            return;
        }
        nanosleep(&pause, NULL);
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

void daemon_stop(struct daemon *d)
{
    if (d->pid != 0) {
        daemon_end(d->pid);
        d->pid = 0;
    }
}

bool daemon_has_ended(struct daemon *d, int *code)
{
    int status;

    if (d->pid == 0 || waitpid(d->pid, &status, WNOHANG) != d->pid) {
        return false;
    }
    d->pid = 0;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (WIFSIGNALED(status)) { /* it could not report the reason */
        screen_error("%s ended with signal %d, %s", d->argv[0], WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return true;
}
