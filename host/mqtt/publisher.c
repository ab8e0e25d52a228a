/* publisher.c -- see publisher.h: sessions with the broker, and messages between clients and the core. */
#include "publisher.h"

#include <stdio.h>
#include <string.h>

#include "console.h"
#include "random.h"
#include "text/hash.h"
#include "text/json_scan.h"
#include "text/span.h"

#define RESERVED 4 /* of the window: for presence and errors, which are not sent again */

static struct skr_span text_member(const char *text, size_t n, const char *key)
{
    return skr_scan_get((struct skr_span){text, n}, key);
}

/* ---- Clients ---- */

/* Ends a client's session, and unsubscribes from its topics. */
static void dismiss_client(struct mqtt_publisher *p, unsigned place)
{
    char topics[3][MQTT_TOPIC];

    mqtt_publisher_topics(p, p->clients[place].id, topics);
    (void)mqtt_unsubscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, 3);
    p->host->close(p->owner, place);
    mqtt_publisher_forget(p, place);
}

/* Whether the request has arrived before: joined brokers may deliver one twice. */
static bool is_repeated(struct mqtt_publisher_client *client, struct skr_span id)
{
    uint64_t hash = skr_hash(id) | 1; /* never 0, which is an empty place */

    for (unsigned i = 0; i < MQTT_RECENT; i++) {
        if (client->recent[i] == hash) {
            return true;
        }
    }
    client->recent[client->recent_at++ % MQTT_RECENT] = hash;
    return false;
}

void mqtt_publisher_line(char *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    }
    to[n] = '\n';
}

/* Counts a response of the core; one whose id is null belongs to no request. */
static void count_response(struct mqtt_publisher_client *client, struct skr_span id)
{
    if (skr_span_is(id, "null")) {
        return;
    }
    client->passed -= client->passed > 0;
    client->pending -= client->pending > 0;
}

static void pass_to_core(struct mqtt_publisher *p, unsigned place, const struct mqtt_message *m)
{
    struct mqtt_publisher_client *client = &p->clients[place];
    struct skr_span id = text_member(m->payload, m->n, "id"), method = text_member(m->payload, m->n, "method");
    bool request = id.p != NULL && method.p != NULL, batch = m->n > 0 && *m->payload == '[';

    client->active_ms = p->now_ms;
    if (request && is_repeated(client, id)) {
        return;
    }
    if (p->host->give(p->owner, place, m->payload, m->n)) {
        client->pending += request || batch;
        client->pending -=
            client->pending > 0 && skr_scan_is(method, "notifications/cancelled"); /* that request gets no response */
    } else if (request) {
        mqtt_publisher_refuse(p, client->id, id, -32603,
                              "too many requests of one client are waiting; wait for responses of the device");
        client->recent[(client->recent_at - 1) % MQTT_RECENT] = 0; /* it was not taken: it may be sent again */
    }
}

bool mqtt_publisher_may_pass(struct mqtt_publisher *p, unsigned place, const char *text, size_t n)
{
    struct mqtt_publisher_client *client = &p->clients[place];
    struct skr_span method = text_member(text, n, "method");
    bool request = method.p != NULL && text_member(text, n, "id").p != NULL;

    if (request && client->passed >= MQTT_PASSED) {
        return false;
    }
    client->passed += request;
    if (client->passed > 0 && skr_scan_is(method, "notifications/cancelled")) { /* that request gets no response */
        client->passed--;
    }
    return true;
}

/* ---- From clients ---- */

