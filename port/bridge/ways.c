/* ways.c -- see ways.h. */
#include "ways.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cable.h"
#include "lines.h"
#include "post.h"
#include "say.h"

bool skr_ways_check(const struct skr_bridge_call *call)
{
    for (size_t i = 0; i < call->device_count; i++) {
        if (call->targets[i].scheme != SKR_SCHEME_NONE) {
            continue;
        }
        int fd = open(call->paths[i], O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        bool other = fd >= 0 ? !isatty(fd) : errno == EISDIR;
        if (fd >= 0) {
            close(fd);
        }
        if (other) {
            skr_say("%s: not a serial port; skillrom bridge --list shows those on USB", call->paths[i]);
            return false;
        }
    }
    return true;
}

static struct skr_way *make(struct skr_bridge_call *call, size_t i)
{
    static struct skr_cable cables[SKR_BRIDGE_DEVICES];
    static struct skr_lines lines[SKR_BRIDGE_DEVICES];
    static struct skr_posts posts[SKR_BRIDGE_DEVICES];
    switch (call->targets[i].scheme) {
    case SKR_SCHEME_TCP:
        lines[i].target = call->targets[i];
        skr_lines_init(&lines[i]);
        return &lines[i].way;
    case SKR_SCHEME_HTTP:
    case SKR_SCHEME_HTTPS:
        posts[i].target = call->targets[i];
        posts[i].token = call->token;
        posts[i].trust = &call->trust;
        skr_posts_init(&posts[i]);
        return &posts[i].way;
    default:
        cables[i].baud = call->bauds[i] != 0 ? call->bauds[i] : call->baud;
        cables[i].plain = call->plain;
        cables[i].alone = call->alone;
        skr_cable_init(&cables[i]);
        return &cables[i].way;
    }
}

struct skr_way *skr_ways_open(struct skr_bridge_call *call, size_t i)
{
    struct skr_way *way = make(call, i);
    way->path = call->paths[i];
    way->label = call->device_count > 1 ? call->names[i] : "device";
    way->quiet = call->quiet;
    return way;
}

void skr_ways_start(struct skr_relay *relays, struct skr_bridge_call *call)
{
    for (size_t i = 0; i < call->device_count; i++) {
        struct skr_relay *r = &relays[i];
        r->way = skr_ways_open(call, i);
        memcpy(r->name, call->names[i], sizeof r->name);
        r->wait_ms = call->wait_ms;
        r->answer_ms = call->answer_ms;
        r->promises = !call->no_changes;
    }
}
