/* program.c -- see program.h. */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/screen.h"
#include "daemon.h"
#include "system.h"

/* The child: stdin and stdout are one socket, which blocks as a pipe would. */
static void run_program(char *const *argv, int stream, int log, pid_t parent)
{
    host_end_with_parent(SIGKILL);
    if (getppid() != parent || fcntl(stream, F_SETFL, 0) < 0 || dup2(stream, STDIN_FILENO) < 0 ||
        dup2(stream, STDOUT_FILENO) < 0 || dup2(log, STDERR_FILENO) < 0) {
        _exit(1);
    }
    signal(SIGPIPE, SIG_DFL);
    execv(argv[0], argv);
    screen_error("cannot run %s: %s", argv[0], strerror(errno));
    _exit(1);
}

bool program_start(struct program *p, char *const *argv)
{
    int pair[2] = {-1, -1};
    pid_t parent = getpid();

    *p = (struct program){.log = host_file_unnamed()};
    fflush(NULL);
    if (p->log < 0 || !host_socket_pair(pair) || (p->pid = fork()) < 0) {
        screen_error("cannot start %s: %s", argv[0], strerror(errno));
        p->pid = 0;
        return false;
    }
    if (p->pid == 0) {
        run_program(argv, pair[1], p->log, parent);
    }
    close(pair[1]);
    p->stream = pair[0];
    return true;
}

void program_show_log(const struct program *p)
{
    char text[2048];
    off_t size = p->pid != 0 ? lseek(p->log, 0, SEEK_END) : 0;
    ssize_t n =
        size > 0 ? pread(p->log, text, sizeof text, size > (off_t)sizeof text ? size - (off_t)sizeof text : 0) : 0;

    if (n > 0) {
        fwrite(text, 1, (size_t)n, stderr);
    }
}

void program_stop(struct program *p)
{
    if (p->pid != 0) {
        close(p->log);
        daemon_end(p->pid);
        p->pid = 0;
    }
}
