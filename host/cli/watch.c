/* watch.c -- inotify over a tree. See watch.h. */
#include "watch.h"

#include "system.h"

#if !SKR_POLL

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/screen.h"

#define CHANGES                                                                                                        \
    (IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

/* Returns 0 when a directory cannot be watched. One that has meanwhile vanished or become a file does not count,
 * because its parent has noticed, except for the root. */
static int add_tree(int fd, FTS *tree)
{
    FTSENT *entry;
    int has_root = 0;

    while ((entry = fts_read(tree)) != NULL) {
        if (entry->fts_info != FTS_D) {
            continue;
        }
        if (entry->fts_level > 0 && strcmp(entry->fts_name, ".git") == 0) {
            fts_set(tree, entry, FTS_SKIP);
            continue;
        }
        if (inotify_add_watch(fd, entry->fts_accpath, CHANGES) < 0 && errno != ENOENT && errno != ENOTDIR) {
            screen_error("cannot watch %s: %s", entry->fts_path, strerror(errno));
            return 0;
        }
        has_root |= entry->fts_level == 0;
    }
    return has_root;
}

int watch_open(const char *dir)
{
    char *const roots[] = {xstrdup(dir), NULL};
    int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);

    if (fd < 0 || tree == NULL) {
        screen_error("cannot watch %s: %s", dir, strerror(errno));
    }
    int well = fd >= 0 && tree != NULL && add_tree(fd, tree);
    if (tree != NULL) {
        fts_close(tree);
    }
    if (!well && fd >= 0) {
        close(fd);
    }
    return well ? fd : -1;
}

void watch_drain(int fd)
{
    char events[4096];

    while (read(fd, events, sizeof events) > 0) {
    }
}

#endif
