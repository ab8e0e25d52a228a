/* metrics.c -- see metrics.h. A server for two documents: a request is one line that matters, and its connection ends with the
 * answer. */
#include "metrics.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../port/posix/listener.h"
#include "builds.h"
#include "counters.h"
#include "uplink.h"
#include "registry.h"
#include "requests.h"
#include "console.h"
#include "system.h"

static struct posix_listener listener = {.fd = -1};

struct metric_link {
    int fd; /* -1: free */
    uint64_t since_ms;
    size_t in_n, out_n, out_at;
    char in[1024];
    char out[8192];
};

static struct metric_link links[FLEET_METRIC_LINKS];

bool fleet_metrics_open(const struct posix_listen *where)
{
    for (size_t i = 0; i < FLEET_METRIC_LINKS; i++) {
        links[i].fd = -1;
    }
    if (!posix_listener_open(&listener, where)) {
        return false;
    }
    char host[POSIX_ADDRESS_TEXT];
    posix_address_host(&listener.address, host);
    host_log("metrics at http://%s:%u/metrics", host, posix_address_port(&listener.address));
    return true;
}

/* ---- The documents ---- */

struct page {
    char text[7680];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct page *p, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int n = vsnprintf(p->text + p->n, sizeof p->text - p->n, format, rest);
    va_end(rest);
    p->n += n > 0 && (size_t)n < sizeof p->text - p->n ? (size_t)n : 0;
}

static void put_one(struct page *p, const char *name, const char *type, const char *help, uint64_t value)
{
    put(p, "# HELP skillrom_fleet_%s %s\n# TYPE skillrom_fleet_%s %s\nskillrom_fleet_%s %llu\n", name, help, name, type,
        name, (unsigned long long)value);
}

static void put_devices(struct page *p)
{
    uint32_t counts[4] = {0};
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        counts[fleet_registry.devices[fleet_registry.order[i]].presence]++;
    }
    put(p, "# HELP skillrom_fleet_devices Devices by presence.\n# TYPE skillrom_fleet_devices gauge\n");
    for (uint8_t i = 0; i < 4; i++) {
        put(p, "skillrom_fleet_devices{presence=\"%s\"} %u\n", fleet_presence_text(i), counts[i]);
    }
}

static void put_calls(struct page *p)
{
    static const char *const fates[] = {
        [FLEET_FATE_RESULT] = "result", [FLEET_FATE_ERROR] = "error",     [FLEET_FATE_AWAY] = "away",
        [FLEET_FATE_SILENT] = "silent", [FLEET_FATE_REFUSED] = "refused", [FLEET_FATE_OFFLINE] = "offline",
        [FLEET_FATE_BREAK] = "lost",    [FLEET_FATE_LATE] = "late",       [FLEET_FATE_DENIED] = "denied",
    };
    put(p,
        "# HELP skillrom_fleet_calls_total Calls of tools by what became of them; of lost and late ones nobody knows.\n"
        "# TYPE skillrom_fleet_calls_total counter\n");
    for (size_t i = 0; i < sizeof fates / sizeof fates[0]; i++) {
        put(p, "skillrom_fleet_calls_total{fate=\"%s\"} %llu\n", fates[i], (unsigned long long)fleet_counters.calls[i]);
    }
}

static void write_metrics(struct page *p)
{
    const struct fleet_counters *m = &fleet_counters;
    put_devices(p);
    put_calls(p);
    put_one(p, "calls_failed_total", "counter", "Results that say that the tool failed.", m->failed);
    put_one(p, "calls_denied_total", "counter", "Calls for which the token has no right.", m->denied);
    put_one(p, "call_milliseconds_total", "counter", "Time of all calls together.", m->call_ms);
    put_one(p, "requests", "gauge", "Requests that are under way or wait for their device.", fleet_requests_count());
    put_one(p, "requests_total", "counter", "Requests sent to devices.", m->sent);
    put_one(p, "builds", "gauge", "Builds of devices.", fleet_builds.used);
    put_one(p, "build_changes_total", "counter", "Devices that came back with another build.", m->changed);
    put_one(p, "comings_total", "counter", "Devices that came.", m->comings);
    put_one(p, "goings_total", "counter", "Devices that went.", m->goings);
    put_one(p, "clashes_total", "counter", "Announcements of an id that another device has.", m->clashes);
    put_one(p, "left_out_total", "counter", "Announcements for which there was no room.", fleet_registry.left_out);
    put_one(p, "strays_total", "counter", "Messages that answer nothing.", m->strays);
    put_one(p, "files_kept_total", "counter", "Files of skills read from the cache.", m->files_kept);
    put_one(p, "files_asked_total", "counter", "Files and folders of skills asked of devices.", m->files_asked);
    put_one(p, "received_bytes_total", "counter", "Payload received from the broker.", fleet_uplink_received());
    put_one(p, "sent_bytes_total", "counter", "Payload sent to the broker.", fleet_uplink_sent());
    put_one(p, "broker_up", "gauge", "1 while the broker is connected.", fleet_uplink_is_up());
    put_one(p, "broker_losses_total", "counter", "How often the broker was lost.", m->reconnects);
    put_one(p, "broker_dropped_total", "counter", "Messages that the broker says it has dropped, for any client.",
            m->dropped);
    put_one(p, "unrecorded_total", "counter", "Lines of the record that could not be written.", m->unrecorded);
}

