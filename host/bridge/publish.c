/* publish.c -- see publish.h. An MQTT client is a line connection of the core: one end of a pair of sockets, as for the client on
 * stdio. Bytes of the core are assembled to whole messages here, one client's at a time, so one buffer is enough for all. */
#include "publish.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../port/posix/serve.h"
#include "../mqtt/publisher.h"
#include "system.h"

#define LINKS (MQTT_CLIENTS + 1)
#define MESSAGES 64 /* of one turn */

/* A client's connection, and the part of its messages that the core has not taken yet. */
static struct link {
    int fd; /* 0 if closed */
    size_t at, n;
    size_t clear; /* the core may have the bytes before this */
    char bytes[BRIDGE_HELD];
} links[LINKS];

/* The message that is being assembled. */
static struct {
    unsigned link;
    size_t n;
    size_t whole; /* its length, even if it did not fit */
    bool ready;
    char text[MQTT_MESSAGE];
} line;

static struct mqtt_publisher publisher;
static struct mqtt_publisher_client clients[LINKS];

/* ---- Functions for the publisher ---- */

static bool open_link(void *owner, unsigned at)
{
    int pair[2];

    (void)owner;
    if (!host_socket_pair(pair)) {
        return false;
    }
    if (!posix_net_adopt(pair[1], at > 0 ? clients[at].id : "the publisher")) { /* which has closed it */
        close(pair[0]);
        return false;
    }
    links[at].fd = pair[0];
    links[at].at = links[at].n = links[at].clear = 0;
    return true;
}

static void close_link(void *owner, unsigned at)
{
    (void)owner;
    if (links[at].fd > 0) {
        close(links[at].fd);
    }
    links[at].fd = 0;
    if (line.link == at) {
        line.n = line.whole = 0;
        line.ready = false;
    }
}

static bool message_give(void *owner, unsigned at, const char *text, size_t n)
{
    struct link *to = &links[at];

    (void)owner;
    if (to->at > 0) {
        memmove(to->bytes, to->bytes + to->at, to->n - to->at);
        to->n -= to->at;
        to->clear -= to->at;
        to->at = 0;
    }
    if (to->fd <= 0 || n >= sizeof to->bytes - to->n) {
        return false;
    }
    mqtt_publisher_line(to->bytes + to->n, text, n);
    to->n += n + 1;
    return true;
}

static const struct mqtt_publisher_host host = {.open = open_link, .close = close_link, .give = message_give};

/* ---- Moving bytes ---- */

static void send_to_core(unsigned at)
{
    struct link *to = &links[at];

    while (to->fd > 0 && to->clear < to->n) {
        const char *line_at = to->bytes + to->clear, *end = memchr(line_at, '\n', to->n - to->clear);
        if (!mqtt_publisher_may_pass(&publisher, at, line_at, (size_t)(end - line_at))) {
            break;
        }
        to->clear = (size_t)(end - to->bytes) + 1; /* every message that was given ends with one */
    }
    while (to->fd > 0 && to->at < to->clear) {
        ssize_t k = send(to->fd, to->bytes + to->at, to->clear - to->at, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (k <= 0) {
            return; /* full; or closed, which reading shows */
        }
        to->at += (size_t)k;
    }
}

/* Reads up to the end of a line. False if nothing was there, or the core has closed the connection. */
static bool read_line(unsigned at)
{
    static char spill[65536];
    int fd = links[at].fd;
    size_t room = sizeof line.text - line.n;
    char *to = room > 0 ? line.text + line.n : spill;
    ssize_t seen = recv(fd, to, room > 0 ? room : sizeof spill, MSG_PEEK | MSG_DONTWAIT);

    if (seen <= 0) {
        if (seen == 0) {
            mqtt_publisher_closed(&publisher, at);
            close_link(NULL, at);
        }
        return false;
    }
    const char *end = memchr(to, '\n', (size_t)seen);
    size_t taken = end != NULL ? (size_t)(end - to) + 1 : (size_t)seen, content = taken - (end != NULL);
    (void)recv(fd, to, taken, MSG_DONTWAIT);
    line.link = at;
    line.n += room > 0 ? content : 0;
    line.whole += content;
    line.ready = end != NULL;
    return true;
}

/* True when the message has left. */
static bool hand_over(void)
{
    bool taken = line.whole == line.n ? mqtt_publisher_take(&publisher, line.link, line.text, line.n)
                                      : mqtt_publisher_take_cut(&publisher, line.link, line.text, line.n, line.whole);

    if (taken) {
        line.n = line.whole = 0;
        line.ready = false;
    }
    return taken;
}

/* Takes messages from all connections in turn, until there are none or the broker takes no more. */
static void move_messages(void)
{
    static unsigned next;

    for (unsigned idle = 0, count = 0; idle < LINKS && count < MESSAGES;) {
        if (line.ready) {
            if (!hand_over()) {
                return;
            }
            count++;
            next++;
        }
        unsigned at = line.whole > 0 ? line.link : next % LINKS;
        if (links[at].fd > 0 && read_line(at)) {
            idle = 0;
        } else if (line.whole > 0) {
            return; /* the rest of a message follows */
        } else {
            idle++;
            next++;
        }
    }
}

/* ---- For the bridge ---- */

bool bridge_publish_open(const struct bridge_options *options)
{
    if (options->mqtt.url == NULL) {
        return true;
    }
    publisher.broker = &options->mqtt;
    publisher.id = options->id;
    publisher.fixed_name = options->mqtt_name;
    publisher.clients = clients;
    publisher.client_count = LINKS;
    publisher.host = &host;
    publisher.check_ms = BRIDGE_CHECK_MS;
    return mqtt_prepare(&options->mqtt) && mqtt_publisher_open(&publisher);
}

void bridge_publish_turn(bool there, uint64_t now_ms)
{
    if (publisher.broker == NULL) {
        return;
    }
    mqtt_publisher_turn(&publisher, now_ms);
    mqtt_publisher_device(&publisher, there);
    move_messages();
    for (unsigned i = 0; i < LINKS; i++) {
        send_to_core(i);
    }
}

void bridge_publish_changed(void)
{
    if (publisher.broker != NULL) {
        mqtt_publisher_changed(&publisher);
    }
}

unsigned bridge_publish_wants(int fds[BRIDGE_PUBLISH_FDS], short events[BRIDGE_PUBLISH_FDS])
{
    unsigned n = 0;

    if (publisher.broker == NULL) {
        return 0;
    }
    fds[0] = mqtt_wants(&publisher.mqtt, &events[0]);
    n += fds[0] >= 0;
    for (unsigned i = 0; i < LINKS; i++) {
        bool reads = !line.ready && (line.whole == 0 || line.link == i);
        if (links[i].fd > 0) {
            fds[n] = links[i].fd;
            events[n++] = (short)((reads ? POLLIN : 0) | (links[i].at < links[i].clear ? POLLOUT : 0));
        }
    }
    return n;
}

uint32_t bridge_publish_wait_ms(uint64_t now_ms)
{
    return publisher.broker != NULL ? mqtt_publisher_wait_ms(&publisher, now_ms) : UINT32_MAX;
}

void bridge_publish_end(void)
{
    if (publisher.broker != NULL) {
        mqtt_publisher_close(&publisher);
    }
}
