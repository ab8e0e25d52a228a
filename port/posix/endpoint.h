/* endpoint.h -- options about where a program is reached, which skillromd and the bridge share. */
#ifndef SKR_ENDPOINT_H
#define SKR_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* For rows of host/cmdline.h: each takes a value into a struct skr_options. */
bool skr_take_http(void *options, const char *name, const char *value);
bool skr_take_https(void *options, const char *name, const char *value);
bool skr_take_tcp(void *options, const char *name, const char *value);
bool skr_take_host(void *options, const char *name, const char *value);
bool skr_take_path(void *options, const char *name, const char *value);

/* What a program begins with that has no options of its own for the rest. */
struct skr_options;
void skr_endpoint_defaults(struct skr_options *options);

/* For a uint32_t: the speed of a serial line, one that tty.h knows. */
bool skr_take_baud(void *baud, const char *name, const char *value);

#endif
