/* presence.c -- see presence.h. */
#include "presence.h"

#include <stdio.h>
#include <string.h>

#include "builds.h"
#include "changes.h"
#include "learn.h"
#include "uplink.h"
#include "counts.h"
#include "hash.h"
#include "record.h"
#include "requests.h"
#include "say.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static uint64_t return_ms;  /* until then devices may be announced again; 0: it is over */
static uint64_t looked_ms;  /* for silent ones */
static uint32_t silent_at;  /* the next place in the order that is looked at for them */
static uint32_t doubted_at; /* the next place in the order that is looked at for doubts; beyond the last: none is */
static bool doubts;         /* there may be some */

/* ---- Builds ---- */

/* What a publisher of ours tells beside what the specification has (port/mqtt/README.md). */
static struct skr_span told(struct skr_span message, const char *member)
{
    struct skr_span meta = skri_scan_get(skri_scan_get(message, "params"), "meta");
    return skri_scan_get(skri_scan_get(meta, "skillrom"), member);
}

/* What a device says that it contains: the hex digits of a digest. */
static struct skr_span claimed_build(struct skr_span message)
{
    static const struct skr_span prefix = {"sha256:", 7};
    struct skr_span build = skri_scan_inside(told(message, "build"));
    if (build.n != prefix.n + SKR_FLEET_BUILD - 1 || !skri_span_starts(build, prefix)) {
        return NOTHING;
    }
    build = skri_span_from(build, prefix.n);
    for (size_t i = 0; i < build.n; i++) {
        if (skri_hex_digit(build.p[i]) < 0) {
            return NOTHING;
        }
    }
    return build;
}

/* Its publisher knows of another with the same id. */
static bool has_rival(struct skr_span message)
{
    struct skr_span rivals = told(message, "rivals"), one;
    return skri_scan_item(&rivals, &one);
}

/* The device has this build, by its own word or by its lists. It has no other row than that of its last one. */
static void set_build(uint32_t device, struct skr_span build)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    if (!skri_span_is(build, d->claimed)) {
        char before[SKR_FLEET_BUILD];
        strcpy(before, d->claimed);
        memcpy(d->claimed, build.p, build.n);
        d->claimed[build.n] = '\0';
        skr_builds_leave(d);
        if (before[0] != '\0') {
            memcpy(d->earlier, before, sizeof d->earlier - 1);
            skr_counts.changed++;
            skr_record_change(d, before, d->claimed);
            skr_changes_of_lists++;
        }
    }
    if (d->build == SKR_NO_BUILD) {
        skr_builds_join(d);
    }
}

/* ---- Coming and going ---- */

static void set_kind(struct skr_fleet_device *d, struct skr_span kind)
{
    memcpy(d->kind, kind.p, kind.n);
    d->kind[kind.n] = '\0';
    skr_builds_leave(d); /* kinds have builds of their own */
}

static void refuse(uint32_t device, struct skr_span rival, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    memcpy(d->rival, rival.p, rival.n);
    d->rival[rival.n] = '\0';
    d->doubt = SKR_DOUBT_NONE;
    skr_counts.clashes++;
    skr_say("%s: two devices have this id, as %s and as %s; neither is called", d->id, d->kind, d->rival);
    skr_registry_set(device, SKR_REFUSED, now_ms);
    skr_requests_device_down(device, SKR_FATE_REFUSED);
}

/* It is announced as what it was, and nobody has said that it was gone. Perhaps it came back so fast; perhaps a broker
 * behind ours repeats what it knows; perhaps there are two of them. They will be asked. */
static void on_again(uint32_t device, bool other)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    if (other) { /* it has been restarted, and knows nothing of what was sent */
        skr_requests_device_down(device, SKR_FATE_AWAY);
    }
    d->doubt = SKR_DOUBT_TWIN;
    doubts = true;
}

static void come(uint32_t device, struct skr_span message, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    struct skr_span build = claimed_build(message);
    uint64_t announced = skr_hash(message.p, message.n);
    bool again = d->presence == SKR_PRESENT && !d->stale, other = d->announced != announced;
    d->announced = announced;
    d->stale = false;
    skr_registry_forget_tools(device);
    if (build.p != NULL) {
        set_build(device, build);
    } else if (other || d->claimed[0] == '\0') {
        skr_learn(device);
    }
    if (again) {
        on_again(device, other);
        return;
    }
    skr_counts.comings++;
    d->handshake = SKR_HAND_NONE;
    d->doubt = SKR_DOUBT_NONE;
    skr_registry_set(device, SKR_PRESENT, now_ms);
    skr_requests_device_up(device, now_ms);
}

static void on_online(struct skr_span id, struct skr_span kind, struct skr_span message, uint64_t now_ms)
{
    if (skri_json_check(message.p, message.n) != SKR_JSON_OK ||
        !skri_scan_is(skri_scan_get(message, "method"), "notifications/server/online")) {
        skr_counts.strays++;
        return;
    }
    uint32_t device = skr_registry_row(id, kind, now_ms);
    if (device == SKR_NO_DEVICE) {
        if (skr_registry.left_out++ == 0) {
            skr_say("%.*s: there are more devices than --devices %u; it is left out", (int)id.n, id.p,
                    skr_registry.room);
        }
        return;
    }
    struct skr_fleet_device *d = &skr_registry.devices[device];
    if (has_rival(message)) {
        if (d->presence != SKR_REFUSED) {
            refuse(device, kind, now_ms);
        }
        return;
    }
    if (d->presence == SKR_REFUSED && (strcmp(d->rival, d->kind) != 0 || told(message, "rivals").p == NULL)) {
        return; /* until one of them goes; only publishers of the same topic hear each other */
    }
    if (d->presence != SKR_REFUSED && !skri_span_is(kind, d->kind)) {
        if (d->presence != SKR_AWAY) {
            refuse(device, kind, now_ms);
            return;
        }
        set_kind(d, kind);
    }
    come(device, message, now_ms);
}