static void write_health(struct page *p)
{
    put(p, "%s: %u of %u devices present, %u builds\n", fleet_uplink_is_up() ? "ok" : "no broker", fleet_registry.present,
        fleet_registry.count, fleet_builds.used);
}

/* ---- Connections ---- */

static void answer(struct metric_link *l)
{
    struct page page = {.n = 0};
    const char *status = "404 Not Found", *type = "text/plain; charset=utf-8";
    if (strncmp(l->in, "GET /metrics ", 13) == 0) {
        status = "200 OK";
        type = "text/plain; version=0.0.4; charset=utf-8";
        write_metrics(&page);
    } else if (strncmp(l->in, "GET /healthz ", 13) == 0) {
        status = fleet_uplink_is_up() ? "200 OK" : "503 Service Unavailable";
        write_health(&page);
    } else {
        put(&page, "There are /metrics and /healthz\n");
    }
    int n = snprintf(l->out, sizeof l->out,
                     "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%.*s", status,
                     type, page.n, (int)page.n, page.text);
    l->out_n = n > 0 && (size_t)n < sizeof l->out ? (size_t)n : 0;
    l->out_at = 0;
}

static void leave(struct metric_link *l)
{
    close(l->fd);
    l->fd = -1;
}

static void go_on(struct metric_link *l, uint64_t now_ms)
{
    if (l->out_n == 0) {
        ssize_t k = read(l->fd, l->in + l->in_n, sizeof l->in - 1 - l->in_n);
        l->in_n += k > 0 ? (size_t)k : 0;
        l->in[l->in_n] = '\0';
        if (strstr(l->in, "\r\n\r\n") != NULL || l->in_n == sizeof l->in - 1) {
            answer(l);
        } else if (k == 0) {
            leave(l);
            return;
        }
    }
    if (l->out_at < l->out_n) {
        ssize_t k = send(l->fd, l->out + l->out_at, l->out_n - l->out_at, MSG_NOSIGNAL);
        l->out_at += k > 0 ? (size_t)k : 0;
    }
    if ((l->out_n > 0 && l->out_at == l->out_n) || now_ms - l->since_ms > FLEET_METRICS_MS) {
        leave(l);
    }
}

void fleet_metrics_turn(uint64_t now_ms)
{
    struct posix_address peer;
    if (listener.fd < 0) {
        return;
    }
    for (size_t i = 0; i < FLEET_METRIC_LINKS; i++) {
        struct metric_link *l = &links[i];
        if (l->fd < 0) {
            int fd;
            if (posix_listener_accept(&listener, &fd, &peer) != POSIX_ACCEPT_CLIENT) {
                continue;
            }
            memset(l, 0, sizeof *l);
            l->fd = fd;
            l->since_ms = now_ms;
        }
        go_on(l, now_ms);
    }
}

unsigned fleet_metrics_wants(int fds[], short events[])
{
    unsigned n = 0, free_links = 0;
    for (size_t i = 0; listener.fd >= 0 && i < FLEET_METRIC_LINKS; i++) {
        free_links += links[i].fd < 0;
        if (links[i].fd >= 0) {
            fds[n] = links[i].fd;
            events[n++] = links[i].out_n > 0 ? POLLOUT : POLLIN;
        }
    }
    if (listener.fd >= 0 && free_links > 0) {
        fds[n] = listener.fd;
        events[n++] = POLLIN;
    }
    return n;
}