static void on_message(void *owner, const struct mqtt_message *m)
{
    struct mqtt_publisher *p = owner;
    struct mqtt_topic topic = mqtt_topic_parse(m->topic);
    unsigned place = topic.client.n > 0 ? mqtt_publisher_find(p, topic.client) : 0;
    bool leaves = m->n == 0 || skr_scan_is(text_member(m->payload, m->n, "method"), "notifications/disconnected");

    if (topic.kind == MQTT_TOPIC_CONTROL) {
        mqtt_control_receive(p, m);
    } else if (topic.kind == MQTT_TOPIC_SERVER_PRESENCE) {
        mqtt_presence_receive(p, m);
    } else if (place == 0 || m->retained) {
        return; /* of a client that has gone; or a retained message */
    } else if (leaves && topic.kind != MQTT_TOPIC_CLIENT_CHANGES) {
        dismiss_client(p, place);
    } else if (topic.kind != MQTT_TOPIC_CLIENT_PRESENCE) {
        pass_to_core(p, place, m);
    }
}

/* ---- To clients ---- */

/* Notifications that the specification publishes once for all clients, on a topic of the device. */
static bool is_change(struct skr_span method)
{
    struct skr_span inside = skr_scan_inside(method);

    return skr_span_ends(inside, SPAN("/list_changed")) || skr_scan_is(method, "notifications/resources/updated");
}

/* Each client's connection reports the same change; true for the first. A second report of one connection is another change. */
static bool is_first(struct mqtt_publisher *p, unsigned place, struct skr_span text)
{
    uint64_t hash = skr_hash(text) | 1, bit = (uint64_t)1 << place;

    for (unsigned i = 0; i < MQTT_LIST_CHANGES; i++) {
        if (p->changes[i].text == hash) {
            bool first = (p->changes[i].clients & bit) != 0 || p->changes[i].clients == 0;
            p->changes[i].clients = first ? bit : p->changes[i].clients | bit;
            return first;
        }
    }
    p->changes[p->changes_at].text = hash;
    p->changes[p->changes_at].clients = bit;
    p->changes_at = (p->changes_at + 1) % MQTT_LIST_CHANGES;
    return true;
}

/* A message that is too large for the broker: an error replaces a response; a request of the device gets an error as if the client
 * had sent it. */
static void replace_by_error(struct mqtt_publisher *p, unsigned place, struct skr_span text, size_t whole,
                             const char *topic)
{
    struct skr_span id = skr_scan_get(text, "id");
    char message[256];

    (void)snprintf(
        message, sizeof message,
        "the message has %lu bytes, and this broker takes at most %lu here; request less, or raise its limit",
        (unsigned long)whole, (unsigned long)mqtt_payload_max(&p->mqtt, topic));
    if (skr_scan_get(text, "method").p == NULL) {
        count_response(&p->clients[place], id);
        mqtt_publisher_refuse(p, p->clients[place].id, id, -32603, message);
    } else if (id.p != NULL) {
        char response[512];
        int n = snprintf(response, sizeof response,
                         "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"%s\"}}",
                         (int)(id.n < 128 ? id.n : 128), id.p, message);
        (void)p->host->give(p->owner, place, response, (size_t)n);
    }
}

/* Without a connection there is always room: messages are lost. A small window has no reserve. */
bool mqtt_publisher_has_room(const struct mqtt_publisher *p)
{
    return p->mqtt.state != MQTT_UP || p->mqtt.unacked == 0 || p->mqtt.unacked + RESERVED < p->mqtt.window;
}

bool mqtt_publisher_take_cut(struct mqtt_publisher *p, unsigned place, const char *text, size_t n, size_t whole)
{
    char topic[MQTT_TOPIC];

    if (place == 0) {
        mqtt_describe_response(p, (struct skr_span){text, n});
        return true;
    }
    if (!p->clients[place].open) {
        return true;
    }
    if (!mqtt_publisher_has_room(p)) {
        return false;
    }
    mqtt_topic_write(topic, MQTT_TOPIC_RPC, p->clients[place].id, p->id, p->name);
    replace_by_error(p, place, (struct skr_span){text, n}, whole, topic);
    return true;
}

