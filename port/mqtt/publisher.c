/* publisher.c -- see publisher.h: sessions, clients, and which message goes where. */
#include "publisher.h"

#include <stdio.h>
#include <string.h>

#include "hash.h"
#include "random.h"
#include "say.h"
#include "text/json_scan.h"
#include "text/span.h"

#define RESERVED 4 /* of the window: for presence and errors, which nobody offers again */

static struct skr_span member(const char *text, size_t n, const char *key)
{
    return skri_scan_get((struct skr_span){text, n}, key);
}

/* ---- Clients ---- */

static void topics_of(const struct skr_publisher *p, const char *client, char to[3][SKR_MQTT_TOPIC])
{
    skr_topic_write(to[0], SKR_TOPIC_RPC, client, p->id, p->name);
    skr_topic_write(to[1], SKR_TOPIC_CLIENT_PRESENCE, client, NULL, NULL);
    skr_topic_write(to[2], SKR_TOPIC_CLIENT_CHANGES, client, NULL, NULL);
}

/* 0: nobody has it */
static unsigned find_client(const struct skr_publisher *p, struct skr_span id)
{
    for (unsigned i = 1; i < p->client_count; i++) {
        if (p->clients[i].open && skri_span_is(id, p->clients[i].id)) {
            return i;
        }
    }
    return 0;
}

static void forget(struct skr_publisher *p, unsigned place)
{
    p->clients[place].open = false; /* its id stays: the program may have a message about it */
    p->clients[place].unanswered = 0;
    for (unsigned i = 0; i < SKR_MQTT_NEWS; i++) {
        p->news[i].clients &= ~((uint64_t)1 << place);
    }
}

/* Ends a client's session; the broker sends us nothing of it any more. */
static void dismiss(struct skr_publisher *p, unsigned place)
{
    char topics[3][SKR_MQTT_TOPIC];
    topics_of(p, p->clients[place].id, topics);
    (void)skr_mqtt_unsubscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, 3);
    p->host->close(p->owner, place);
    forget(p, place);
}

/* An error for a client that has no connection, or none that could say it. An id that is empty, or no JSON, becomes null. */
static void refuse(struct skr_publisher *p, const char *client, struct skr_span id, int code, const char *message)
{
    char topic[SKR_MQTT_TOPIC], text[1024];
    bool fits = id.n > 0 && id.n < sizeof text / 2 && skri_json_check(id.p, id.n) == SKR_JSON_OK;
    int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":%d,\"message\":\"%s\"}}",
                     fits ? (int)id.n : 4, fits ? id.p : "null", code, message);
    skr_topic_write(topic, SKR_TOPIC_RPC, client, p->id, p->name);
    (void)skr_mqtt_publish(&p->mqtt, topic, text, (size_t)n, false);
}

/* A place for a new client: a free one, or that of the client that has been silent for longest. 0: none. */
static unsigned place_for(struct skr_publisher *p)
{
    unsigned oldest = 1;
    for (unsigned i = 1; i < p->client_count; i++) {
        if (!p->clients[i].open) {
            return i;
        }
        oldest = p->clients[i].heard_ms < p->clients[oldest].heard_ms ? i : oldest;
    }
    if (p->now_ms - p->clients[oldest].heard_ms < SKR_MQTT_SILENT_MS) {
        return 0;
    }
    skr_publisher_closed(p, oldest);
    p->host->close(p->owner, oldest);
    return oldest;
}

/* Will this client tell of changes? Roots are all that can change. Otherwise its topic is not subscribed to: where thousands of devices
 * have one client, each subscription takes the broker longer than the one before. */
static bool tells_changes(const struct skr_mqtt_message *initialize)
{
    struct skr_span offers = skri_scan_get(member(initialize->payload, initialize->n, "params"), "capabilities");
    return skri_span_is(skri_scan_get(skri_scan_get(offers, "roots"), "listChanged"), "true");
}

