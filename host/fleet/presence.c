/* presence.c -- see presence.h. */
#include "presence.h"

#include <stdio.h>
#include <string.h>

#include "audit_log.h"
#include "builds.h"
#include "console.h"
#include "counters.h"
#include "identify.h"
#include "requests.h"
#include "text/hash.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"
#include "uplink.h"

static uint64_t return_ms;  /* until then devices may be announced again; 0: it is over */
static uint64_t looked_ms;  /* for silent devices */
static uint32_t silent_at;  /* the next place in the order to look for them */
static uint32_t doubted_at; /* the next place in the order to look for doubts */
static bool doubts;         /* there may be some */

/* ---- Builds ---- */

/* A member that publishers of skillrom add to those of the specification (host/mqtt/README.md). */
static struct skr_span meta_member(struct skr_span message, const char *member)
{
    struct skr_span meta = skr_scan_get(skr_scan_get(message, "params"), "meta");

    return skr_scan_get(skr_scan_get(meta, "skillrom"), member);
}

/* The build that a device announces: the hex digits of a digest. */
static struct skr_span claimed_build(struct skr_span message)
{
    static const struct skr_span prefix = {"sha256:", 7};
    struct skr_span build = skr_scan_inside(meta_member(message, "build"));

    if (build.n != prefix.n + FLEET_BUILD - 1 || !skr_span_starts(build, prefix)) {
        return NOTHING;
    }
    build = skr_span_from(build, prefix.n);
    for (size_t i = 0; i < build.n; i++) {
        if (skr_hex_digit(build.p[i]) < 0) {
            return NOTHING;
        }
    }
    return build;
}

/* The publisher that announces the device and keeps the sessions of its clients; 0 if the announcement does not name it. */
static uint64_t instance_of(struct skr_span message)
{
    struct skr_span instance = meta_member(message, "instance");

    return instance.p != NULL ? skr_hash(instance) | 1 : 0;
}

/* True when the device's publisher has noticed another with the same id. */
static bool has_rival(struct skr_span message)
{
    struct skr_span rivals = meta_member(message, "rivals"), one;

    return skr_scan_item(&rivals, &one);
}

/* The device has this build, as announced or from its lists. */
static void set_build(uint32_t device, struct skr_span build)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    if (!skr_span_is(build, d->claimed)) {
        char before[FLEET_BUILD];
        strcpy(before, d->claimed);
        memcpy(d->claimed, build.p, build.n);
        d->claimed[build.n] = '\0';
        fleet_builds_leave(d);
        if (before[0] != '\0') {
            memcpy(d->earlier, before, sizeof d->earlier - 1);
            fleet_counters.changed++;
            fleet_audit_change(d, before, d->claimed);
            fleet_builds.changes++;
        }
    }
    if (d->build == FLEET_NO_BUILD) {
        fleet_builds_join(d);
    }
}

/* ---- Online and offline ---- */

static void set_kind(struct fleet_device *d, struct skr_span kind)
{
    memcpy(d->kind, kind.p, kind.n);
    d->kind[kind.n] = '\0';
    fleet_builds_leave(d); /* each kind has its own builds */
}

static void refuse_device(uint32_t device, struct skr_span rival, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    memcpy(d->rival, rival.p, rival.n);
    d->rival[rival.n] = '\0';
    d->doubt = FLEET_DOUBT_NONE;
    fleet_counters.duplicates++;
    host_log("%s: two devices have this id, as %s and as %s; neither is called until one is renamed", d->id, d->kind,
             d->rival);
    fleet_registry_set(device, FLEET_REFUSED, now_ms);
    fleet_requests_device_down(device, FLEET_OUTCOME_REFUSED);
}

/* The device is announced again without having gone: it came back quickly, a joined broker repeats its announcements, or there are
 * two of it. A probe finds out. */
