/* serve.h -- the two ways to serve, once image and options are known. Each runs
 * until its work is over and returns the exit code. `what` is for the ready
 * message: "3 skills, 2 tools". */
#ifndef SKR_SERVE_H
#define SKR_SERVE_H

#include "options.h"
#include "skillrom.h"

/* One client on stdin and stdout, until stdin ends. (stdio.c) */
int skr_serve_stdio(struct skr_server *server, const char *what);

/* Many clients at the addresses of the options, until a signal. (net.c) */
int skr_serve_net(struct skr_server *server, const struct skr_options *options, const char *what);

#endif
