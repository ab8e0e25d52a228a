/* serial.c -- one host on a serial port, as a device with a UART would serve it: plain
 * lines, log lines ignored, reliable mode when the host asks for it (port/uart).
 *
 * The port may go away and come back: a cable is pulled, or the other side of a pseudo-terminal is closed. Then
 * pending requests are dropped and the port is reopened. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../uart/uart.h"
#include "clock.h"
#include "console.h"
#include "log.h"
#include "serve.h"
#include "tty.h"

#define RETRY_MS 100 /* between two attempts to reopen a port */
#define TICK_MS 10   /* the precision of frame timeouts */

static struct skr_conn conn;
static struct skr_uart uart;

static void on_signal(int number)
{
    (void)number;
    _exit(0);
}

/* Bytes that the port has not taken yet. */
struct outgoing {
    uint8_t bytes[1024];
    size_t at, n;
};

/* Sends what there is. False when the port is gone. */
static bool send_bytes(int fd, struct outgoing *out)
{
    for (;;) {
        if (out->at == out->n) {
            out->at = 0;
            out->n = skr_uart_tx(&uart, out->bytes, sizeof out->bytes);
            if (out->n == 0) {
                return true;
            }
        }
        ssize_t k = write(fd, out->bytes + out->at, out->n - out->at);
        if (k < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        out->at += (size_t)k;
    }
}

/* Received bytes that the core has no room for yet. */
struct incoming {
    uint8_t bytes[256];
    size_t n;
};

/* Reads once, and hands over what the core has room for. False when the port is gone. */
static bool receive(int fd, struct incoming *in)
{
    if (in->n < sizeof in->bytes) {
        ssize_t k = read(fd, in->bytes + in->n, sizeof in->bytes - in->n);
        if (k == 0 || (k < 0 && errno != EAGAIN && errno != EINTR)) {
            return false;
        }
        in->n += k > 0 ? (size_t)k : 0;
    }
    size_t taken = skr_uart_rx(&uart, in->bytes, in->n);
    memmove(in->bytes, in->bytes + taken, in->n - taken);
    in->n -= taken;
    return true;
}

/* Serves until the port is gone. */
static void serve_port(struct skr_server *server, struct posix_reload *reload, int fd)
{
    struct outgoing out = {.n = 0};
    struct incoming in = {.n = 0};

    skr_uart_open(&uart, server, &conn);
    for (;;) {
        skr_uart_tick(&uart, (uint32_t)host_clock_ms());
        bool working = skr_server_tick(server, (uint32_t)host_clock_ms());
        if (!receive(fd, &in) || !send_bytes(fd, &out)) {
            break;
        }
        if (posix_reload_holds(reload)) {
            posix_reload_turn(reload, skr_conn_uses_old_image(&conn));
        }
        bool full = out.at < out.n;
        struct pollfd end = {.fd = fd, .events = (short)((in.n < sizeof in.bytes ? POLLIN : 0) | (full ? POLLOUT : 0))};
        (void)poll(&end, 1, working ? SKR_SOCKETS_WORK_MS : uart.frame.state != SKR_FRAME_OFF ? TICK_MS : 1000);
        if ((end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
            break;
        }
    }
    skr_conn_close(&conn);
}

int posix_serve_serial(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload)
{
    char what[64];
    bool reported = false;

    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    posix_describe(server, what, sizeof what);
    posix_log_start(server, options, options->serial, NULL);
    for (;;) {
        int fd = posix_tty_open(options->serial, options->baud);
        if (fd < 0 && !reported) {
            host_log("%s: %s", options->serial,
                     errno == ENOTTY   ? "not a serial port; give one such as /dev/ttyACM0"
                     : errno == EBUSY  ? "in use by another program; close that program"
                     : errno == EACCES ? "Permission denied; join the group that owns the port, often dialout"
                     : errno == ENOENT ? "No such file or directory; check the name, and that the device is plugged in"
                                       : strerror(errno));
            return 1;
        }
        if (fd < 0) {
            (void)poll(NULL, 0, RETRY_MS);
            continue;
        }
        if (!reported && !options->quiet) {
            host_log("serving %s on %s at %u baud", what, options->serial, (unsigned)options->baud);
            posix_log_unhandled(server);
        }
        reported = true;
        serve_port(server, reload, fd);
        close(fd);
    }
}
