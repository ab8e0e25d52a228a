/* watch.h -- notice that something in a folder changed (Linux: inotify; elsewhere a process that looks again and again). */
#ifndef MKROMFS_WATCH_H
#define MKROMFS_WATCH_H

/* A descriptor that becomes readable when a file or directory at or below `dir` is made, written, moved or removed.
 * -1 when there is no such folder or, with a message on stderr, when there are too many. Directories made later are
 * not covered: open a new one after each change, before reading the folder, and no change is missed. */
int watch_open(const char *dir);

/* Consumes the pending events. */
void watch_drain(int fd);

#endif
