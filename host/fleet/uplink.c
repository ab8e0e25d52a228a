/* uplink.c -- see uplink.h. */
#include "uplink.h"

#include <stdio.h>
#include <string.h>

#include "../mqtt/topic.h"
#include "clock.h"
#include "console.h"
#include "counters.h"
#include "json_edit.h"
#include "json_text.h"
#include "random.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A connection to the broker. The first one also subscribes to announcements. */
static struct connection {
    struct mqtt_session session;
    char id[40], will_topic[MQTT_TOPIC];
} connections[FLEET_CONNECTIONS];

#define EACH_CONNECTION(c) for (struct connection *c = connections; c < connections + FLEET_CONNECTIONS; c++)

static const struct mqtt_broker *broker;
static const struct fleet_uplink_events *events;
static bool up; /* all connections are */
static uint64_t received, sent;
static bool has_dropped; /* `dropped` of this broker has come */
static char compact[FLEET_RESULT + 1024];

#define DISCONNECTED "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}"

/* Joined brokers publish here whether they are connected (mosquitto.conf, notifications). */
#define NEIGHBOURS "$SYS/broker/connection/"
#define DROPPED "$SYS/broker/publish/messages/dropped"

static struct connection *connection_of(const struct fleet_device *d)
{
    return &connections[(size_t)(d - fleet_registry.devices) % FLEET_CONNECTIONS];
}

bool fleet_uplink_is_up(void)
{
    return up;
}

bool fleet_uplink_has_room(const struct fleet_device *d)
{
    const struct mqtt_session *m = &connection_of(d)->session;

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

static enum mqtt_result uplink_publish(enum mqtt_topic_kind kind, const struct fleet_device *d, struct skr_span message)
{
    char topic[MQTT_TOPIC];
    struct connection *c = connection_of(d);

    mqtt_topic_write(topic, kind, c->id, d->id, d->kind);
    enum mqtt_result result = mqtt_publish(&c->session, topic, message.p, message.n, false);
    sent += result == MQTT_SENT ? message.n : 0;
    return result;
}

enum mqtt_result fleet_uplink_initialize(const struct fleet_device *d, struct skr_span message)
{
    return uplink_publish(MQTT_TOPIC_CONTROL, d, message);
}

enum mqtt_result fleet_uplink_send(const struct fleet_device *d, struct skr_span message)
{
    return uplink_publish(MQTT_TOPIC_RPC, d, message);
}

void fleet_uplink_subscribe(const struct fleet_device *d, bool on)
{
    char topic[MQTT_TOPIC];
    const char *const filters[] = {topic};
    struct connection *c = connection_of(d);

    mqtt_topic_write(topic, MQTT_TOPIC_RPC, c->id, d->id, d->kind);
    if (on) {
        (void)mqtt_subscribe(&c->session, filters, 1);
    } else {
        (void)mqtt_unsubscribe(&c->session, filters, 1);
    }
}

/* ---- Receiving ---- */

/* The error that replaces a response that is too large. */
static struct skr_span too_long(struct skr_span message)
{
    struct skr_span id = skr_scan_get(message, "id");
    int n = snprintf(compact, sizeof compact,
                     "{\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"The response has %zu bytes, more than "
                     "FLEET_RESULT\"}}",
                     (int)(id.n < 32 ? id.n : 0), id.p, message.n);

    return (struct skr_span){compact, (size_t)n};
}

/* The device of a topic; FLEET_NO_DEVICE: none that is announced with this kind. */
static uint32_t device_of(const struct mqtt_topic *t)
{
    uint32_t device = fleet_registry_find(t->server);
    bool announced = device != FLEET_NO_DEVICE && skr_span_is(t->name, fleet_registry.devices[device].kind);

    return announced ? device : FLEET_NO_DEVICE;
}

static void on_rpc(const struct mqtt_topic *t, struct skr_span message, uint64_t now_ms)
{
    uint32_t device = device_of(t);

    if (device == FLEET_NO_DEVICE || !skr_span_is(t->client, connection_of(&fleet_registry.devices[device])->id)) {
        fleet_counters.unexpected++;
        return;
    }
    if (skr_json_check(message.p, message.n) != SKR_JSON_OK) {
        events->unexpected(device, now_ms);
        return;
    }
    if (message.n > FLEET_RESULT) {
        message = too_long(message);
    } else {
        message.n = host_json_compact(compact, message); /* in an event stream a newline would begin another line */
        message.p = compact;
    }
    events->message(device, message, now_ms);
}

/* The number of messages that the broker has dropped. At the start they may be announcements, and nothing else reveals that. */
static void on_dropped(struct skr_span message)
{
    static uint64_t before;
    uint64_t now = fleet_json_value(message);

    if (now == UINT64_MAX) {
        return;
    }
    if (has_dropped && now > before && fleet_counters.dropped == 0) {
        host_log(
            "%s: the broker drops messages, perhaps announcements of devices; set its max_queued_messages to 0, or to more than "
            "the number of devices",
            broker->shown);
    }
    fleet_counters.dropped += has_dropped && now > before ? now - before : 0;
    has_dropped = true;
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
        events->offline(t.server, t.name, now_ms);
    } else if (t.kind == MQTT_TOPIC_SERVER_PRESENCE) {
        events->online(t.server, t.name, message, now_ms);
    } else if (t.kind == MQTT_TOPIC_RPC) {
        on_rpc(&t, message, now_ms);
    } else if (t.kind == MQTT_TOPIC_SERVER_CHANGES && device_of(&t) != FLEET_NO_DEVICE) {
        events->changed(device_of(&t), now_ms);
    } else if (strncmp(m->topic, NEIGHBOURS, strlen(NEIGHBOURS)) == 0 && skr_span_is(message, "0")) {
        events->neighbour_lost(now_ms);
    } else if (strcmp(m->topic, DROPPED) == 0) {
        on_dropped(message);
    } else {
        fleet_counters.unexpected += t.kind == MQTT_TOPIC_NONE;
    }
}

