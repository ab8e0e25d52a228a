/* record_file.c -- see record_file.h. */
#include "record_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool host_record_open(struct host_record *r, const char *path)
{
    struct stat is;

    memset(r, 0, sizeof *r);
    host_chain_begin(&r->chain);
    r->broken = true;
    r->reader = -1;
    r->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    if (r->file >= 0 && fstat(r->file, &is) == 0 && S_ISREG(is.st_mode)) {
        /* Without a reader every start of the program begins a record of its own. */
        r->reader = open(path, O_RDONLY | O_CLOEXEC);
    }
    return r->file >= 0;
}

/* Goes on from the last whole line of the file, which may be of another program, or of an earlier start. */
static void find_chain(struct host_record *r)
{
    static char tail[2 * HOST_RECORD_LINE];
    struct stat now;
    bool found = false;

    if (r->reader < 0 || fstat(r->reader, &now) != 0 || now.st_size == r->chain_end) {
        return;
    }
    off_t from = now.st_size > (off_t)sizeof tail ? now.st_size - (off_t)sizeof tail : 0;
    ssize_t n = pread(r->reader, tail, sizeof tail, from);
    for (ssize_t end = n; !found && end > 0;) { /* the last line, or else the one before it */
        ssize_t begin = end - 1;
        while (begin > 0 && tail[begin - 1] != '\n') {
            begin--;
        }
        found = tail[end - 1] == '\n' &&
                host_chain_continue(&r->chain, (struct skr_span){tail + begin, (size_t)(end - begin - 1)});
        end = begin;
    }
    if (!found) {
        host_chain_begin(&r->chain);
    }
}

/* Ends a line with its number and its chain. Returns its length; 0 when there is no room. */
static size_t put_tail(char *line, size_t n, size_t room, struct host_chain *to)
{
    if (room < n + HOST_RECORD_TAIL) {
        return 0;
    }
    n += (size_t)snprintf(line + n, room - n, ",\"number\":%llu", (unsigned long long)to->next);
    host_chain_add(to, (struct skr_span){line, n});
    return n + (size_t)snprintf(line + n, room - n, ",\"chain\":\"%s\"}\n", to->last);
}

static bool write_chained(struct host_record *r, char *line, size_t n, size_t room)
{
    find_chain(r);
    struct host_chain longer = r->chain;
    n = put_tail(line, n, room, &longer);
    if (n == 0) {
        errno = EMSGSIZE;
        return false;
    }
    r->torn = r->torn && write(r->file, "\n", 1) != 1;
    ssize_t written = r->torn ? -1 : write(r->file, line, n);
    r->broken = written != (ssize_t)n;
    r->torn |= r->broken && written > 0;
    errno = r->broken && written >= 0 ? ENOSPC : errno; /* a part of it has been written */
    if (!r->broken) {
        struct stat now;
        r->chain = longer;
        r->chain_end = r->reader >= 0 && fstat(r->reader, &now) == 0 ? now.st_size : 0;
    }
    return !r->broken;
}

bool host_record_write(struct host_record *r, char *line, size_t n, size_t room)
{
    bool locked = r->reader >= 0 && flock(r->reader, LOCK_EX) == 0;
    bool written = write_chained(r, line, n, room);
    int error = errno;

    if (locked) {
        (void)flock(r->reader, LOCK_UN);
    }
    errno = error;
    return written;
}
