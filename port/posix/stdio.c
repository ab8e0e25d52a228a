/* stdio.c -- one client on stdin and stdout. It started us, reads what we write
 * and ends us by closing our stdin. Responses go to stdout and nothing else does.
 *
 * Both ends may be blocking or not: they are shared with the parent process, so
 * their flags are left alone. A read happens only after poll says that it will
 * not block; a write may block, since until the response has left there is nothing
 * else to do. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "console.h"
#include "log.h"
#include "serve.h"
#include "system.h"

static struct skr_conn conn;
static bool working;     /* a handler needs more time */
static int signals = -1; /* becomes readable when a new image is requested; -1: never */

/* A client that ends us by a signal does not wait for responses; a clean end is to close stdin. */
static void on_signal(int number)
{
    (void)number;
    _exit(0);
}

enum waited {
    WAITED_READY,  /* fd can be read or written */
    WAITED_SIGNAL, /* a new image is requested */
    WAITED_TIME,   /* a handler wants to be called again */
    WAITED_ALONE,  /* stdout has no reader any more */
};

/* Waits until fd can be read or written, as `events` says, or for a signal, if signal_fd is not -1; at most for `ms`,
 * -1: without limit. */
static enum waited wait_for(int fd, short events, int signal_fd, int ms)
{
    /* The second asks for no events: it only reports that the reader has gone. */
    struct pollfd ends[3] = {{.fd = fd, .events = events}, {.fd = STDOUT_FILENO}, {.fd = signal_fd, .events = POLLIN}};

    for (;;) {
        int count = poll(ends, 3, ms);
        if (count < 0) {
            if (errno == EINTR) {
                continue;
            }
            return WAITED_ALONE;
        }
        if (count == 0) {
            return WAITED_TIME;
        }
        if (ends[2].revents != 0) {
            return WAITED_SIGNAL;
        }
        if (ends[0].revents & events) {
            return WAITED_READY;
        }
        if (ends[1].revents != 0) {
            return WAITED_ALONE;
        }
        if (ends[0].revents != 0) {
            return WAITED_READY; /* hung up: the read or write will report it */
        }
    }
}

/* Sends every response there is. False when stdout has no reader. */
static bool send_responses(void)
{
    struct skr_span spans[SKR_TX_SPANS];
    struct iovec pieces[SKR_TX_SPANS];
    size_t count;

    while ((count = skr_conn_txv(&conn, spans, SKR_TX_SPANS)) > 0) {
        for (size_t i = 0; i < count; i++) {
            pieces[i].iov_base = (void *)(uintptr_t)spans[i].p; /* only read, though the type does not say so */
            pieces[i].iov_len = spans[i].n;
        }
        ssize_t n = writev(STDOUT_FILENO, pieces, (int)count);
        if (n >= 0) {
            skr_conn_tx_done(&conn, (size_t)n);
        } else if (errno == EAGAIN) {
            if (wait_for(STDOUT_FILENO, POLLOUT, -1, -1) == WAITED_ALONE) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Lets handlers that need time go on, and sends every response there is. False when stdout has no reader. The next request
 * is handled only when a response has left, and may start a handler: so whether one is working is checked last. */
static bool work_and_respond(struct skr_server *server)
{
    skr_server_tick(server, (uint32_t)host_clock_ms());
    bool read = send_responses();
    working = skr_server_tick(server, (uint32_t)host_clock_ms());
    return read;
}

/* A new image is requested. No response is under way: all have been sent before we wait. */
static void replace_image(struct posix_reload *reload)
{
    if (host_signals_next(signals) != 0) {
        reload->wanted = true;
        posix_reload_turn(reload, false);
    }
}

/* Reads once; blocks until there is input or a new image. False at the end of the input. */
static bool receive(struct posix_reload *reload)
{
    size_t room;
    void *to = skr_conn_rx_room(&conn, &room);
    bool full = room == 0; /* a batch waits for a handler: nothing is read until that is done */

    switch (wait_for(full ? -1 : STDIN_FILENO, POLLIN, signals, working || full ? SKR_SOCKETS_WORK_MS : -1)) {
    case WAITED_ALONE: return false;
    case WAITED_TIME: return true;
    case WAITED_SIGNAL: replace_image(reload); return true;
    case WAITED_READY: break;
    }
    ssize_t n = read(STDIN_FILENO, to, room);
    if (n < 0) {
        return errno == EAGAIN || errno == EINTR;
    }
    if (n == 0) {
        return false;
    }
    skr_conn_rx_done(&conn, (size_t)n);
    return true;
}

/* From now on SIGHUP does not end us, but requests a new image. */
static bool watch_for_images(void)
{
    sigset_t hangup;

    sigemptyset(&hangup);
    sigaddset(&hangup, SIGHUP);
    signals = host_signals_open(&hangup);
    if (signals < 0) {
        host_log("cannot wait for signals: %s", strerror(errno));
    }
    return signals >= 0;
}

int posix_serve_stdio(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload)
{
    char what[64];

    if (options->reload && !watch_for_images()) {
        return 1;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    skr_conn_open(&conn, server, SKR_LINE);
    posix_describe(server, what, sizeof what);
    if (!options->quiet) {
        host_log("serving %s on stdin and stdout", what);
        posix_reload_remark(reload);
    }
    posix_log_start(server, options, "stdin", NULL);

    while (receive(reload)) {
        if (!work_and_respond(server)) {
            return 0;
        }
        if (posix_reload_holds(reload)) {
            posix_reload_turn(reload, skr_conn_uses_old_image(&conn));
        }
    }

    /* An unfinished last line counts as a line, as it does for most programs: `printf '{..}' |
     * skillromd X.rom` then gets its response. An empty line is ignored. */
    bool ended = skr_conn_rx(&conn, "\n", 1) == 1;
    while (work_and_respond(server) && (working || !ended)) { /* a deadline ends every handler */
        ended = ended || skr_conn_rx(&conn, "\n", 1) == 1;
#if SKR_INTERACTIVE
        skr_conn_rx_end(&conn);
#endif
        if (wait_for(-1, 0, -1, SKR_SOCKETS_WORK_MS) == WAITED_ALONE) {
            break;
        }
    }
    return 0;
}
