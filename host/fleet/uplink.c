/* uplink.c -- see uplink.h. */
#include "uplink.h"

#include <stdio.h>
#include <string.h>

#include "../mqtt/topic.h"
#include "clock.h"
#include "counters.h"
#include "random.h"
#include "console.h"
#include "json_text.h"
#include "../bridge/json_edit.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A connection, with an id that nobody can guess. The first one also hears of devices. */
static struct line {
    struct mqtt_session session;
    char id[40], will_topic[MQTT_TOPIC];
} lines[FLEET_LINES];

#define EACH_LINE(l) for (struct line *l = lines; l < lines + FLEET_LINES; l++)

static const struct mqtt_broker *broker;
static const struct fleet_uplink_events *told;
static bool up; /* all lines are */
static uint64_t received, sent;
static bool dropped_known; /* a figure of this connection's broker has come */
static char compact[FLEET_RESULT + 1024];

#define FAREWELL "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}"

/* Joined brokers say here whether they have each other (mosquitto.conf, notifications). */
#define NEIGHBOURS "$SYS/broker/connection/"
#define DROPPED "$SYS/broker/publish/messages/dropped"

static struct line *line_of(const struct fleet_device *d)
{
    return &lines[(size_t)(d - fleet_registry.devices) % FLEET_LINES];
}

bool fleet_uplink_is_up(void)
{
    return up;
}

bool fleet_uplink_has_room(const struct fleet_device *d)
{
    const struct mqtt_session *m = &line_of(d)->session;
    return up && m->unacked < m->window;
}

uint64_t fleet_uplink_received(void)
{
    return received;
}

uint64_t fleet_uplink_sent(void)
{
    return sent;
}

/* ---- Sending ---- */

static enum mqtt_result publish(enum mqtt_topic_kind kind, const struct fleet_device *d, struct skr_span message)
{
    char topic[MQTT_TOPIC];
    struct line *l = line_of(d);
    mqtt_topic_write(topic, kind, l->id, d->id, d->kind);
    enum mqtt_result result = mqtt_publish(&l->session, topic, message.p, message.n, false);
    sent += result == MQTT_SENT ? message.n : 0;
    return result;
}

enum mqtt_result fleet_uplink_greet(const struct fleet_device *d, struct skr_span message)
{
    return publish(MQTT_TOPIC_CONTROL, d, message);
}

enum mqtt_result fleet_uplink_send(const struct fleet_device *d, struct skr_span message)
{
    return publish(MQTT_TOPIC_RPC, d, message);
}

void fleet_uplink_hear(const struct fleet_device *d, bool hear)
{
    char topic[MQTT_TOPIC];
    const char *const all[] = {topic};
    struct line *l = line_of(d);
    mqtt_topic_write(topic, MQTT_TOPIC_RPC, l->id, d->id, d->kind);
    if (hear) {
        (void)mqtt_subscribe(&l->session, all, 1);
    } else {
        (void)mqtt_unsubscribe(&l->session, all, 1);
    }
}

/* ---- Receiving ---- */

/* What stands for an answer that is too long to be kept. */
static struct skr_span too_long(struct skr_span message)
{
    struct skr_span id = skr_scan_get(message, "id");
    int n = snprintf(compact, sizeof compact,
                     "{\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"The answer has %zu bytes, more than "
                     "FLEET_RESULT\"}}",
                     (int)(id.n < 32 ? id.n : 0), id.p, message.n);
    return (struct skr_span){compact, (size_t)n};
}

/* The device that a topic is about; FLEET_NO_DEVICE: none that is announced so. */
static uint32_t device_of(const struct mqtt_topic *t)
{
    uint32_t device = fleet_registry_find(t->server);
    bool known = device != FLEET_NO_DEVICE && skr_span_is(t->name, fleet_registry.devices[device].kind);
    return known ? device : FLEET_NO_DEVICE;
}

static void on_rpc(const struct mqtt_topic *t, struct skr_span message, uint64_t now_ms)
{
    uint32_t device = device_of(t);
    if (device == FLEET_NO_DEVICE || !skr_span_is(t->client, line_of(&fleet_registry.devices[device])->id)) {
        fleet_counters.unexpected++;
        return;
    }
    if (skr_json_check(message.p, message.n) != SKR_JSON_OK) {
        told->noise(device, now_ms);
        return;
    }
    if (message.n > FLEET_RESULT) {
        message = too_long(message);
    } else {
        message.n = bridge_json_compact(compact, message); /* in an event stream a line end would begin another line */
        message.p = compact;
    }
    told->message(device, message, now_ms);
}

/* How many messages the broker has dropped so far. At our start it may be announcements of devices, and nothing else would tell. */
static void on_dropped(struct skr_span message)
{
    static uint64_t before;
    uint64_t now = fleet_json_value(message);
    if (now == UINT64_MAX) {
        return;
    }
    if (dropped_known && now > before && fleet_counters.dropped == 0) {
        host_log(
            "%s: the broker drops messages, perhaps announcements of devices: its max_queued_messages must be 0, or more than "
            "the number of devices",
            broker->shown);
    }
    fleet_counters.dropped += dropped_known && now > before ? now - before : 0;
    dropped_known = true;
    before = now;
}

