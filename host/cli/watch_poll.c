/* watch_poll.c -- a folder watched where there is no inotify: a process looks at it twice a second, and writes into a pipe when something
 * is different. It ends when nobody reads the pipe any more. See watch.h. */
#include "base/screen.h"
#include "system.h"
#include "watch.h"

#if SKR_POLL

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"

#define LOOK_MS 500

#ifdef __APPLE__
#define CHANGED(st) ((st)->st_mtimespec)
#else
#define CHANGED(st) ((st)->st_mtim)
#endif

static uint64_t sum_mix(uint64_t sum, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;

    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ p[i]) * 0x100000001b3u;
    }
    return sum;
}

/* Of names, sizes and times of what is in the folder; 0 when there is no such folder. */
static uint64_t folder_sum(const char *dir)
{
    char *const roots[] = {xstrdup(dir), NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    uint64_t sum = 0;

    for (FTSENT *entry; tree != NULL && (entry = fts_read(tree)) != NULL;) {
        if (entry->fts_level > 0 && strcmp(entry->fts_name, ".git") == 0) {
            fts_set(tree, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_D || entry->fts_info == FTS_F) {
            uint64_t parts[] = {(uint64_t)entry->fts_statp->st_size, (uint64_t)entry->fts_statp->st_ino,
                                (uint64_t)CHANGED(entry->fts_statp).tv_sec,
                                (uint64_t)CHANGED(entry->fts_statp).tv_nsec};
            sum += sum_mix(sum_mix(0xcbf29ce484222325u, entry->fts_path, strlen(entry->fts_path)), parts, sizeof parts);
        }
    }
    if (tree != NULL) {
        fts_close(tree);
    }
    free(roots[0]);
    return sum;
}

/* Until the other end is closed. */
static void look_again(const char *dir, uint64_t seen, int to)
{
    struct pollfd end = {to, 0, 0};

    while (poll(&end, 1, LOOK_MS) == 0) {
        uint64_t now = folder_sum(dir);
        if (now != seen && write(to, "", 1) != 1) {
            return;
        }
        seen = now;
    }
}

/* A child of a child, so that nobody has to wait for it. */
static bool poller_start(const char *dir, uint64_t seen, const int ends[2])
{
    int status = 0;
    pid_t pid = fork();

    if (pid == 0) {
        if (fork() == 0) {
            close(ends[0]);
            signal(SIGINT, SIG_IGN);
            signal(SIGPIPE, SIG_IGN);
            look_again(dir, seen, ends[1]);
        }
        _exit(0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid;
}

int watch_open(const char *dir)
{
    int ends[2];
    uint64_t seen = folder_sum(dir);

    if (seen == 0) {
        return -1;
    }
    if (!host_pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 || !poller_start(dir, seen, ends)) {
        screen_error("cannot watch %s: %s", dir, strerror(errno));
        return -1;
    }
    close(ends[1]);
    return ends[0];
}

void watch_drain(int fd)
{
    char events[64];

    while (read(fd, events, sizeof events) > 0) {
    }
}

#endif
