/* serve.h -- the three transports of a server, once image and options are known. Each runs
 * until its work is over and returns the exit code. */
#ifndef SKR_SERVE_H
#define SKR_SERVE_H

#include "options.h"
#include "reload.h"
#include "skillrom.h"
#include "system.h"

#if !SKR_JOBS
#error "port/posix: SKR_JOBS must not be 0; tools of a PC may need time"
#endif

/* One client on stdin and stdout, until stdin ends. (stdio.c) */
int posix_serve_stdio(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload);

/* One host on a serial port, until a signal. (serial.c) */
int posix_serve_serial(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload);

/* Many clients at the addresses of the options, until a signal. (net.c) */
int posix_serve_net(struct skr_server *server, const struct posix_options *options, struct posix_reload *reload);

/* For a program that serves more than an image (host/bridge): something else for the loop of posix_serve_net to wait
 * for, set before it starts. fd becomes readable when `turn` is due. */
void posix_net_nest(struct host_waiter *side, void (*turn)(uint64_t now_ms));

/* In a turn: accepts a client of another transport, as a line connection on a non-blocking socket. Messages call it
 * `name`, which must stay. False, and the socket is closed, when there is no slot. */
bool posix_net_adopt(int fd, const char *name);

/* In a turn: ends the loop as a signal would. */
void posix_net_stop(void);

/* "3 skills, 2 tools": what clients see of the image being served. (describe.c) */
void posix_describe(const struct skr_server *server, char *what, size_t size);

/* True when the device has a handler of this name (serve.c). */
bool posix_has_handler(const struct skr_device *device, const char *name, size_t n);

/* Names the tools that the image describes but that have no handler, if there are any, so that people who serve their
 * own device with skillromd, which has no handlers, know why they are not listed. Under --exec-scripts it also says
 * which scripts can be run. (serve.c) */
void posix_log_unhandled(const struct skr_server *server);

#endif