/* A client of this id, with everything that must be subscribed before it gets an answer. 0, after an error: no room. */
static unsigned admit(struct skr_publisher *p, const char *id, struct skr_span request, bool changes)
{
    unsigned place = find_client(p, skri_span_of(id));
    char topics[3][SKR_MQTT_TOPIC], message[128];
    if (place == 0) {
        place = place_for(p);
        strcpy(p->clients[place].id, place > 0 ? id : "");
        if (place == 0 || !p->host->open(p->owner, place)) {
            (void)snprintf(message, sizeof message,
                           "the device serves %u clients at once, and all of them are here; try again later",
                           p->client_count - 1);
            refuse(p, id, request, -32603, message);
            return 0;
        }
        p->clients[place].open = true;
    }
    topics_of(p, id, topics);
    (void)skr_mqtt_subscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, changes ? 3 : 2);
    return place;
}

/* True for a request that has come before: brokers that are joined may deliver one twice. */
static bool is_repeated(struct skr_publisher_client *client, struct skr_span id)
{
    uint64_t hash = skr_hash(id.p, id.n) | 1; /* never 0, which is no id */
    for (unsigned i = 0; i < SKR_MQTT_RECENT; i++) {
        if (client->recent[i] == hash) {
            return true;
        }
    }
    client->recent[client->recent_at++ % SKR_MQTT_RECENT] = hash;
    return false;
}

void skr_publisher_line(char *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        to[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
    }
    to[n] = '\n';
}

static void pass_on(struct skr_publisher *p, unsigned place, const struct skr_mqtt_message *m)
{
    struct skr_publisher_client *client = &p->clients[place];
    struct skr_span id = member(m->payload, m->n, "id"), method = member(m->payload, m->n, "method");
    bool request = id.p != NULL && method.p != NULL;
    client->heard_ms = p->now_ms;
    if (request && is_repeated(client, id)) {
        return;
    }
    if (!p->host->give(p->owner, place, m->payload, m->n) && request) {
        refuse(p, client->id, id, -32603,
               "you have sent more than this device holds for one client; wait for its answers");
        client->recent[(client->recent_at - 1) % SKR_MQTT_RECENT] = 0; /* it was not taken: it may come again */
    }
}

static void count_answer(struct skr_publisher_client *client)
{
    client->unanswered -= client->unanswered > 0;
}

bool skr_publisher_may_pass(struct skr_publisher *p, unsigned place, const char *text, size_t n)
{
    struct skr_publisher_client *client = &p->clients[place];
    struct skr_span method = member(text, n, "method");
    bool request = method.p != NULL && member(text, n, "id").p != NULL;
    if (request && client->unanswered >= SKR_MQTT_UNANSWERED) {
        return false;
    }
    client->unanswered += request;
    if (skri_scan_is(method, "notifications/cancelled")) { /* such a request gets no answer */
        count_answer(client);
    }
    return true;
}

/* ---- What arrives ---- */

static void on_control(struct skr_publisher *p, const struct skr_mqtt_message *m)
{
    struct skr_span id = member(m->payload, m->n, "id");
    if (m->sender[0] == '\0' || m->retained) {
        return; /* nobody to answer; or it lay at the broker, and whoever left it may be gone */
    }
    if (skri_json_check(m->payload, m->n) != SKR_JSON_OK) {
        refuse(p, m->sender, NOTHING, -32700, "not JSON");
    } else if (!skri_scan_is(member(m->payload, m->n, "method"), "initialize")) {
        refuse(p, m->sender, id, -32600, "this topic takes initialize; everything else goes to $mcp-rpc");
    } else {
        unsigned place = admit(p, m->sender, id, tells_changes(m));
        if (place != 0) {
            memset(p->clients[place].recent, 0, sizeof p->clients[place].recent); /* a new session begins */
            p->clients[place].unanswered = 0;
            pass_on(p, place, m);
        }
    }
}

