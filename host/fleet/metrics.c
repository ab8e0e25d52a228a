/* metrics.c -- see metrics.h. The core serves the documents over HTTP (core/wire/http_get.c); this file writes them. */
#include "metrics.h"

#include <stdarg.h>
#include <stdio.h>

#include "builds.h"
#include "console.h"
#include "counters.h"
#include "image.h"
#include "random.h"
#include "registry.h"
#include "requests.h"
#include "response/backend.h"
#include "uplink.h"

struct text {
    char *p;
    size_t room, n;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    va_list rest;

    va_start(rest, format);
    int n = vsnprintf(t->p + t->n, t->room - t->n, format, rest);
    va_end(rest);
    t->n += n > 0 && (size_t)n < t->room - t->n ? (size_t)n : 0;
}

static void put_value(struct text *t, const char *name, const char *type, const char *help, uint64_t value)
{
    put(t, "# HELP skillrom_fleet_%s %s\n# TYPE skillrom_fleet_%s %s\nskillrom_fleet_%s %llu\n", name, help, name, type,
        name, (unsigned long long)value);
}

static void put_devices(struct text *t)
{
    uint32_t counts[4] = {0};

    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        counts[fleet_registry.devices[fleet_registry.order[i]].presence]++;
    }
    put(t, "# HELP skillrom_fleet_devices Devices by presence.\n# TYPE skillrom_fleet_devices gauge\n");
    for (uint8_t i = 0; i < 4; i++) {
        put(t, "skillrom_fleet_devices{presence=\"%s\"} %u\n", fleet_presence_text(i), counts[i]);
    }
}

static void put_calls(struct text *t)
{
    static const char *const names[] = {
        [FLEET_OUTCOME_RESULT] = "result", [FLEET_OUTCOME_ERROR] = "error",     [FLEET_OUTCOME_AWAY] = "away",
        [FLEET_OUTCOME_SILENT] = "silent", [FLEET_OUTCOME_REFUSED] = "refused", [FLEET_OUTCOME_OFFLINE] = "offline",
        [FLEET_OUTCOME_LOST] = "lost",     [FLEET_OUTCOME_LATE] = "late",       [FLEET_OUTCOME_DENIED] = "denied",
    };

    put(t, "# HELP skillrom_fleet_calls_total Tool calls by outcome; whether lost and late ones were run is unknown.\n"
           "# TYPE skillrom_fleet_calls_total counter\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        put(t, "skillrom_fleet_calls_total{outcome=\"%s\"} %llu\n", names[i],
            (unsigned long long)fleet_counters.calls[i]);
    }
}

static bool write_metrics(char *to, size_t room, size_t *n)
{
    struct text text = {to, room, 0}, *t = &text;
    const struct fleet_counters *m = &fleet_counters;

    put_devices(t);
    put_calls(t);
    put_value(t, "calls_failed_total", "counter", "Results with isError.", m->failed);
    put_value(t, "calls_denied_total", "counter", "Calls that the token does not allow.", m->denied);
    put_value(t, "call_milliseconds_total", "counter", "Total time of all calls.", m->call_ms);
    put_value(t, "requests", "gauge", "Requests that are pending or wait for their device.", fleet_requests_count());
    put_value(t, "requests_total", "counter", "Requests sent to devices.", m->sent);
    put_value(t, "builds", "gauge", "Builds of devices.", fleet_builds.used);
    put_value(t, "build_changes_total", "counter", "Devices that came back with another build.", m->changed);
    put_value(t, "online_total", "counter", "Devices that came online.", m->online);
    put_value(t, "offline_total", "counter", "Devices that went offline.", m->offline);
    put_value(t, "duplicate_ids_total", "counter", "Announcements with the id of another device.", m->duplicates);
    put_value(t, "left_out_total", "counter", "Announcements beyond --max-devices.", fleet_registry.left_out);
    put_value(t, "unexpected_total", "counter", "Messages that are not a response to a pending request.",
              m->unexpected);
    put_value(t, "files_cached_total", "counter", "Files of skills read from the cache.", m->files_cached);
    put_value(t, "files_fetched_total", "counter", "Files and folders of skills requested from devices.",
              m->files_fetched);
    put_value(t, "received_bytes_total", "counter", "Payload received from the broker.", fleet_uplink_received());
    put_value(t, "sent_bytes_total", "counter", "Payload sent to the broker.", fleet_uplink_sent());
    put_value(t, "broker_up", "gauge", "1 while the broker is connected.", fleet_uplink_is_up());
    put_value(t, "broker_losses_total", "counter", "Lost connections to the broker.", m->broker_losses);
    put_value(t, "broker_dropped_total", "counter", "Messages that the broker dropped, for any client, as it reports.",
              m->dropped);
    put_value(t, "unrecorded_total", "counter", "Lines of the audit log that could not be written.", m->unrecorded);
    *n = t->n;
    return true;
}
static bool write_health(char *to, size_t room, size_t *n)
{
    struct text t = {to, room, 0};

    put(&t, "%s: %u of %u devices present, %u builds\n", fleet_uplink_is_up() ? "ok" : "no broker",
        fleet_registry.present, fleet_registry.count, fleet_builds.used);
    *n = t.n;
    return fleet_uplink_is_up();
}

static bool write_index(char *to, size_t room, size_t *n)
{
    struct text t = {to, room, 0};

    put(&t, "/metrics\n/healthz\n");
    *n = t.n;
    return true;
}

static const struct skr_document documents[] = {
    {"/metrics", "text/plain; version=0.0.4; charset=utf-8", write_metrics},
    {"/healthz", "text/plain; charset=utf-8", write_health},
    {"/", "text/plain; charset=utf-8", write_index},
    {NULL, NULL, NULL},
};

bool fleet_metrics_open(const struct posix_options *options, struct posix_listen *listen)
{
    static struct skr_server server; /* another one: at its address there are no tools */
    static const struct posix_site site = {&server, "metrics", "/metrics"};
    static const struct skr_device device;
    static struct skr_backend backend;
    struct skr_http_config config = {
        .path = " ", /* which no request line can have: there is no MCP */
        .hosts = options->hosts,
        .host_count = options->host_count,
        .loopback = true,
        .anyone = true,
        .sessionless = true,
    };
    int error = skr_server_init(&server, &device, skills_image, skills_image_size);

    if (error != 0 || !host_random(config.seed, sizeof config.seed)) {
        host_log("cannot serve metrics: %s", error != 0 ? skr_server_reason(error) : "the system has no random bytes");
        return false;
    }
    backend = *server.backend;
    backend.documents = documents;
    server.backend = &backend;
    skr_server_http(&server, &config);
    listen->wire = SKR_HTTP_1;
    listen->site = &site;
    return true;
}