bool mqtt_publisher_take(struct mqtt_publisher *p, unsigned place, const char *text, size_t n)
{
    char topic[MQTT_TOPIC];
    struct skr_span method = text_member(text, n, "method");
    bool change = place > 0 && is_change(method);

    if (place == 0 || !p->clients[place].open) {
        return mqtt_publisher_take_cut(p, place, text, n, n);
    }
    if (!mqtt_publisher_has_room(p)) {
        return false;
    }
    if (change && !is_first(p, place, (struct skr_span){text, n})) {
        return true;
    }
    mqtt_topic_write(topic, change ? MQTT_TOPIC_SERVER_CHANGES : MQTT_TOPIC_RPC, p->clients[place].id, p->id, p->name);
    if (mqtt_publish(&p->mqtt, topic, text, n, false) == MQTT_TOO_LARGE) {
        replace_by_error(p, place, (struct skr_span){text, n}, n, topic);
    } else if (method.p == NULL) {
        count_response(&p->clients[place], text_member(text, n, "id"));
    }
    return true;
}

/* ---- Sessions ---- */

static void set_name(struct mqtt_publisher *p, const char *name)
{
    strcpy(p->name, name);
    mqtt_topic_write(p->presence_topic, MQTT_TOPIC_SERVER_PRESENCE, NULL, p->id, p->name);
}

static void close_clients(struct mqtt_publisher *p)
{
    for (unsigned i = 1; i < p->client_count; i++) {
        if (p->clients[i].open) {
            p->host->close(p->owner, i);
            mqtt_publisher_forget(p, i);
        }
    }
}

static void on_up(void *owner)
{
    struct mqtt_publisher *p = owner;
    char control[MQTT_TOPIC];

    if (p->mqtt.given_name[0] != '\0' && strcmp(p->mqtt.given_name, p->name) != 0) {
        return; /* the next turn reconnects, with a will for that name */
    }
    mqtt_topic_write(control, MQTT_TOPIC_CONTROL, NULL, p->id, p->name);
    (void)mqtt_subscribe(&p->mqtt, (const char *const[]){control, p->presence_topic}, 2);
    p->up_ms = p->now_ms;
    mqtt_presence_publish(p);
    if (!p->quiet) {
        host_log("published as %s/%s at %s", p->id, p->name, p->broker->shown);
    }
}

/* Whether another client has our id. Not every broker reports it; but a broker that accepts our connections and soon ends them,
 * again and again, has another client with the id. */
static bool is_taken_over(struct mqtt_publisher *p, bool was_up)
{
    bool soon = was_up && p->now_ms - p->up_ms < MQTT_SOON_MS;

    p->losses = soon ? p->losses + 1 : 0;
    return p->mqtt.reason == 0x8E || p->losses >= MQTT_LOSSES;
}

static void on_down(void *owner, bool was_up, const char *why)
{
    struct mqtt_publisher *p = owner;
    size_t n = strlen(why);

    close_clients(p);
    if (!p->quiet && (was_up || p->mqtt.failures == 1)) {
        host_log("%s: %.*s; trying again", p->broker->shown, (int)(n > 0 && why[n - 1] == '.' ? n - 1 : n), why);
    }
    if (is_taken_over(p, was_up)) {
        mqtt_presence_dispute(p, "?");
        p->mqtt.failures = MQTT_YIELD; /* a long pause: otherwise the two would alternate many times a second */
        mqtt_restart(&p->mqtt, true, p->now_ms);
    }
}

static void on_refused(void *owner, int mid, int reason)
{
    struct mqtt_publisher *p = owner;

    (void)mid;
    if (!p->quiet) {
        host_log(
            "%s: the broker refuses messages or subscriptions of %s (reason 0x%02X); its access rules must allow it to write "
            "$mcp-server/presence/%s/# and $mcp-server/capability/%s/#, and use $mcp-rpc/+/%s/#",
            p->broker->shown, p->id, (unsigned)reason, p->id, p->id, p->id);
    }
    p->refused = true;
}

