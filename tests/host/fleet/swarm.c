/* swarm.c -- N devices in one program: N cores of profile tiny, each published on a broker by a connection of its own.
 *
 * Everything is real but the processes: every device has its own core, image, tools and MQTT session. One thread and one epoll
 * move them all. Devices misbehave when reported to, by commands on stdin (see usage). */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../../host/mqtt/publisher.h"
#include "clock.h"
#include "console.h"
#include "devices.h"
#include "system.h"

static const char usage[] =
    "usage: swarm BROKER COUNT [--images DIR] [--prefix ID] [--first N] [--clients N]\n"
    "  BROKER      mqtt://HOST:PORT\n"
    "  --images    folder of pump.rom, pump-2.rom, valve.rom and meter.rom (build/fleet)\n"
    "  --prefix    what ids begin with; the first device is PREFIX-00000 (dev)\n"
    "  --first     number of the first device (0): a second swarm can go on where another ends\n"
    "  --clients   MQTT clients of one device at a time (2)\n"
    "Six of ten devices are pumps, three are valves, one is a meter. Says `ready` on stdout when all are published. Commands on\n"
    "stdin, for devices FROM to FROM + N - 1; each is answered with `done`:\n"
    "  vanish FROM N     breaks their connections, and stays away; `return FROM N` ends that\n"
    "  update FROM N     pumps restart with another build, pump-2.rom\n"
    "  slow FROM N MS    answer each message so much later\n"
    "  flood FROM N      send their clients log messages as fast as the broker takes them\n"
    "  calm FROM N       neither slow nor flooding\n"
    "  count             prints `up U of N, clients C, calls K, KB R`; R is the memory of this program\n";

#define PLACES_MAX 9
#define STARTING 200 /* connections that are being made at a time: a broker's backlog is not endless */
#define LINE 262144  /* the longest response of a device */

/* A message that a slow device has not looked at yet. */
struct held {
    struct held *next;
    uint64_t due_ms;
    unsigned place;
    size_t n;
    char text[];
};

struct device {
    char id[48];
    unsigned kind;
    bool started, away, floods;
    uint32_t slow_ms;
    struct held *held, **held_end;
    int fd;
    short events;
    struct swarm_state state;
    struct skr_device handlers;
    struct skr_server server;
    struct mqtt_publisher publisher;
    struct mqtt_publisher_client *clients;
    struct skr_conn **conns; /* of the places; NULL: closed */
};

static struct device *devices;
static size_t device_count, first, started, up, flooding, holding;
static unsigned places = 3; /* two clients, and the publisher's own */
static struct mqtt_broker broker;
static struct host_waiter waiter;
static union spare {
    union spare *next;
    struct skr_conn conn;
} * spare; /* connections that nobody has */
static char line[LINE];
static size_t line_n;

/* ---- The core ---- */

static bool open_place(void *owner, unsigned place)
{
    struct device *d = owner;
    union spare *found = spare;

    if (found != NULL) {
        spare = found->next;
    } else {
        found = malloc(sizeof *found);
    }
    if (found == NULL) {
        return false;
    }
    d->conns[place] = &found->conn;
    skr_conn_open(&found->conn, &d->server, SKR_LINE);
    return true;
}

static void close_place(void *owner, unsigned place)
{
    struct device *d = owner;

    if (d->conns[place] != NULL) {
        union spare *left = (union spare *)(void *)d->conns[place];
        skr_conn_close(d->conns[place]);
        left->next = spare;
        spare = left;
        d->conns[place] = NULL;
    }
}

/* Hands over whole answers while the broker has room. True when the core has nothing left to send. */
static bool drain(struct device *d, unsigned place)
{
    const void *bytes;
    size_t n;

    while (d->conns[place] != NULL && (n = skr_conn_tx(d->conns[place], &bytes)) > 0) {
        if (line_n == 0 && place != 0 && !mqtt_publisher_has_room(&d->publisher)) {
            return false;
        }
        const char *end = memchr(bytes, '\n', n);
        n = end != NULL ? (size_t)(end - (const char *)bytes) + 1 : n;
        if (n > sizeof line - line_n) {
            host_log("%s: a response of more than %u bytes", d->id, (unsigned)sizeof line);
            exit(1);
        }
        memcpy(line + line_n, bytes, n);
        line_n += n;
        skr_conn_tx_done(d->conns[place], n);
        if (end != NULL) {
            n = line_n;
            line_n = 0; /* before: the message may lead to another */
            char *copy = place == 0 ? memcpy(malloc(n), line, n) : line;
            (void)mqtt_publisher_take(&d->publisher, place, copy, n - 1);
            if (copy != line) {
                free(copy);
            }
        }
    }
    return true;
}