/* ---- Up and down ---- */

/* The id cannot be guessed, so only a client that sees our messages at the broker can respond in place of a device. */
static void choose_id(struct connection *c)
{
    uint8_t bytes[8] = {0};

    (void)host_random(bytes, sizeof bytes);
    int n = snprintf(c->id, sizeof c->id, "skillrom-fleet-");
    for (size_t i = 0; i < sizeof bytes; i++) {
        n += snprintf(c->id + n, sizeof c->id - (size_t)n, "%02x", bytes[i]);
    }
    mqtt_topic_write(c->will_topic, MQTT_TOPIC_CLIENT_PRESENCE, c->id, NULL, NULL);
}

/* All connections are up: subscribes. */
static void on_up(void *owner)
{
    static char filters[2][MQTT_TOPIC];

    (void)owner;
    EACH_CONNECTION(c)
    {
        if (c->session.state != MQTT_UP) {
            return;
        }
    }
    mqtt_topic_write(filters[0], MQTT_TOPIC_SERVER_CHANGES, NULL, "+", "#");
    mqtt_topic_write(filters[1], MQTT_TOPIC_SERVER_PRESENCE, NULL, "+", "#");
    const char *const all[] = {DROPPED, NEIGHBOURS "+/state", filters[0], filters[1]};
    has_dropped = false;
    up = true;
    (void)mqtt_subscribe(&connections[0].session, all, 4);
    events->up(host_clock_ms());
}

static void on_down(void *owner, bool was_up, const char *why)
{
    struct connection *lost = owner;

    if (up || (lost == connections && !was_up && lost->session.failures == 1)) { /* once, not for every attempt */
        size_t n = strlen(why);
        host_log("%s: %.*s; trying again", broker->shown, (int)(n > 0 && why[n - 1] == '.' ? n - 1 : n), why);
    }
    if (up) {
        fleet_counters.broker_losses++;
        up = false;
        events->down(host_clock_ms());
        EACH_CONNECTION(c)
        {
            if (c != lost) {
                mqtt_restart(&c->session, true, host_clock_ms());
                choose_id(c);
            }
        }
    }
    choose_id(lost);
}

static void on_refused(void *owner, int mid, int reason)
{
    static int reported;

    (void)owner;
    (void)mid;
    if (reported++ < 8) { /* a broker may refuse any number */
        host_log(
            "%s: the broker refuses a message or a subscription (reason 0x%02x); extend its access rules for this user",
            broker->shown, (unsigned)reason);
    }
}

bool fleet_uplink_open(const struct mqtt_broker *at, const struct fleet_uplink_events *notified, uint64_t now_ms)
{
    static const struct mqtt_events session_events = {on_up, on_down, on_message, on_refused};

    events = notified;
    broker = at;
    EACH_CONNECTION(c)
    {
        choose_id(c);
        c->session = (struct mqtt_session){
            .broker = broker,
            .component = MQTT_MCP_CLIENT,
            .id = c->id,
            .will_topic = c->will_topic,
            .will = DISCONNECTED,
            .owner = c,
            .events = &session_events,
        };
        if (!mqtt_open(&c->session, now_ms)) {
            return false;
        }
    }
    return true;
}

void fleet_uplink_close(void)
{
    EACH_CONNECTION(c)
    {
        (void)mqtt_publish(&c->session, c->will_topic, DISCONNECTED, sizeof DISCONNECTED - 1, false);
    }
    EACH_CONNECTION(c)
    {
        mqtt_close(&c->session);
    }
}

void fleet_uplink_turn(uint64_t now_ms)
{
    EACH_CONNECTION(c)
    {
        mqtt_turn(&c->session, now_ms);
    }
}

unsigned fleet_uplink_wants(int fds[], short wanted[])
{
    unsigned count = 0;

    EACH_CONNECTION(c)
    {
        fds[count] = mqtt_wants(&c->session, &wanted[count]);
        count++;
    }
    return count;
}

uint32_t fleet_uplink_wait_ms(uint64_t now_ms)
{
    uint32_t least = UINT32_MAX;

    EACH_CONNECTION(c)
    {
        uint32_t wait = mqtt_wait_ms(&c->session, now_ms);
        least = wait < least ? wait : least;
    }
    return least;
}
