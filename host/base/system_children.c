/* system_children.c -- child processes, and files for them. See system.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "system.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif
#if !SKR_POLL
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

bool host_own_path(char *path, size_t room)
{
#ifdef __APPLE__
    uint32_t n = (uint32_t)room;

    return _NSGetExecutablePath(path, &n) == 0;
#else
    ssize_t n = readlink("/proc/self/exe", path, room - 1);
    path[n > 0 ? n : 0] = '\0';
    return n > 0;
#endif
}

#if !SKR_POLL

void host_end_with_parent(int signal)
{
    (void)prctl(PR_SET_PDEATHSIG, signal);
}

bool host_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) == 0;
}

int host_file_unnamed(void)
{
    return memfd_create("skillrom", MFD_CLOEXEC);
}

bool host_file_open(struct host_file *f)
{
    f->fd = host_file_unnamed();
    (void)snprintf(f->path, sizeof f->path, "/proc/%ld/fd/%d", (long)getpid(), f->fd);
    return f->fd >= 0;
}

/* The descriptor keeps its number, and so the path leads to the new bytes. */
bool host_file_replace(struct host_file *f, struct host_file *fresh)
{
    bool well = dup3(fresh->fd, f->fd, O_CLOEXEC) >= 0;

    host_file_close(fresh);
    return well;
}

void host_file_close(struct host_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
    }
    f->fd = -1;
}

#else

void host_end_with_parent(int signal)
{
    (void)signal;
}

bool host_pipe(int ends[2])
{
    if (pipe(ends) != 0) {
        return false;
    }
    return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

bool host_file_open(struct host_file *f)
{
    const char *folder = getenv("TMPDIR");
    int n =
        snprintf(f->path, sizeof f->path, "%s/skillrom-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp");

    f->fd = -1;
    if (n < 0 || (size_t)n >= sizeof f->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    f->fd = mkstemp(f->path);
    return f->fd >= 0 && fcntl(f->fd, F_SETFD, FD_CLOEXEC) == 0;
}

int host_file_unnamed(void)
{
    struct host_file f;

    if (host_file_open(&f)) {
        (void)unlink(f.path);
    }
    return f.fd;
}

bool host_file_replace(struct host_file *f, struct host_file *fresh)
{
    if (rename(fresh->path, f->path) != 0) {
        host_file_close(fresh);
        return false;
    }
    close(f->fd);
    f->fd = fresh->fd;
    fresh->fd = -1;
    return true;
}

void host_file_close(struct host_file *f)
{
    if (f->fd >= 0) {
        close(f->fd);
        (void)unlink(f->path);
    }
    f->fd = -1;
}

#endif