static void go(uint32_t device, uint64_t now_ms)
{
    skr_counts.goings++;
    skr_registry.devices[device].doubt = SKR_DOUBT_NONE;
    skr_registry_set(device, SKR_AWAY, now_ms);
    skr_requests_device_down(device, SKR_FATE_AWAY);
}

static void on_offline(struct skr_span id, struct skr_span kind, uint64_t now_ms)
{
    uint32_t device = skr_registry_find(id);
    struct skr_fleet_device *d = device != SKR_NO_DEVICE ? &skr_registry.devices[device] : NULL;
    if (d == NULL || d->presence == SKR_AWAY) {
        return;
    }
    bool first = skri_span_is(kind, d->kind), second = skri_span_is(kind, d->rival);
    if (d->presence != SKR_REFUSED || (first && second)) {
        if (first) {
            go(device, now_ms);
        }
        return;
    }
    if (first || second) { /* the other one is still there */
        if (first) {
            set_kind(d, skri_span_of(d->rival));
            skr_learn(device);
        }
        d->rival[0] = '\0';
        d->handshake = SKR_HAND_NONE;
        skr_registry_set(device, SKR_PRESENT, now_ms);
    }
}

static void on_changed(uint32_t device, uint64_t now_ms)
{
    (void)now_ms;
    skr_registry_forget_tools(device);
    skr_learn(device); /* what it claimed is not what it has any more */
}

/* ---- The broker ---- */

static void on_up(uint64_t now_ms)
{
    return_ms = now_ms + SKR_FLEET_RETURN_MS;
}

static void on_down(uint64_t now_ms)
{
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        struct skr_fleet_device *d = &skr_registry.devices[skr_registry.order[i]];
        d->stale = d->presence != SKR_AWAY;
        d->doubt = SKR_DOUBT_NONE;
        if (d->presence == SKR_REFUSED) { /* both will be announced again */
            skr_registry_set(skr_registry.order[i], SKR_AWAY, now_ms);
        }
    }
    return_ms = 0;
    skr_requests_broker_down();
}

/* Devices that the broker does not tell of any more. */
static void drop_stale(uint64_t now_ms)
{
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        struct skr_fleet_device *d = &skr_registry.devices[skr_registry.order[i]];
        if (d->stale) {
            d->stale = false;
            go(skr_registry.order[i], now_ms);
        }
    }
}

/* ---- Doubts ---- */

static void on_neighbour_lost(uint64_t now_ms)
{
    (void)now_ms;
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        struct skr_fleet_device *d = &skr_registry.devices[skr_registry.order[i]];
        if (d->presence == SKR_PRESENT && d->doubt == SKR_DOUBT_NONE) {
            d->doubt = SKR_DOUBT_THERE;
        }
    }
    doubts = true;
}

/* Asks some of those that are in doubt. */
static void ask_doubted(uint64_t now_ms)
{
    bool left = false;
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        uint32_t device = skr_registry.order[(doubted_at + i) % skr_registry.count];
        struct skr_fleet_device *d = &skr_registry.devices[device];
        if (d->doubt == SKR_DOUBT_NONE || d->presence != SKR_PRESENT) {
            continue;
        }
        left = true;
        if (!skr_requests_probe(device, now_ms)) { /* no room now */
            doubted_at = (doubted_at + i) % skr_registry.count;
            break;
        }
    }
    doubts = left;
}

/* Asks those that were silent once more: a broker on the way may have been slower to return than they. */
static void ask_silent(uint64_t now_ms)
{
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        uint32_t device = skr_registry.order[(silent_at + i) % skr_registry.count];
        const struct skr_fleet_device *d = &skr_registry.devices[device];
        uint64_t pause_ms = (uint64_t)SKR_FLEET_SILENT_MS << (d->silences > 0 ? d->silences - 1 : 0);
        if (d->presence == SKR_SILENT && now_ms - d->tried_ms >= pause_ms && !skr_requests_probe(device, now_ms)) {
            silent_at = (silent_at + i) % skr_registry.count; /* no room now */
            return;
        }
    }
}

uint32_t skr_presence_turn(uint64_t now_ms)
{
    if (skr_uplink_is_up() && now_ms - looked_ms >= 1000) {
        looked_ms = now_ms;
        ask_silent(now_ms);
    }
    if (return_ms != 0 && now_ms >= return_ms) {
        return_ms = 0;
        drop_stale(now_ms);
    }
    if (doubts && skr_uplink_is_up()) {
        ask_doubted(now_ms);
    }
    return doubts ? 50 : 1000;
}

/* ---- Start ---- */

static void on_twins(uint32_t device, uint64_t now_ms)
{
    refuse(device, skri_span_of(skr_registry.devices[device].kind), now_ms);
}

bool skr_presence_open(const struct skr_mqtt_broker *broker, uint64_t now_ms)
{
    static const struct skr_uplink_events events = {
        .up = on_up,
        .down = on_down,
        .online = on_online,
        .offline = on_offline,
        .changed = on_changed,
        .neighbour_lost = on_neighbour_lost,
        .message = skr_requests_message,
        .noise = skr_requests_stray,
    };
    skr_requests_on_twins(on_twins);
    skr_learn_open(set_build);
    return skr_uplink_open(broker, &events, now_ms);
}
