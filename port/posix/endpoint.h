/* endpoint.h -- options about where a program is reached, which skillromd and the bridge share. */
#ifndef SKR_ENDPOINT_H
#define SKR_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

/* For rows of host/base/cmdline.h: each takes a value into a struct posix_options. */
bool posix_take_http(void *options, const char *name, const char *value);
bool posix_take_https(void *options, const char *name, const char *value);
bool posix_take_tcp(void *options, const char *name, const char *value);
bool posix_take_host(void *options, const char *name, const char *value);
bool posix_take_path(void *options, const char *name, const char *value);

/* The initial options of a program that has no options for the others. */
struct posix_options;
void posix_endpoint_defaults(struct posix_options *options);

/* For a uint32_t: the speed of a serial line, one that tty.h knows. */
bool posix_take_baud(void *baud, const char *name, const char *value);

#endif