static void on_message(void *owner, const struct skr_mqtt_message *m)
{
    struct skr_publisher *p = owner;
    struct skr_topic topic = skr_topic_parse(m->topic);
    unsigned place = topic.client.n > 0 ? find_client(p, topic.client) : 0;
    bool leaves = m->n == 0 || skri_scan_is(member(m->payload, m->n, "method"), "notifications/disconnected");
    if (topic.kind == SKR_TOPIC_CONTROL) {
        on_control(p, m);
    } else if (topic.kind == SKR_TOPIC_SERVER_PRESENCE) {
        skr_presence_hear(p, m);
    } else if (place == 0 || m->retained) {
        return; /* a client that has gone, or a message that somebody has left */
    } else if (leaves && topic.kind != SKR_TOPIC_CLIENT_CHANGES) {
        dismiss(p, place);
    } else if (topic.kind != SKR_TOPIC_CLIENT_PRESENCE) {
        pass_on(p, place, m);
    }
}

/* ---- What leaves ---- */

/* Notifications that the specification has on the device's own topic, one copy for all clients. */
static bool is_news(struct skr_span method)
{
    struct skr_span inside = skri_scan_inside(method);
    return skri_span_ends(inside, SPAN("/list_changed")) || skri_scan_is(method, "notifications/resources/updated");
}

/* Each client's connection reports the same change; true for the first. When one reports the same again, it is another change. */
static bool is_first(struct skr_publisher *p, unsigned place, struct skr_span text)
{
    uint64_t hash = skr_hash(text.p, text.n) | 1, bit = (uint64_t)1 << place;
    for (unsigned i = 0; i < SKR_MQTT_NEWS; i++) {
        if (p->news[i].text == hash) {
            bool first = (p->news[i].clients & bit) != 0 || p->news[i].clients == 0;
            p->news[i].clients = first ? bit : p->news[i].clients | bit;
            return first;
        }
    }
    p->news[p->news_at].text = hash;
    p->news[p->news_at].clients = bit;
    p->news_at = (p->news_at + 1) % SKR_MQTT_NEWS;
    return true;
}

/* A message that the broker does not take: an answer becomes an error; a question gets one, as if the client had sent it. */
static void complain(struct skr_publisher *p, unsigned place, struct skr_span text, size_t whole, const char *topic)
{
    struct skr_span id = skri_scan_get(text, "id");
    char message[256];
    (void)snprintf(
        message, sizeof message,
        "the message has %lu bytes, and this broker takes at most %lu here; ask for less, or have its limit raised",
        (unsigned long)whole, (unsigned long)skr_mqtt_payload_max(&p->mqtt, topic));
    if (skri_scan_get(text, "method").p == NULL) {
        count_answer(&p->clients[place]);
        refuse(p, p->clients[place].id, id, -32603, message);
    } else if (id.p != NULL) {
        char reply[512];
        int n = snprintf(reply, sizeof reply,
                         "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32603,\"message\":\"%s\"}}",
                         (int)(id.n < 128 ? id.n : 128), id.p, message);
        (void)p->host->give(p->owner, place, reply, (size_t)n);
    }
}

/* Without a connection there is room for anything: it is lost. A small window has no reserve. */
bool skr_publisher_has_room(const struct skr_publisher *p)
{
    return p->mqtt.state != SKR_MQTT_UP || p->mqtt.unacked == 0 || p->mqtt.unacked + RESERVED < p->mqtt.window;
}

bool skr_publisher_take_cut(struct skr_publisher *p, unsigned place, const char *text, size_t n, size_t whole)
{
    char topic[SKR_MQTT_TOPIC];
    if (place == 0) {
        skr_describe_answer(p, (struct skr_span){text, n});
        return true;
    }
    if (!p->clients[place].open) {
        return true;
    }
    if (!skr_publisher_has_room(p)) {
        return false;
    }
    skr_topic_write(topic, SKR_TOPIC_RPC, p->clients[place].id, p->id, p->name);
    complain(p, place, (struct skr_span){text, n}, whole, topic);
    return true;
}

