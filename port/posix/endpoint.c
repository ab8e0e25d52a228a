/* endpoint.c -- see endpoint.h. */
#include "endpoint.h"

#include <string.h>

#include "cmdline.h"
#include "options.h"
#include "say.h"
#include "tty.h"

#define BAUD_MAX 4000000 /* the fastest that termios has a name for */

static bool add_listener(struct skr_options *options, const char *name, const char *value, enum skr_wire wire,
                         bool secure)
{
    if (options->listen_count == SKR_POSIX_LISTENERS) {
        skr_say("%s %s: at most %d addresses can be served; leave one out", name, value, SKR_POSIX_LISTENERS);
        return false;
    }
    struct skr_listen *listen = &options->listen[options->listen_count];
    if (!skr_address_parse(&listen->address, value)) {
        skr_say("%s %s: not an address; give ADDR:PORT, as in 127.0.0.1:7700 or [::1]:7700", name, value);
        return false;
    }
    listen->wire = wire;
    listen->secure = secure;
    options->listen_count++;
    return true;
}

bool skr_take_http(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, false);
}

bool skr_take_https(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_HTTP_1, true);
}

bool skr_take_tcp(void *options, const char *name, const char *value)
{
    return add_listener(options, name, value, SKR_LINE_TCP, false);
}

void skr_endpoint_defaults(struct skr_options *options)
{
    *options = (struct skr_options){
        .path = "/mcp",
        .slots = SKR_POSIX_SLOTS,
        .timeout_ms = SKR_POSIX_TIMEOUT_MS,
        .idle_ms = SKR_POSIX_IDLE_MS,
        .drain_ms = SKR_POSIX_DRAIN_MS,
    };
}

bool skr_take_host(void *into, const char *name, const char *value)
{
    struct skr_options *options = into;

    if (options->host_count == SKR_POSIX_HOSTS) {
        skr_say("%s %s: at most %d names can be given; leave one out", name, value, SKR_POSIX_HOSTS);
        return false;
    }
    if (*value == '\0' || strpbrk(value, "/ \t") != NULL) {
        skr_say("%s %s: not a host name; give it alone, as in pump.local", name, value);
        return false;
    }
    options->hosts[options->host_count++] = value;
    return true;
}

bool skr_take_path(void *into, const char *name, const char *value)
{
    struct skr_options *options = into;

    if (value[0] != '/' || strpbrk(value, "?# \t") != NULL) {
        skr_say("%s %s: not a path; it starts with a slash, as in /mcp", name, value);
        return false;
    }
    options->path = value;
    return true;
}

bool skr_take_baud(void *baud, const char *name, const char *value)
{
    if (!skr_take_number(name, value, 1, BAUD_MAX, baud)) {
        return false;
    }
    if (!skr_tty_knows(*(uint32_t *)baud)) {
        skr_say("%s %s: unsupported baud rate; use 9600, 115200 or 921600", name, value);
        return false;
    }
    return true;
}
