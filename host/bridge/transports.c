/* ways.c -- see ways.h. */
#include "transports.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "serial.h"
#include "tcp.h"
#include "http.h"
#include "console.h"

bool bridge_transports_check(const struct bridge_options *call)
{
    for (size_t i = 0; i < call->device_count; i++) {
        if (call->targets[i].scheme != BRIDGE_SCHEME_NONE) {
            continue;
        }
        int fd = open(call->paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        bool other = fd >= 0 ? !isatty(fd) : errno == EISDIR;
        if (fd >= 0) {
            close(fd);
        }
        if (other) {
            host_log("%s: not a serial port; skillrom bridge --list shows those on USB", call->paths[i]);
            return false;
        }
    }
    return true;
}

static struct bridge_transport *make(struct bridge_options *call, size_t i)
{
    static struct bridge_serial cables[BRIDGE_DEVICES];
    static struct bridge_tcp lines[BRIDGE_DEVICES];
    static struct bridge_http posts[BRIDGE_DEVICES];
    switch (call->targets[i].scheme) {
    case BRIDGE_SCHEME_TCP:
        lines[i].target = call->targets[i];
        bridge_tcp_init(&lines[i]);
        return &lines[i].way;
    case BRIDGE_SCHEME_HTTP:
    case BRIDGE_SCHEME_HTTPS:
        posts[i].target = call->targets[i];
        posts[i].token = call->token;
        posts[i].trust = &call->trust;
        bridge_http_init(&posts[i]);
        return &posts[i].way;
    default:
        cables[i].baud = call->bauds[i] != 0 ? call->bauds[i] : call->baud;
        cables[i].plain = call->plain;
        cables[i].alone = call->alone;
        bridge_serial_init(&cables[i]);
        return &cables[i].way;
    }
}

struct bridge_transport *bridge_transports_open(struct bridge_options *call, size_t i)
{
    struct bridge_transport *way = make(call, i);
    way->path = call->paths[i];
    way->label = call->device_count > 1 ? call->names[i] : "device";
    way->quiet = call->quiet;
    return way;
}

void bridge_transports_start(struct bridge_relay *relays, struct bridge_options *call)
{
    for (size_t i = 0; i < call->device_count; i++) {
        struct bridge_relay *r = &relays[i];
        r->way = bridge_transports_open(call, i);
        memcpy(r->name, call->names[i], sizeof r->name);
        r->wait_ms = call->wait_ms;
        r->answer_ms = call->answer_ms;
        r->promises = !call->no_changes;
    }
}