static void announce_again(uint32_t device, bool other)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    if (other) { /* it was restarted, and has lost the requests that were sent */
        fleet_requests_device_down(device, FLEET_OUTCOME_AWAY);
    }
    d->doubt = FLEET_DOUBT_DUPLICATE;
    doubts = true;
}

static void device_online(uint32_t device, struct skr_span message, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    struct skr_span build = claimed_build(message);
    uint64_t announced = skr_hash(message);
    uint64_t instance = instance_of(message);
    bool again = d->presence == FLEET_PRESENT && !d->stale, other = d->announced != announced;
    bool same_session = again && instance != 0 && instance == d->instance; /* another image, and nothing else */

    d->announced = announced;
    d->instance = instance;
    d->stale = false;
    fleet_registry_forget_facts(device);
    if (build.p != NULL) {
        set_build(device, build);
    } else if (other || d->claimed[0] == '\0') {
        fleet_identify(device);
    }
    if (again) {
        if (!same_session) {
            announce_again(device, other);
        }
        return;
    }
    fleet_counters.online++;
    d->handshake = FLEET_HAND_NONE;
    d->doubt = FLEET_DOUBT_NONE;
    fleet_registry_set(device, FLEET_PRESENT, now_ms);
    fleet_requests_device_up(device, now_ms);
}

static void on_online(struct skr_span id, struct skr_span kind, struct skr_span message, uint64_t now_ms)
{
    if (skr_json_check(message.p, message.n) != SKR_JSON_OK ||
        !skr_scan_is(skr_scan_get(message, "method"), "notifications/server/online")) {
        fleet_counters.unexpected++;
        return;
    }
    uint32_t device = fleet_registry_row(id, kind, now_ms);
    if (device == FLEET_NO_DEVICE) {
        if (fleet_registry.left_out++ == 0) {
            host_log("%.*s: more devices than --max-devices %u; leaving it out", (int)id.n, id.p, fleet_registry.room);
        }
        return;
    }
    struct fleet_device *d = &fleet_registry.devices[device];
    if (has_rival(message)) {
        if (d->presence != FLEET_REFUSED) {
            refuse_device(device, kind, now_ms);
        }
        return;
    }
    if (d->presence == FLEET_REFUSED && (strcmp(d->rival, d->kind) != 0 || meta_member(message, "rivals").p == NULL)) {
        return; /* until one of them goes; only publishers of the same topic notice each other */
    }
    if (d->presence != FLEET_REFUSED && !skr_span_is(kind, d->kind)) {
        if (d->presence != FLEET_AWAY) {
            refuse_device(device, kind, now_ms);
            return;
        }
        set_kind(d, kind);
    }
    device_online(device, message, now_ms);
}

static void device_offline(uint32_t device, uint64_t now_ms)
{
    fleet_counters.offline++;
    fleet_registry.devices[device].doubt = FLEET_DOUBT_NONE;
    fleet_registry_set(device, FLEET_AWAY, now_ms);
    fleet_requests_device_down(device, FLEET_OUTCOME_AWAY);
}

static void on_offline(struct skr_span id, struct skr_span kind, uint64_t now_ms)
{
    uint32_t device = fleet_registry_find(id);
    struct fleet_device *d = device != FLEET_NO_DEVICE ? &fleet_registry.devices[device] : NULL;

    if (d == NULL || d->presence == FLEET_AWAY) {
        return;
    }
    bool first = skr_span_is(kind, d->kind), second = skr_span_is(kind, d->rival);
    if (d->presence != FLEET_REFUSED || (first && second)) {
        if (first) {
            device_offline(device, now_ms);
        }
        return;
    }
    if (first || second) { /* the other one is still there */
        if (first) {
            set_kind(d, skr_span_of(d->rival));
            fleet_identify(device);
        }
        d->rival[0] = '\0';
        d->handshake = FLEET_HAND_NONE;
        fleet_registry_set(device, FLEET_PRESENT, now_ms);
    }
}

