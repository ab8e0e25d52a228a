/* stdio_client.c -- see stdio_client.h. stdin and stdout are shared with the program that started the bridge, so their flags
 * are left alone: each read and write waits for poll, and a write is no larger than a pipe takes without blocking. */
#include "stdio_client.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "system.h"

struct pipe_buffer {
    char bytes[65536];
    size_t at, n;
    bool ended; /* end of input */
};

static int core_end = -1; /* our end of the pair */
static struct pipe_buffer in, out;
static bool shut; /* the core has got the end of input */

int bridge_stdio_open(void)
{
    int pair[2];
    if (!host_socket_pair(pair)) {
        return -1;
    }
    core_end = pair[0];
    return pair[1];
}

static bool is_ready(int fd, short events)
{
    struct pollfd end = {.fd = fd, .events = events};
    return poll(&end, 1, 0) > 0;
}

/* Reads once, if everything read before has been passed on. */
static bool fill(struct pipe_buffer *pipe, int fd)
{
    if (pipe->ended || pipe->at < pipe->n || !is_ready(fd, POLLIN)) {
        return false;
    }
    ssize_t k = read(fd, pipe->bytes, sizeof pipe->bytes);
    pipe->at = 0;
    pipe->n = k > 0 ? (size_t)k : 0;
    pipe->ended = k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR);
    return k > 0;
}

/* Writes once. False when nothing could be written. */
static bool drain(struct pipe_buffer *pipe, int fd, bool *broken)
{
    size_t n = pipe->n - pipe->at;
    n = n < PIPE_BUF ? n : PIPE_BUF;
    if (n == 0 || !is_ready(fd, POLLOUT)) {
        return false;
    }
    ssize_t k = write(fd, pipe->bytes + pipe->at, n);
    *broken |= k < 0 && errno != EAGAIN && errno != EINTR;
    pipe->at += k > 0 ? (size_t)k : 0;
    return k > 0;
}

bool bridge_stdio_turn(void)
{
    bool moved, broken = false;
    do {
        moved = fill(&in, STDIN_FILENO);
        moved |= drain(&in, core_end, &broken);
        moved |= fill(&out, core_end);
        moved |= drain(&out, STDOUT_FILENO, &broken);
    } while (moved && !broken);
    if (in.ended && in.at == in.n && !shut) {
        shut = true;
        (void)shutdown(core_end, SHUT_WR); /* pending requests still get their responses */
    }
    return !broken && !(out.ended && out.at == out.n);
}

unsigned bridge_stdio_wants(int fds[3], short events[3])
{
    unsigned n = 0;
    if (!in.ended && in.at == in.n) {
        fds[n] = STDIN_FILENO;
        events[n++] = POLLIN;
    }
    if (out.at < out.n) {
        fds[n] = STDOUT_FILENO;
        events[n++] = POLLOUT;
    }
    fds[n] = core_end;
    events[n++] = (short)((out.at == out.n && !out.ended ? POLLIN : 0) | (in.at < in.n ? POLLOUT : 0));
    return n;
}
