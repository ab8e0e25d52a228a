/* cgroup.c -- a control group (cgroup v2) around each run.
 *
 * A group that holds processes cannot have limited groups inside it, so ours are siblings of the one the server runs
 * in. Whether the server may make them there depends on who started it: root may, and so may a user whose programs
 * systemd puts into groups of the user's own. The server itself is never moved. */
#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posix_config.h"

#define GROUPS 64 /* more than there are runs: some may belong to another server */

static char parent[512];      /* the folder they are made in; empty: they cannot be */
static int locks[GROUPS + 1]; /* descriptors of the groups this server has, by their number */

/* The start of a small file; 0 bytes when it cannot be read. */
static size_t read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, size - 1) : 0;

    if (fd >= 0) {
        close(fd);
    }
    text[n > 0 ? n : 0] = '\0';
    return n > 0 ? (size_t)n : 0;
}

static void name_group(char *path, size_t size, unsigned group, const char *file)
{
    (void)snprintf(path, size, "%s/skillromd-script-%u%s", parent, group, file);
}

static bool set(unsigned group, const char *file, const char *value)
{
    char path[640];

    name_group(path, sizeof path, group, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool written = write(fd, value, strlen(value)) == (ssize_t)strlen(value);
    close(fd);
    return written;
}

void posix_cgroup_find(void)
{
    static const char *const roots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};
    char text[1024], path[640];
    const char *own = NULL;

    if (read_text("/proc/self/cgroup", text, sizeof text) > 0) {
        own = strncmp(text, "0::/", 4) == 0 ? text : strstr(text, "\n0::/");
    }
    if (own == NULL) {
        return;
    }
    own = strchr(own, '/');
    size_t n = strcspn(own, "\n");
    while (n > 0 && own[--n] != '/') {
    }
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/cgroup.controllers", roots[i]);
        if (access(path, F_OK) == 0 && strlen(roots[i]) + n < sizeof parent) {
            (void)snprintf(parent, sizeof parent, "%s%.*s", roots[i], (int)n, own);
            break;
        }
    }
    (void)snprintf(path, sizeof path, "%s/cgroup.subtree_control", parent);
    if (read_text(path, text, sizeof text) == 0 || strstr(text, "memory") == NULL) {
        posix_cgroup_give_up();
    }
}

void posix_cgroup_give_up(void)
{
    parent[0] = '\0';
}

bool posix_cgroup_can(void)
{
    return parent[0] != '\0';
}

/* A descriptor that holds the lock on a group, or -1: it is another server's, or not there. */
static int lock(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* A server that was killed leaves groups behind, which nobody locks. */
static void remove_stale(const char *path)
{
    int fd = lock(path);

    if (fd >= 0) {
        (void)rmdir(path);
        close(fd);
    }
}

unsigned posix_cgroup_make(void)
{
    char path[640];

    for (unsigned group = 1; posix_cgroup_can() && group <= GROUPS; group++) {
        if (locks[group] > 0) {
            continue;
        }
        name_group(path, sizeof path, group, "");
        remove_stale(path);
        int fd = mkdir(path, 0755) == 0 ? lock(path) : -1;
        if (fd >= 0) {
            locks[group] = fd;
            return group;
        }
    }
    return 0;
}

bool posix_cgroup_enter(unsigned group)
{
    char memory[24];

    (void)snprintf(memory, sizeof memory, "%llu", POSIX_EXEC_TOTAL_MB * 1048576ull);
    (void)set(group, "/memory.swap.max", "0"); /* not there where there is no swap */
    (void)set(group, "/memory.oom.group", "1");
    return set(group, "/memory.max", memory) && set(group, "/cgroup.procs", "0");
}

bool posix_cgroup_ran_out(unsigned group)
{
    char path[640], text[512];

    name_group(path, sizeof path, group, "/memory.events");
    (void)read_text(path, text, sizeof text);
    const char *kills = strstr(text, "oom_kill ");
    return kills != NULL && kills[9] != '0';
}

bool posix_cgroup_remove(unsigned group)
{
    char path[640];

    name_group(path, sizeof path, group, "");
    if (rmdir(path) != 0 && errno == EBUSY) {
        return false;
    }
    close(locks[group]);
    locks[group] = 0;
    return true;
}