static void on_changed(uint32_t device, uint64_t now_ms)
{
    (void)now_ms;
    fleet_registry_forget_facts(device);
    fleet_identify(device); /* the announced build is outdated */
}

/* ---- The broker ---- */

static void on_up(uint64_t now_ms)
{
    return_ms = now_ms + FLEET_RETURN_MS;
}

static void on_down(uint64_t now_ms)
{
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        d->stale = d->presence != FLEET_AWAY;
        d->doubt = FLEET_DOUBT_NONE;
        if (d->presence == FLEET_REFUSED) { /* both will be announced again */
            fleet_registry_set(fleet_registry.order[i], FLEET_AWAY, now_ms);
        }
    }
    return_ms = 0;
    fleet_requests_broker_down();
}

/* Devices that the broker does not announce any more. */
static void drop_stale(uint64_t now_ms)
{
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        if (d->stale) {
            d->stale = false;
            device_offline(fleet_registry.order[i], now_ms);
        }
    }
}

/* ---- Doubts ---- */

static void on_neighbour_lost(uint64_t now_ms)
{
    (void)now_ms;
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        if (d->presence == FLEET_PRESENT && d->doubt == FLEET_DOUBT_NONE) {
            d->doubt = FLEET_DOUBT_PRESENT;
        }
    }
    doubts = true;
}

/* Probes devices in doubt, as many as there is room for. */
static void probe_doubted(uint64_t now_ms)
{
    bool left = false;

    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        uint32_t device = fleet_registry.order[(doubted_at + i) % fleet_registry.count];
        struct fleet_device *d = &fleet_registry.devices[device];
        if (d->doubt == FLEET_DOUBT_NONE || d->presence != FLEET_PRESENT) {
            continue;
        }
        left = true;
        if (!fleet_requests_probe(device, now_ms)) { /* no room now */
            doubted_at = (doubted_at + i) % fleet_registry.count;
            break;
        }
    }
    doubts = left;
}

/* Probes silent devices again: a joined broker may return later than its devices. */
static void probe_silent(uint64_t now_ms)
{
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        uint32_t device = fleet_registry.order[(silent_at + i) % fleet_registry.count];
        const struct fleet_device *d = &fleet_registry.devices[device];
        uint64_t pause_ms = (uint64_t)FLEET_SILENT_MS << (d->silences > 0 ? d->silences - 1 : 0);
        if (d->presence == FLEET_SILENT && now_ms - d->tried_ms >= pause_ms && !fleet_requests_probe(device, now_ms)) {
            silent_at = (silent_at + i) % fleet_registry.count; /* no room now */
            return;
        }
    }
}

uint32_t fleet_presence_turn(uint64_t now_ms)
{
    if (fleet_uplink_is_up() && now_ms - looked_ms >= 1000) {
        looked_ms = now_ms;
        probe_silent(now_ms);
    }
    if (return_ms != 0 && now_ms >= return_ms) {
        return_ms = 0;
        drop_stale(now_ms);
    }
    if (doubts && fleet_uplink_is_up()) {
        probe_doubted(now_ms);
    }
    return doubts ? 50 : 1000;
}

/* ---- Start ---- */

static void on_duplicate(uint32_t device, uint64_t now_ms)
{
    refuse_device(device, skr_span_of(fleet_registry.devices[device].kind), now_ms);
}

bool fleet_presence_open(const struct mqtt_broker *broker, uint64_t now_ms)
{
    static const struct fleet_uplink_events events = {
        .up = on_up,
        .down = on_down,
        .online = on_online,
        .offline = on_offline,
        .changed = on_changed,
        .neighbour_lost = on_neighbour_lost,
        .message = fleet_requests_message,
        .unexpected = fleet_requests_unexpected,
    };

    fleet_requests_on_duplicate(on_duplicate);
    fleet_identify_open(set_build);
    return fleet_uplink_open(broker, &events, now_ms);
}
