/* uplink.c -- see uplink.h. */
#include "uplink.h"

#include <stdio.h>
#include <string.h>

#include "../mqtt/topic.h"
#include "clock.h"
#include "counts.h"
#include "random.h"
#include "say.h"
#include "text.h"
#include "../bridge/scan.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A connection, with an id that nobody can guess. The first one also hears of devices. */
static struct line {
    struct skr_mqtt session;
    char id[40], will_topic[SKR_MQTT_TOPIC];
} lines[SKR_FLEET_LINES];

#define EACH_LINE(l) for (struct line *l = lines; l < lines + SKR_FLEET_LINES; l++)

static const struct skr_mqtt_broker *broker;
static const struct skr_uplink_events *told;
static bool up; /* all lines are */
static uint64_t received, sent;
static bool dropped_known; /* a figure of this connection's broker has come */
static char compact[SKR_FLEET_RESULT + 1024];

#define FAREWELL "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}"

/* Joined brokers say here whether they have each other (mosquitto.conf, notifications). */
#define NEIGHBOURS "$SYS/broker/connection/"
#define DROPPED "$SYS/broker/publish/messages/dropped"

static struct line *line_of(const struct skr_fleet_device *d)
{
    return &lines[(size_t)(d - skr_registry.devices) % SKR_FLEET_LINES];
}

bool skr_uplink_is_up(void)
{
    return up;
}

bool skr_uplink_has_room(const struct skr_fleet_device *d)
{
    const struct skr_mqtt *m = &line_of(d)->session;
    return up && m->unacked < m->window;
}

uint64_t skr_uplink_received(void)
{
    return received;
}

uint64_t skr_uplink_sent(void)
{
    return sent;
}

/* ---- Sending ---- */

static enum skr_mqtt_result publish(enum skr_topic_kind kind, const struct skr_fleet_device *d, struct skr_span message)
{
    char topic[SKR_MQTT_TOPIC];
    struct line *l = line_of(d);
    skr_topic_write(topic, kind, l->id, d->id, d->kind);
    enum skr_mqtt_result result = skr_mqtt_publish(&l->session, topic, message.p, message.n, false);
    sent += result == SKR_MQTT_SENT ? message.n : 0;
    return result;
}

enum skr_mqtt_result skr_uplink_greet(const struct skr_fleet_device *d, struct skr_span message)
{
    return publish(SKR_TOPIC_CONTROL, d, message);
}

enum skr_mqtt_result skr_uplink_send(const struct skr_fleet_device *d, struct skr_span message)
{
    return publish(SKR_TOPIC_RPC, d, message);
}

void skr_uplink_hear(const struct skr_fleet_device *d, bool hear)
{
    char topic[SKR_MQTT_TOPIC];
    const char *const all[] = {topic};
    struct line *l = line_of(d);
    skr_topic_write(topic, SKR_TOPIC_RPC, l->id, d->id, d->kind);
    if (hear) {
        (void)skr_mqtt_subscribe(&l->session, all, 1);
    } else {
        (void)skr_mqtt_unsubscribe(&l->session, all, 1);
    }
}

/* ---- Receiving ---- */

/* What stands for an answer that is too long to be kept. */
static struct skr_span too_long(struct skr_span message)
{
    struct skr_span id = skri_scan_get(message, "id");
    int n = snprintf(compact, sizeof compact,
                     "{\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"The answer has %zu bytes, more than "
                     "SKR_FLEET_RESULT\"}}",
                     (int)(id.n < 32 ? id.n : 0), id.p, message.n);
    return (struct skr_span){compact, (size_t)n};
}

/* The device that a topic is about; SKR_NO_DEVICE: none that is announced so. */
static uint32_t device_of(const struct skr_topic *t)
{
    uint32_t device = skr_registry_find(t->server);
    bool known = device != SKR_NO_DEVICE && skri_span_is(t->name, skr_registry.devices[device].kind);
    return known ? device : SKR_NO_DEVICE;
}

static void on_rpc(const struct skr_topic *t, struct skr_span message, uint64_t now_ms)
{
    uint32_t device = device_of(t);
    if (device == SKR_NO_DEVICE || !skri_span_is(t->client, line_of(&skr_registry.devices[device])->id)) {
        skr_counts.strays++;
        return;
    }
    if (skri_json_check(message.p, message.n) != SKR_JSON_OK) {
        told->noise(device, now_ms);
        return;
    }
    if (message.n > SKR_FLEET_RESULT) {
        message = too_long(message);
    } else {
        message.n = skr_scan_compact(compact, message); /* in an event stream a line end would begin another line */
        message.p = compact;
    }
    told->message(device, message, now_ms);
}

/* How many messages the broker has dropped so far. At our start it may be announcements of devices, and nothing else would tell. */
static void on_dropped(struct skr_span message)
{
    static uint64_t before;
    uint64_t now = skr_text_value(message);
    if (now == UINT64_MAX) {
        return;
    }
    if (dropped_known && now > before && skr_counts.dropped == 0) {
        skr_say(
            "%s: the broker drops messages, perhaps announcements of devices: its max_queued_messages must be 0, or more than "
            "the number of devices",
            broker->shown);
    }
    skr_counts.dropped += dropped_known && now > before ? now - before : 0;
    dropped_known = true;
    before = now;
}