bool skr_publisher_take(struct skr_publisher *p, unsigned place, const char *text, size_t n)
{
    char topic[SKR_MQTT_TOPIC];
    struct skr_span method = member(text, n, "method");
    bool news = place > 0 && is_news(method);
    if (place == 0 || !p->clients[place].open) {
        return skr_publisher_take_cut(p, place, text, n, n);
    }
    if (!skr_publisher_has_room(p)) {
        return false;
    }
    if (news && !is_first(p, place, (struct skr_span){text, n})) {
        return true;
    }
    skr_topic_write(topic, news ? SKR_TOPIC_SERVER_CHANGES : SKR_TOPIC_RPC, p->clients[place].id, p->id, p->name);
    if (skr_mqtt_publish(&p->mqtt, topic, text, n, false) == SKR_MQTT_TOO_LARGE) {
        complain(p, place, (struct skr_span){text, n}, n, topic);
    } else if (method.p == NULL) {
        count_answer(&p->clients[place]);
    }
    return true;
}

/* ---- Sessions ---- */

static void rename_to(struct skr_publisher *p, const char *name)
{
    strcpy(p->name, name);
    skr_topic_write(p->presence_topic, SKR_TOPIC_SERVER_PRESENCE, NULL, p->id, p->name);
}

static void close_clients(struct skr_publisher *p)
{
    for (unsigned i = 1; i < p->client_count; i++) {
        if (p->clients[i].open) {
            p->host->close(p->owner, i);
            forget(p, i);
        }
    }
}

static void on_up(void *owner)
{
    struct skr_publisher *p = owner;
    char control[SKR_MQTT_TOPIC];
    if (p->mqtt.given_name[0] != '\0' && strcmp(p->mqtt.given_name, p->name) != 0) {
        return; /* the next turn begins again, with a will for that name */
    }
    skr_topic_write(control, SKR_TOPIC_CONTROL, NULL, p->id, p->name);
    (void)skr_mqtt_subscribe(&p->mqtt, (const char *const[]){control, p->presence_topic}, 2);
    p->up_ms = p->now_ms;
    skr_presence_tell(p);
    if (!p->quiet) {
        skr_say("published as %s/%s at %s", p->id, p->name, p->broker->shown);
    }
}

/* Is it another client with our id? Not every broker says so; but one that is there again at once, and ends our connections all the
 * time, has somebody else for them. */
static bool is_taken_over(struct skr_publisher *p, bool was_up)
{
    bool soon = was_up && p->now_ms - p->up_ms < SKR_MQTT_SOON_MS;
    p->losses = soon ? p->losses + 1 : 0;
    return p->mqtt.reason == 0x8E || p->losses >= SKR_MQTT_LOSSES;
}

static void on_down(void *owner, bool was_up, const char *why)
{
    struct skr_publisher *p = owner;
    size_t n = strlen(why);
    close_clients(p);
    if (!p->quiet && (was_up || p->mqtt.failures == 1)) {
        skr_say("%s: %.*s; trying again", p->broker->shown, (int)(n > 0 && why[n - 1] == '.' ? n - 1 : n), why);
    }
    if (is_taken_over(p, was_up)) {
        skr_presence_dispute(p, "?");
        p->mqtt.failures = SKR_MQTT_YIELD; /* a long pause: the two would take turns many times a second */
        skr_mqtt_restart(&p->mqtt, true, p->now_ms);
    }
}

static void on_refused(void *owner, int mid, int reason)
{
    struct skr_publisher *p = owner;
    (void)mid;
    if (!p->quiet) {
        skr_say(
            "%s: the broker does not allow %s what a device needs (reason 0x%02X); its access rules should let it write "
            "$mcp-server/presence/%s/# and $mcp-server/capability/%s/#, and use $mcp-rpc/+/%s/#",
            p->broker->shown, p->id, (unsigned)reason, p->id, p->id, p->id);
    }
    p->refused = true;
}

static const struct skr_mqtt_events events = {
    .up = on_up, .down = on_down, .message = on_message, .refused = on_refused};

bool skr_publisher_open(struct skr_publisher *p)
{
    uint8_t random[8] = {0}; /* the memory sanitizer does not see getentropy write */
    if (!skr_random(random, sizeof random)) {
        skr_say("no random numbers");
        return false;
    }
    sha256_hex(random, sizeof random, p->instance);
    p->mqtt.broker = p->broker;
    p->mqtt.component = SKR_MQTT_MCP_SERVER;
    p->mqtt.id = p->id;
    p->mqtt.meta = "{\"implementation\":\"skillrom\",\"version\":\"" SKR_VERSION "\"}";
    p->mqtt.will_topic = p->presence_topic;
    p->mqtt.will = "";
    p->mqtt.will_retained = true;
    p->mqtt.owner = p;
    p->mqtt.events = &events;
    return true;
}

