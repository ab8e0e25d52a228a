/* stdio.c -- one client on stdin and stdout. It started us, reads what we write
 * and ends us by closing our stdin. Answers go to stdout and nothing else does.
 *
 * Both ends may be blocking or not: they are shared with whoever started us, so
 * their flags are left alone. A read happens only after poll says that it will
 * not block; a write may block, since until the answer has left there is nothing
 * else to do. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "gather.h"
#include "say.h"
#include "serve.h"

static struct skr_conn conn;

/* Whoever ends us by signal does not wait for answers; the polite way is to close stdin. */
static void on_signal(int number)
{
    (void)number;
    _exit(0);
}

/* Waits until fd can be read or written, as `events` says. False when nobody
 * reads stdout any more. */
static bool wait_for(int fd, short events)
{
    /* The second asks for no events: it tells only when the reader has gone. */
    struct pollfd ends[2] = {{.fd = fd, .events = events}, {.fd = STDOUT_FILENO}};

    for (;;) {
        if (poll(ends, 2, -1) < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        if (ends[0].revents & events) {
            return true;
        }
        if (ends[1].revents != 0) {
            return false;
        }
        if (ends[0].revents != 0) {
            return true; /* hung up: the read or write will tell */
        }
    }
}

/* Sends every answer there is. False when nobody reads them. */
static bool send_answers(void)
{
    struct iovec pieces[SKR_TX_SPANS];
    size_t offered;
    int count;

    while ((count = skr_gather(&conn, pieces, &offered)) > 0) {
        ssize_t n = writev(STDOUT_FILENO, pieces, count);
        if (n >= 0) {
            skr_conn_tx_done(&conn, (size_t)n);
        } else if (errno == EAGAIN) {
            if (!wait_for(STDOUT_FILENO, POLLOUT)) {
                return false;
            }
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

/* Reads once; blocks until there is something. False at the end of the input. */
static bool receive(void)
{
    size_t room;
    void *to = skr_conn_rx_room(&conn, &room);

    if (!wait_for(STDIN_FILENO, POLLIN)) {
        return false;
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

int skr_serve_stdio(struct skr_server *server, const char *what)
{
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    skr_conn_open(&conn, server, SKR_LINE);
    skr_say("serving %s on stdin and stdout", what);

    while (receive()) {
        if (!send_answers()) {
            return 0;
        }
    }

    /* An unfinished last line counts as a line, as it does for most programs:
     * `printf '{..}' | skillromd X.rom` then gets its answer. An empty line is none. */
    skr_conn_rx(&conn, "\n", 1);
    (void)send_answers();
    return 0;
}