/* Gives the core one message. The core takes one at a time, so all of it or nothing. */
static bool feed(struct device *d, unsigned place, const char *text, size_t n)
{
    static char request[SKR_REQUEST_MAX * 4];

    if (d->conns[place] == NULL || n >= sizeof request || !drain(d, place)) {
        return false;
    }
    mqtt_publisher_line(request, text, n);
    for (size_t at = 0; at <= n && d->conns[place] != NULL;) {
        size_t k = skr_conn_rx(d->conns[place], request + at, n + 1 - at);
        at += k;
        if (!drain(d, place) && k == 0) {
            return at > 0;
        }
    }
    return true;
}

static bool give(void *owner, unsigned place, const char *text, size_t n)
{
    struct device *d = owner;

    if (d->slow_ms == 0 || place == 0) {
        return feed(d, place, text, n);
    }
    struct held *h = malloc(sizeof *h + n);
    if (h == NULL) {
        return false;
    }
    *h = (struct held){.due_ms = host_clock_ms() + d->slow_ms, .place = place, .n = n};
    memcpy(h->text, text, n);
    *d->held_end = h;
    d->held_end = &h->next;
    holding++;
    return true;
}

static const struct mqtt_publisher_host host = {.open = open_place, .close = close_place, .give = give};

static void release_held(struct device *d, uint64_t now_ms)
{
    while (d->held != NULL && d->held->due_ms <= now_ms) {
        struct held *h = d->held;
        d->held = h->next;
        d->held_end = d->held != NULL ? d->held_end : &d->held;
        (void)feed(d, h->place, h->text, h->n);
        free(h);
        holding--;
    }
}