static void on_message(void *owner, const struct skr_mqtt_message *m)
{
    uint64_t now_ms = skr_clock_ms();
    struct skr_topic t = skr_topic_parse(m->topic);
    struct skr_span message = {m->payload, m->n};
    (void)owner;
    received += m->n;
    if (t.kind == SKR_TOPIC_SERVER_PRESENCE && m->n == 0) {
        told->offline(t.server, t.name, now_ms);
    } else if (t.kind == SKR_TOPIC_SERVER_PRESENCE) {
        told->online(t.server, t.name, message, now_ms);
    } else if (t.kind == SKR_TOPIC_RPC) {
        on_rpc(&t, message, now_ms);
    } else if (t.kind == SKR_TOPIC_SERVER_CHANGES && device_of(&t) != SKR_NO_DEVICE) {
        told->changed(device_of(&t), now_ms);
    } else if (strncmp(m->topic, NEIGHBOURS, strlen(NEIGHBOURS)) == 0 && skri_span_is(message, "0")) {
        told->neighbour_lost(now_ms);
    } else if (strcmp(m->topic, DROPPED) == 0) {
        on_dropped(message);
    } else {
        skr_counts.strays += t.kind == SKR_TOPIC_NONE;
    }
}

/* ---- Up and down ---- */

/* Nobody can guess it, so nobody can answer in a device's place who does not see our messages at the broker. */
static void choose_id(struct line *l)
{
    uint8_t bytes[8] = {0};
    (void)skr_random(bytes, sizeof bytes);
    int n = snprintf(l->id, sizeof l->id, "skillrom-fleet-");
    for (size_t i = 0; i < sizeof bytes; i++) {
        n += snprintf(l->id + n, sizeof l->id - (size_t)n, "%02x", bytes[i]);
    }
    skr_topic_write(l->will_topic, SKR_TOPIC_CLIENT_PRESENCE, l->id, NULL, NULL);
}

/* The last of them to be connected begins. */
static void on_up(void *owner)
{
    static char filters[2][SKR_MQTT_TOPIC];
    (void)owner;
    EACH_LINE(l)
    {
        if (l->session.state != SKR_MQTT_UP) {
            return;
        }
    }
    skr_topic_write(filters[0], SKR_TOPIC_SERVER_CHANGES, NULL, "+", "#");
    skr_topic_write(filters[1], SKR_TOPIC_SERVER_PRESENCE, NULL, "+", "#");
    const char *const all[] = {DROPPED, NEIGHBOURS "+/state", filters[0], filters[1]};
    dropped_known = false;
    up = true;
    (void)skr_mqtt_subscribe(&lines[0].session, all, 4);
    told->up(skr_clock_ms());
}

static void on_down(void *owner, bool was_up, const char *why)
{
    struct line *lost = owner;
    if (up || (lost == lines && !was_up && lost->session.failures == 1)) { /* once, not for every attempt */
        size_t n = strlen(why);
        skr_say("%s: %.*s; trying again", broker->shown, (int)(n > 0 && why[n - 1] == '.' ? n - 1 : n), why);
    }
    if (up) {
        skr_counts.reconnects++;
        up = false;
        told->down(skr_clock_ms());
        EACH_LINE(l)
        {
            if (l != lost) {
                skr_mqtt_restart(&l->session, true, skr_clock_ms());
                choose_id(l);
            }
        }
    }
    choose_id(lost);
}

static void on_refused(void *owner, int mid, int reason)
{
    static int said;
    (void)owner;
    (void)mid;
    if (said++ < 8) { /* a broker may refuse as much as it likes */
        skr_say(
            "%s: the broker refuses a message or a subscription (reason 0x%02x); its rights for this user are too few",
            broker->shown, (unsigned)reason);
    }
}

bool skr_uplink_open(const struct skr_mqtt_broker *at, const struct skr_uplink_events *events_of_owner, uint64_t now_ms)
{
    static const struct skr_mqtt_events events = {on_up, on_down, on_message, on_refused};
    told = events_of_owner;
    broker = at;
    EACH_LINE(l)
    {
        choose_id(l);
        l->session = (struct skr_mqtt){
            .broker = broker,
            .component = SKR_MQTT_MCP_CLIENT,
            .id = l->id,
            .will_topic = l->will_topic,
            .will = FAREWELL,
            .owner = l,
            .events = &events,
        };
        if (!skr_mqtt_open(&l->session, now_ms)) {
            return false;
        }
    }
    return true;
}

void skr_uplink_close(void)
{
    EACH_LINE(l)
    {
        (void)skr_mqtt_publish(&l->session, l->will_topic, FAREWELL, sizeof FAREWELL - 1, false);
    }
    EACH_LINE(l)
    {
        skr_mqtt_close(&l->session);
    }
}

void skr_uplink_turn(uint64_t now_ms)
{
    EACH_LINE(l)
    {
        skr_mqtt_turn(&l->session, now_ms);
    }
}

unsigned skr_uplink_wants(int fds[], short events[])
{
    unsigned count = 0;
    EACH_LINE(l)
    {
        fds[count] = skr_mqtt_wants(&l->session, &events[count]);
        count++;
    }
    return count;
}

uint32_t skr_uplink_wait_ms(uint64_t now_ms)
{
    uint32_t least = UINT32_MAX;
    EACH_LINE(l)
    {
        uint32_t wait = skr_mqtt_wait_ms(&l->session, now_ms);
        least = wait < least ? wait : least;
    }
    return least;
}