void skr_publisher_described(struct skr_publisher *p)
{
    const char *name = p->fixed_name != NULL ? p->fixed_name : p->device.name;
    p->described = true;
    p->presence_due = true;
    if (p->mqtt.state == SKR_MQTT_CLOSED) {
        rename_to(p, name);
        (void)skr_mqtt_open(&p->mqtt, p->now_ms);
    } else if (!p->named && strcmp(name, p->name) != 0) { /* another firmware, with another name */
        skr_mqtt_restart(&p->mqtt, false, p->now_ms);
        close_clients(p);
        rename_to(p, name);
    }
}

void skr_publisher_device(struct skr_publisher *p, bool there)
{
    if (there == p->there) {
        return;
    }
    p->there = there;
    p->described = false;
    p->presence_due = !there;
    p->asking = SKR_ASK_NOTHING;
    p->ask_ms = 0;
    if (there) {
        skr_describe_start(p);
    }
}

void skr_publisher_changed(struct skr_publisher *p)
{
    if (p->there) {
        skr_describe_start(p);
    }
}

void skr_publisher_turn(struct skr_publisher *p, uint64_t now_ms)
{
    p->now_ms = now_ms;
    skr_mqtt_turn(&p->mqtt, now_ms);
    if (p->mqtt.state == SKR_MQTT_UP && p->mqtt.given_name[0] != '\0' && strcmp(p->mqtt.given_name, p->name) != 0) {
        p->named = true;
        rename_to(p, p->mqtt.given_name);
        skr_mqtt_restart(&p->mqtt, false, now_ms);
    }
    if (p->rival_count > 0 && now_ms - p->disputed_ms >= SKR_MQTT_PEACE_MS && strcmp(p->rivals[0], "?") == 0) {
        skr_presence_settle(p);
    }
    if (p->ask_ms > 0 && now_ms >= p->ask_ms && p->there) {
        skr_describe_start(p);
    }
    if (p->check_ms > 0 && p->there && p->described && now_ms >= p->check_at && p->clients[0].open) {
        skr_describe_check(p);
    }
    if (p->presence_due && p->mqtt.state == SKR_MQTT_UP) {
        skr_presence_tell(p);
    }
}

uint32_t skr_publisher_wait_ms(const struct skr_publisher *p, uint64_t now_ms)
{
    uint32_t ms = skr_mqtt_wait_ms(&p->mqtt, now_ms);
    uint32_t ask = p->ask_ms == 0 ? UINT32_MAX : p->ask_ms > now_ms ? (uint32_t)(p->ask_ms - now_ms) : 0;
    return ask < ms ? ask : ms;
}

void skr_publisher_closed(struct skr_publisher *p, unsigned place)
{
    char topics[3][SKR_MQTT_TOPIC];
    static const char bye[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/disconnected\"}";
    if (place == 0) {
        p->clients[0].open = false;
        p->ask_ms = p->asking != SKR_ASK_NOTHING ? p->now_ms + SKR_MQTT_ASK_MS : p->ask_ms;
        p->asking = SKR_ASK_NOTHING;
    } else if (p->clients[place].open) {
        topics_of(p, p->clients[place].id, topics);
        (void)skr_mqtt_publish(&p->mqtt, topics[0], bye, sizeof bye - 1, false);
        (void)skr_mqtt_unsubscribe(&p->mqtt, (const char *const[]){topics[0], topics[1], topics[2]}, 3);
        forget(p, place);
    }
}

void skr_publisher_close(struct skr_publisher *p)
{
    p->there = false;
    if (p->mqtt.state == SKR_MQTT_UP) {
        skr_presence_tell(p);
    }
    skr_mqtt_close(&p->mqtt);
    close_clients(p);
}
