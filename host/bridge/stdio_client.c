/* stdio_client.c -- see stdio_client.h. stdin and stdout are shared with the program that started the bridge, so their flags
 * are left alone: each read and write waits for poll, and a write is not larger than a pipe takes without blocking. */
#include "stdio_client.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"
#include "system.h"

struct pipe_buffer {
    char bytes[65536];
    size_t at, n;
    bool ended; /* end of input */
};

static int core_end = -1; /* our end of the pair */
static struct pipe_buffer in, out;
static bool shut;        /* the core has got the end of input */
static char line[65536]; /* with --channel: from the core, until a line is complete */
static size_t held;

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
static bool pipe_fill(struct pipe_buffer *pipe, int fd)
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
static bool pipe_drain(struct pipe_buffer *pipe, int fd, bool *broken)
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

/* Length of the first line that is held; 0 while it is not complete. What is longer than the buffer is passed on as it is. */
static size_t first_line(void)
{
    const char *end = memchr(line, '\n', held);

    if (end != NULL && bridge_channel_waits()) {
        return (size_t)(end - line) + 1;
    }
    return end != NULL || out.ended || held == sizeof line ? held : 0;
}

/* Passes on the first line that is held, edited if need be. False when there is none. */
static bool pass_line(void)
{
    size_t n = first_line();

    memcpy(out.bytes, line, n);
    held -= n;
    memmove(line, line + n, held);
    out.n = bridge_channel_edit(out.bytes, n, sizeof out.bytes);
    out.at = 0;
    return n > 0;
}

/* With --channel: until the response to initialize has passed, lines are passed on one by one, so that it can be edited;
 * afterwards notifications go between two messages. */
static bool fill_out(void)
{
    bool at_line_start = out.n == 0 || out.bytes[out.n - 1] == '\n';

    if (out.at < out.n) {
        return false;
    }
    size_t n = at_line_start ? bridge_channel_take(out.bytes, sizeof out.bytes) : 0;
    if (n > 0) {
        out.at = 0;
        out.n = n;
        return true;
    }
    if (held > 0 && pass_line()) {
        return true;
    }
    if (!bridge_channel_waits() && held == 0) {
        return pipe_fill(&out, core_end);
    }
    if (out.ended || !is_ready(core_end, POLLIN)) {
        return false;
    }
    ssize_t k = read(core_end, line + held, sizeof line - held);
    held += k > 0 ? (size_t)k : 0;
    out.ended = k == 0;
    return k > 0 || held > 0;
}

bool bridge_stdio_turn(void)
{
    bool moved, broken = false;

    do {
        moved = pipe_fill(&in, STDIN_FILENO);
        moved |= pipe_drain(&in, core_end, &broken);
        moved |= fill_out();
        moved |= pipe_drain(&out, STDOUT_FILENO, &broken);
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