static void flood(struct device *d)
{
    static const char noise[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"debug\","
        "\"data\":\"and again, and again, and again\"}}";

    for (unsigned i = 1; i < places; i++) {
        while (d->clients[i].open && d->publisher.mqtt.state == MQTT_UP && mqtt_publisher_has_room(&d->publisher)) {
            (void)mqtt_publisher_take(&d->publisher, i, noise, sizeof noise - 1);
        }
    }
}

/* ---- Devices ---- */

static void mount(struct device *d, unsigned kind)
{
    d->kind = kind;
    d->handlers = *swarm_kinds[kind].device;
    d->handlers.context = &d->state;
    int wrong = skr_server_init(&d->server, &d->handlers, swarm_kinds[kind].image, swarm_kinds[kind].size);
    if (wrong != 0) {
        host_log("%s: not an image for these handlers (%d)", swarm_kinds[kind].file, wrong);
        exit(1);
    }
}

static void prepare(struct device *d, size_t number, const char *prefix)
{
    (void)snprintf(d->id, sizeof d->id, "%s-%05u", prefix, (unsigned)number);
    d->state = (struct swarm_state){.id = d->id, .number = (uint32_t)number, .hours = (uint32_t)(number * 37 % 1100)};
    d->held_end = &d->held;
    d->fd = -1;
    d->clients = calloc(places, sizeof *d->clients);
    d->conns = calloc(places, sizeof *d->conns);
    d->publisher.broker = &broker;
    d->publisher.id = d->id;
    d->publisher.clients = d->clients;
    d->publisher.client_count = places;
    d->publisher.host = &host;
    d->publisher.owner = d;
    d->publisher.quiet = true;
    mount(d, number % 10 < 6 ? SWARM_PUMP : number % 10 < 9 ? SWARM_VALVE : SWARM_METER);
    if (d->clients == NULL || d->conns == NULL || !mqtt_publisher_open(&d->publisher)) {
        exit(1);
    }
}

/* Waits for what the device's session waits for now. */
static void wait_for_session(struct device *d)
{
    short events;
    int fd = mqtt_wants(&d->publisher.mqtt, &events);

    if (fd == d->fd && events == d->events) {
        return;
    }
    unsigned wanted = HOST_READABLE | (events & POLLOUT ? HOST_WRITABLE : 0u);
    uint64_t tag = (uint64_t)(d - devices) + 1;
    if (fd >= 0 && !host_wait_change(&waiter, fd, tag, wanted) && !host_wait_add(&waiter, fd, tag, wanted)) {
        host_log("cannot wait for %u connections: %s", (unsigned)device_count, strerror(errno));
        exit(1);
    }
    d->fd = fd;
    d->events = events;
}

static void turn(struct device *d, uint64_t now_ms)
{
    bool was_up = d->publisher.mqtt.state == MQTT_UP;

    if (!d->started || (d->away && !was_up)) {
        return;
    }
    mqtt_publisher_turn(&d->publisher, now_ms);
    for (unsigned i = 0; i < places; i++) {
        (void)drain(d, i);
    }
    release_held(d, now_ms);
    if (d->floods) {
        flood(d);
    }
    up += (size_t)(d->publisher.mqtt.state == MQTT_UP) - (size_t)was_up;
    wait_for_session(d);
}

/* Some more, as long as not too many are on their way. */
static void start_some(uint64_t now_ms)
{
    while (started < device_count && started < up + STARTING) {
        struct device *d = &devices[started++];
        d->started = true;
        d->publisher.now_ms = now_ms;
        mqtt_publisher_device(&d->publisher, true);
        turn(d, now_ms);
    }
}

/* ---- Commands ---- */

static void vanish(struct device *d)
{
    d->away = true;
    if (d->fd >= 0) {
        (void)shutdown(d->fd, SHUT_RDWR);
    }
}

static void update(struct device *d)
{
    if (d->kind == SWARM_PUMP || d->kind == SWARM_PUMP_2) {
        mqtt_publisher_device(&d->publisher, false);
        for (unsigned i = 0; i < places; i++) {
            mqtt_publisher_closed(&d->publisher, i);
            close_place(d, i);
        }
        mount(d, d->kind == SWARM_PUMP ? SWARM_PUMP_2 : SWARM_PUMP);
        mqtt_publisher_device(&d->publisher, true);
    }
}

static void count(void)
{
    unsigned long clients = 0, calls = 0, pages = 0;

    for (size_t i = 0; i < device_count; i++) {
        calls += devices[i].state.calls;
        for (unsigned k = 1; k < places; k++) {
            clients += devices[i].clients[k].open;
        }
    }
    FILE *memory = fopen("/proc/self/statm", "r");
    if (memory != NULL) {
        (void)!fscanf(memory, "%*u %lu", &pages);
        fclose(memory);
    }
    printf("up %lu of %lu, clients %lu, calls %lu, KB %lu\n", (unsigned long)up, (unsigned long)device_count, clients,
           calls, pages * ((unsigned long)sysconf(_SC_PAGESIZE) / 1024));
}

static void obey(const char *command)
{
    char verb[16];
    unsigned from = 0, n = 0, ms = 0;
    int words = sscanf(command, "%15s %u %u %u", verb, &from, &n, &ms);

    if (words >= 1 && strcmp(verb, "count") == 0) {
        count();
        return;
    }
    for (size_t i = from; words >= 3 && i < device_count && i < (size_t)from + n; i++) {
        struct device *d = &devices[i];
        if (strcmp(verb, "vanish") == 0) {
            vanish(d);
        } else if (strcmp(verb, "return") == 0) {
            d->away = false;
        } else if (strcmp(verb, "update") == 0) {
            update(d);
        } else if (strcmp(verb, "slow") == 0) {
            d->slow_ms = ms;
        } else if (strcmp(verb, "flood") == 0) {
            flooding += !d->floods;
            d->floods = true;
        } else if (strcmp(verb, "calm") == 0) {
            flooding -= d->floods;
            d->floods = false;
            d->slow_ms = 0;
        } else {
            words = 0;
        }
    }
    puts(words >= 3 ? "done" : "what?");
}

/* False when stdin has ended. */
static bool hear(void)
{
    static char text[256];
    static size_t n;
    ssize_t k = read(STDIN_FILENO, text + n, sizeof text - 1 - n);

    if (k <= 0) {
        return k < 0 && (errno == EAGAIN || errno == EINTR);
    }
    n += (size_t)k;
    for (char *end; (end = memchr(text, '\n', n)) != NULL;) {
        size_t used = (size_t)(end - text) + 1;
        *end = '\0';
        obey(text);
        n -= used;
        memmove(text, end + 1, n);
    }
    n = n == sizeof text - 1 ? 0 : n; /* no command is as long */
    fflush(stdout);
    return true;
}

/* ---- The loop ---- */

static void run(void)
{
    static struct host_ready ready[512];
    bool reported = false;
    size_t next = 0;
    uint64_t began_ms = host_clock_ms();

    for (;;) {
        int n = host_wait(&waiter, ready, 512, started < device_count || flooding > 0 || holding > 0 ? 5 : 50);
        uint64_t now_ms = host_clock_ms();
        for (int i = 0; i < n; i++) {
            if (ready[i].tag == 0 && !hear()) {
                return;
            }
            if (ready[i].tag > 0) {
                turn(&devices[ready[i].tag - 1], now_ms);
            }
        }
        start_some(now_ms);
        size_t slice = flooding > 0 || holding > 0 ? device_count : device_count / 20 + 1;
        for (size_t i = 0; i < slice; i++) { /* times that have come */
            turn(&devices[next++ % device_count], now_ms);
        }
        if (!reported && up == device_count) {
            reported = true;
            printf("ready %lu after %lu ms\n", (unsigned long)up, (unsigned long)(now_ms - began_ms));
            fflush(stdout);
        }
    }
}

/* libmosquitto has three descriptors for a connection. */
static void raise_limit(void)
{
    struct rlimit limit = {0, 0};
    rlim_t wanted = device_count * 3 + 64;

    (void)getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_max = limit.rlim_max < wanted ? wanted : limit.rlim_max;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        (void)getrlimit(RLIMIT_NOFILE, &limit);
        host_log("%lu devices need %lu descriptors, and this process may have %lu; start several swarms, with --first",
                 (unsigned long)device_count, (unsigned long)wanted, (unsigned long)limit.rlim_max);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    const char *images = "build/fleet", *prefix = "dev";

    host_log_set_name("swarm");
    for (int i = 3; i + 1 < argc; i += 2) {
        images = strcmp(argv[i], "--images") == 0 ? argv[i + 1] : images;
        prefix = strcmp(argv[i], "--prefix") == 0 ? argv[i + 1] : prefix;
        first = strcmp(argv[i], "--first") == 0 ? (size_t)strtoul(argv[i + 1], NULL, 10) : first;
        places = strcmp(argv[i], "--clients") == 0 ? (unsigned)atoi(argv[i + 1]) + 1 : places;
    }
    device_count = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 0;
    if (argc < 3 || argc % 2 == 0 || device_count == 0 || device_count > 100000 || places < 2 || places > PLACES_MAX ||
        strlen(prefix) > 40 || !mqtt_take_broker(&broker, argv[0], argv[1]) || !mqtt_broker_check(&broker) ||
        !mqtt_broker_password(&broker) || !mqtt_prepare(&broker)) {
        fputs(usage, stderr);
        return 2;
    }
    raise_limit();
    swarm_load(images);
    devices = calloc(device_count, sizeof *devices);
    if (devices == NULL || !host_wait_open(&waiter) || !host_wait_add(&waiter, STDIN_FILENO, 0, HOST_READABLE)) {
        host_log("no memory, or stdin is not a pipe");
        return 1;
    }
    for (size_t i = 0; i < device_count; i++) {
        prepare(&devices[i], first + i, prefix);
    }
    run();
    for (size_t i = 0; i < device_count; i++) {
        mqtt_publisher_close(&devices[i].publisher);
    }
    return 0;
}
