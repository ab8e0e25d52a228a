/* endpoint.c -- see endpoint.h. */
#include "endpoint.h"

#include <string.h>

#include "cmdline.h"
#include "console.h"
#include "options.h"
#include "tty.h"

#define BAUD_MAX 4000000 /* the fastest that termios has a name for */

static bool add_listener(struct posix_options *options, const char *name, const char *value, enum skr_wire wire,
                         bool secure)
{
    if (options->listen_count == SKR_SOCKETS_LISTENERS) {
        host_log("%s %s: at most %d addresses can be served; leave one out", name, value, SKR_SOCKETS_LISTENERS);
        return false;
    }
    struct posix_listen *listen = &options->listen[options->listen_count];
    if (!posix_address_parse(&listen->address, value)) {
        host_log("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:7700 or [::1]:7700", name, value);
        return false;
    }
    listen->wire = wire;
    listen->secure = secure;
    options->listen_count++;
    return true;
}

bool posix_take_http(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, false);
}

bool posix_take_https(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, true);
}

bool posix_take_tcp(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_LINE_TCP, false);
}

void posix_endpoint_defaults(struct posix_options *options)
{
    *options = (struct posix_options){
        .path = "/mcp",
        .slots = SKR_SOCKETS_SLOTS,
        .timeout_ms = SKR_SOCKETS_TIMEOUT_MS,
        .idle_ms = SKR_SOCKETS_IDLE_MS,
        .drain_ms = POSIX_DRAIN_MS,
    };
}

bool posix_take_host(void *into, const char *name, const char *value)
{
    struct posix_options *options = into;

    if (options->host_count == POSIX_HOSTS) {
        host_log("%s %s: at most %d names can be given; leave one out", name, value, POSIX_HOSTS);
        return false;
    }
    if (*value == '\0' || strpbrk(value, "/ \t") != NULL) {
        host_log("%s %s: not a host name; give it alone, as in pump.local", name, value);
        return false;
    }
    options->hosts[options->host_count++] = value;
    return true;
}

bool posix_take_path(void *into, const char *name, const char *value)
{
    struct posix_options *options = into;

    if (value[0] != '/' || strpbrk(value, "?# \t") != NULL) {
        host_log("%s %s: not a path; it starts with a slash, as in /mcp", name, value);
        return false;
    }
    options->path = value;
    return true;
}

bool posix_take_baud(void *baud, const char *name, const char *value)
{
    if (!host_take_number(name, value, 1, BAUD_MAX, baud)) {
        return false;
    }
    if (!posix_tty_supports(*(uint32_t *)baud)) {
        host_log("%s %s: unsupported baud rate; use 9600, 115200 or 921600", name, value);
        return false;
    }
    return true;
}
