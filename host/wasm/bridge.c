/* bridge.c -- `skillrom bridge` for one serial port as a WebAssembly module: backend, relay, serial transport and frames are those of
 * host/bridge, host/transport and port/uart, unchanged. JavaScript has the clients (port/wasm/links.mjs), the port (serial.mjs), the
 * time and random bytes, which are imported. What serial.c calls of the system stands here. */
#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "../../port/posix/serve.h"
#include "../../port/posix/tty.h"
#include "../../port/wasm/links.h"
#include "../bridge/backend.h"
#include "../bridge/cache.h"
#include "../bridge/requests.h"
#include "../bridge/timer.h"
#include "../transport/serial.h"
#include "../transport/share.h"
#include "console.h"

#define IMPORT(name) __attribute__((import_module("env"), import_name(#name)))
#define TTY 100           /* the descriptor of the port; those of files are smaller */
#define IDLE_TURN_MS 1000 /* the longest pause between two turns */
#define WORKING_TURN_MS 5 /* and while the core has jobs */

IMPORT(tty_open) int tty_open(uint32_t baud);      /* 1 means that it is being opened, less than 0 is an errno */
IMPORT(tty_read) int tty_read(void *to, size_t n); /* 0 means nothing yet, -1 that the port is gone */
IMPORT(tty_write) int tty_write(const void *from, size_t n); /* likewise */
IMPORT(tty_close) void tty_close(void);
IMPORT(tty_baud) int tty_baud(uint32_t baud);
IMPORT(print) void print(const void *text, size_t n);

static struct bridge_relay relay;
static struct transport_serial serial;
static char larges[BRIDGE_LARGES][TRANSPORT_LARGE];
static bool port_is_gone, turn_is_due;
static char name[64] = "the port"; /* JavaScript may write a better one before the start */

ssize_t read(int fd, void *to, size_t n)
{
    int k = fd == TTY ? tty_read(to, n) : -1;

    port_is_gone |= k < 0;
    errno = k == 0 ? EAGAIN : EIO;
    return k > 0 ? k : k == 0 ? -1 : 0;
}

ssize_t write(int fd, const void *from, size_t n)
{
    if (fd != TTY) {
        print(from, n);
        return (ssize_t)n;
    }
    int k = tty_write(from, n);
    errno = k == 0 ? EAGAIN : EIO;
    return k > 0 ? k : -1;
}

/* Opening takes JavaScript a while; until it has failed, nobody is told that the port is missing. */
int posix_tty_open(const char *path, uint32_t baud)
{
    static bool opening, reported_gone;
    int k = tty_open(baud);

    (void)path;
    if ((k > 0) != opening) {
        reported_gone = opening ? reported_gone : serial.reported_gone;
        serial.reported_gone = opening ? reported_gone : true;
        opening = !opening;
    }
    port_is_gone = false;
    errno = k > 0 ? serial.open_error : -k; /* while it opens, nothing has changed */
    return k == 0 ? TTY : -1;
}

/* clang-format off */
/* Ports are not shared between bridges: serial.alone is set, so these are not called. */
int transport_share_connect(const char *path)         { (void)path; return -1; }
int transport_share_listen(const char *path)          { (void)path; return -1; }
int transport_share_accept(int fd)                    { (void)fd; return -1; }
bool posix_net_adopt(int fd, const char *from)    { (void)fd; (void)from; return false; }

/* Nothing is kept between two runs. */
size_t bridge_cache_get(const uint8_t key[BRIDGE_CACHE_KEY], char *to, size_t room)       { (void)key; (void)to; (void)room; return 0; }
void bridge_cache_put(const uint8_t key[BRIDGE_CACHE_KEY], const char *bytes, size_t n)   { (void)key; (void)bytes; (void)n; }
void bridge_cache_drop(const uint8_t key[BRIDGE_CACHE_KEY])                               { (void)key; }

/* The one descriptor is the port's, which JavaScript has opened: it is its own, and no terminal. */
void posix_tty_exclude(int fd)                    { (void)fd; }
void posix_tty_close(int fd)                      { close(fd); }
bool posix_tty_set_baud(int fd, uint32_t baud)    { (void)fd; return tty_baud(baud) == 0; }
int isatty(int fd)                              { (void)fd; return 0; }
int poll(struct pollfd *ends, nfds_t n, int ms) { (void)n; (void)ms; ends->revents = port_is_gone ? POLLHUP : 0; return port_is_gone; }
int close(int fd)                               { if (fd == TTY) { tty_close(); } return 0; }

void bridge_timer_in(uint32_t ms)                   { turn_is_due |= ms == 0; }
/* clang-format on */

/* Serves the device on the port. A baud of 0 tries the usual speeds; `plain` never asks for the reliable mode. */
WASM_EXPORT(bridge_start)
void bridge_start(uint32_t baud, int plain, uint32_t wait_ms, uint32_t response_ms, uint32_t poll_ms)
{
    host_log_set_name("skillrom bridge");
    serial.baud = baud;
    serial.plain = plain != 0;
    serial.alone = true;
    transport_serial_init(&serial);
    serial.base.path = name;
    serial.base.label = "device";
    relay.transport = &serial.base;
    relay.wait_ms = wait_ms;
    relay.response_ms = response_ms;
    relay.promises = true;
    relay.larges = larges;
    relay.on_change = bridge_backend_changed;
    bridge_relay_init(&relay);
    bridge_backend_init(&relay, 1, true, poll_ms);
    links_begin(&bridge_server);
}

/* Passes the time, of the clock that the module imports. Returns in how many milliseconds to call again. */
WASM_EXPORT(link_tick) int link_tick(double now_ms)
{
    uint64_t clock_ms = (uint64_t)now_ms;

    (void)skr_server_tick(&bridge_server, (uint32_t)clock_ms);
    bridge_relay_turn(&relay, clock_ms);
    bridge_requests_tidy();
    bool working = skr_server_tick(&bridge_server, (uint32_t)clock_ms);
    uint32_t wait = bridge_relay_wait_ms(&relay, clock_ms), longest = working ? WORKING_TURN_MS : IDLE_TURN_MS;
    wait = turn_is_due ? 0 : wait < longest ? wait : longest;
    turn_is_due = false;
    return (int)wait;
}

/* clang-format off */
/* 0 without a device, 1 in plain mode, 2 in reliable mode. */
WASM_EXPORT(bridge_state) int bridge_state(void)    { return serial.base.state <= TRANSPORT_PROBING ? 0 : serial.base.state == TRANSPORT_PLAIN ? 1 : 2; }
WASM_EXPORT(bridge_name) char *bridge_name(void)    { return name; }
WASM_EXPORT(bridge_end) void bridge_end(void)       { transport_end(&serial.base); }
/* clang-format on */