static const struct mqtt_events events = {.up = on_up, .down = on_down, .message = on_message, .refused = on_refused};

bool mqtt_publisher_open(struct mqtt_publisher *p)
{
    uint8_t random[8] = {0}; /* the memory sanitizer does not see getentropy write */

    if (!host_random(random, sizeof random)) {
        host_log("cannot publish: the system has no random bytes");
        return false;
    }
    romfs_sha256_hex(random, sizeof random, p->instance);
    p->mqtt.broker = p->broker;
    p->mqtt.component = MQTT_MCP_SERVER;
    p->mqtt.id = p->id;
    p->mqtt.meta = "{\"implementation\":\"skillrom\",\"version\":\"" SKR_VERSION "\"}";
    p->mqtt.will_topic = p->presence_topic;
    p->mqtt.will = "";
    p->mqtt.will_retained = true;
    p->mqtt.owner = p;
    p->mqtt.events = &events;
    return true;
}

void mqtt_publisher_described(struct mqtt_publisher *p)
{
    const char *name = p->fixed_name != NULL ? p->fixed_name : p->device.name;

    p->described = true;
    p->presence_due = true;
    if (p->mqtt.state == MQTT_CLOSED) {
        set_name(p, name);
        (void)mqtt_open(&p->mqtt, p->now_ms);
    } else if (!p->named && strcmp(name, p->name) != 0) { /* another firmware has another name */
        mqtt_restart(&p->mqtt, false, p->now_ms);
        close_clients(p);
        set_name(p, name);
    }
}

void mqtt_publisher_device(struct mqtt_publisher *p, bool present)
{
    if (present == p->present) {
        return;
    }
    p->present = present;
    p->described = false;
    p->presence_due = !present;
    p->describing = MQTT_DESCRIBE_NOTHING;
    p->describe_ms = 0;
    if (present) {
        mqtt_describe_start(p);
    }
}

void mqtt_publisher_changed(struct mqtt_publisher *p)
{
    if (p->present) {
        mqtt_describe_start(p);
    }
}

void mqtt_publisher_turn(struct mqtt_publisher *p, uint64_t now_ms)
{
    p->now_ms = now_ms;
    mqtt_turn(&p->mqtt, now_ms);
    if (p->mqtt.state == MQTT_UP && p->mqtt.given_name[0] != '\0' && strcmp(p->mqtt.given_name, p->name) != 0) {
        p->named = true;
        set_name(p, p->mqtt.given_name);
        mqtt_restart(&p->mqtt, false, now_ms);
    }
    if (p->rival_count > 0 && now_ms - p->disputed_ms >= MQTT_PEACE_MS && strcmp(p->rivals[0], "?") == 0) {
        mqtt_presence_settle(p);
    }
    if (p->describe_ms > 0 && now_ms >= p->describe_ms && p->present) {
        mqtt_describe_start(p);
    }
    if (p->check_ms > 0 && p->present && p->described && now_ms >= p->check_at && p->clients[0].open) {
        mqtt_describe_check(p);
    }
    if (p->presence_due && p->mqtt.state == MQTT_UP) {
        mqtt_presence_publish(p);
    }
}

uint32_t mqtt_publisher_wait_ms(const struct mqtt_publisher *p, uint64_t now_ms)
{
    uint32_t ms = mqtt_wait_ms(&p->mqtt, now_ms);
    uint32_t describe = p->describe_ms == 0       ? UINT32_MAX
                        : p->describe_ms > now_ms ? (uint32_t)(p->describe_ms - now_ms)
                                                  : 0;

    return describe < ms ? describe : ms;
}

void mqtt_publisher_close(struct mqtt_publisher *p)
{
    p->present = false;
    if (p->mqtt.state == MQTT_UP) {
        mqtt_presence_publish(p);
    }
    mqtt_close(&p->mqtt);
    close_clients(p);
}
