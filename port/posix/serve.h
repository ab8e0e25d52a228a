/* serve.h -- the three ways to serve, once image and options are known. Each runs
 * until its work is over and returns the exit code. */
#ifndef SKR_SERVE_H
#define SKR_SERVE_H

#include "options.h"
#include "reload.h"
#include "skillrom.h"

/* One client on stdin and stdout, until stdin ends. (stdio.c) */
int skr_serve_stdio(struct skr_server *server, const struct skr_options *options, struct skr_reload *reload);

/* One host on a serial port, until a signal. (serial.c) */
int skr_serve_serial(struct skr_server *server, const struct skr_options *options);

/* Many clients at the addresses of the options, until a signal. (net.c) */
int skr_serve_net(struct skr_server *server, const struct skr_options *options, struct skr_reload *reload);

/* "3 skills, 2 tools": what clients see of the image being served. (serve.c) */
void skr_describe(const struct skr_server *server, char *what, size_t size);

#endif