static void on_message(void *owner, const struct mqtt_message *m)
{
    uint64_t now_ms = host_clock_ms();
    struct mqtt_topic t = mqtt_topic_parse(m->topic);
    struct skr_span message = {m->payload, m->n};
    (void)owner;
    received += m->n;
    if (t.kind == MQTT_TOPIC_SERVER_PRESENCE && m->n == 0) {
        told->offline(t.server, t.name, now_ms);
    } else if (t.kind == MQTT_TOPIC_SERVER_PRESENCE) {
        told->online(t.server, t.name, message, now_ms);
    } else if (t.kind == MQTT_TOPIC_RPC) {
        on_rpc(&t, message, now_ms);
    } else if (t.kind == MQTT_TOPIC_SERVER_CHANGES && device_of(&t) != FLEET_NO_DEVICE) {
        told->changed(device_of(&t), now_ms);
    } else if (strncmp(m->topic, NEIGHBOURS, strlen(NEIGHBOURS)) == 0 && skr_span_is(message, "0")) {
        told->neighbour_lost(now_ms);
    } else if (strcmp(m->topic, DROPPED) == 0) {
        on_dropped(message);
    } else {
        fleet_counters.unexpected += t.kind == MQTT_TOPIC_NONE;
    }
}

/* ---- Up and down ---- */

/* Nobody can guess it, so nobody can answer in a device's place who does not see our messages at the broker. */
static void choose_id(struct line *l)
{
    uint8_t bytes[8] = {0};
    (void)host_random(bytes, sizeof bytes);
    int n = snprintf(l->id, sizeof l->id, "skillrom-fleet-");
    for (size_t i = 0; i < sizeof bytes; i++) {
        n += snprintf(l->id + n, sizeof l->id - (size_t)n, "%02x", bytes[i]);
    }
    mqtt_topic_write(l->will_topic, MQTT_TOPIC_CLIENT_PRESENCE, l->id, NULL, NULL);
}

/* The last of them to be connected begins. */
static void on_up(void *owner)
{
    static char filters[2][MQTT_TOPIC];
    (void)owner;
    EACH_LINE(l)
    {
        if (l->session.state != MQTT_UP) {
            return;
        }
    }
    mqtt_topic_write(filters[0], MQTT_TOPIC_SERVER_CHANGES, NULL, "+", "#");
    mqtt_topic_write(filters[1], MQTT_TOPIC_SERVER_PRESENCE, NULL, "+", "#");
    const char *const all[] = {DROPPED, NEIGHBOURS "+/state", filters[0], filters[1]};
    dropped_known = false;
    up = true;
    (void)mqtt_subscribe(&lines[0].session, all, 4);
    told->up(host_clock_ms());
}

static void on_down(void *owner, bool was_up, const char *why)
{
    struct line *lost = owner;
    if (up || (lost == lines && !was_up && lost->session.failures == 1)) { /* once, not for every attempt */
        size_t n = strlen(why);
        host_log("%s: %.*s; trying again", broker->shown, (int)(n > 0 && why[n - 1] == '.' ? n - 1 : n), why);
    }
    if (up) {
        fleet_counters.broker_losses++;
        up = false;
        told->down(host_clock_ms());
        EACH_LINE(l)
        {
            if (l != lost) {
                mqtt_restart(&l->session, true, host_clock_ms());
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
        host_log(
            "%s: the broker refuses a message or a subscription (reason 0x%02x); its rights for this user are too few",
            broker->shown, (unsigned)reason);
    }
}

bool fleet_uplink_open(const struct mqtt_broker *at, const struct fleet_uplink_events *events_of_owner, uint64_t now_ms)
{
    static const struct mqtt_events events = {on_up, on_down, on_message, on_refused};
    told = events_of_owner;
    broker = at;
    EACH_LINE(l)
    {
        choose_id(l);
        l->session = (struct mqtt_session){
            .broker = broker,
            .component = MQTT_MCP_CLIENT,
            .id = l->id,
            .will_topic = l->will_topic,
            .will = FAREWELL,
            .owner = l,
            .events = &events,
        };
        if (!mqtt_open(&l->session, now_ms)) {
            return false;
        }
    }
    return true;
}

void fleet_uplink_close(void)
{
    EACH_LINE(l)
    {
        (void)mqtt_publish(&l->session, l->will_topic, FAREWELL, sizeof FAREWELL - 1, false);
    }
    EACH_LINE(l)
    {
        mqtt_close(&l->session);
    }
}

void fleet_uplink_turn(uint64_t now_ms)
{
    EACH_LINE(l)
    {
        mqtt_turn(&l->session, now_ms);
    }
}

unsigned fleet_uplink_wants(int fds[], short events[])
{
    unsigned count = 0;
    EACH_LINE(l)
    {
        fds[count] = mqtt_wants(&l->session, &events[count]);
        count++;
    }
    return count;
}

uint32_t fleet_uplink_wait_ms(uint64_t now_ms)
{
    uint32_t least = UINT32_MAX;
    EACH_LINE(l)
    {
        uint32_t wait = mqtt_wait_ms(&l->session, now_ms);
        least = wait < least ? wait : least;
    }
    return least;
}
