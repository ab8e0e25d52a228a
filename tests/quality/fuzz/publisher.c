/* publisher.c -- a device on a broker (host/mqtt), between MQTT clients that send what the fuzzer likes, a broker that does what it likes,
 * and a device that answers what it likes, as long as that is JSON.
 *
 * Whatever arrives, all that is published is on a topic of this device and is JSON, or nothing; nobody but a client that has said initialize
 * has a connection, and no client has another's answers; the core has no more requests of one than it may; and a client that leaves is forgotten.
 * The input is a script (script.h): the device speaks first, and 'c' says who does next. */
#include "../../../host/mqtt/publisher.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../wire/hostile/judge.h"
#include "script.h"
#include "session.h"
#include "stand_in.h"
#include "text/json_scan.h"
#include "text/span.h"

#define INPUT_MAX 6000
#define PLACES 4
#define ID "pump-1"
#define CLIENTS 5 /* more than there are places for */

/* Where a client's message goes: the second number of a speaker. */
enum where { CONTROL, RPC, CLIENT_PRESENCE, CLIENT_CHANGES, SERVER_PRESENCE, ANYWHERE, WHERE_COUNT };

static struct mqtt_publisher publisher;
static struct mqtt_publisher_client clients[PLACES];
static const struct mqtt_broker broker = {.shown = "mqtt://broker"};
static const char *speaking; /* the client for which the core has a message; NULL: none */
static bool open_places[PLACES];
static size_t held[PLACES]; /* bytes that the core has not taken */
static bool core_full;

/* ---- The program around it ---- */

static bool open_place(void *owner, unsigned place)
{
    (void)owner;
    must(place < PLACES && !open_places[place], "a place is opened once");
    open_places[place] = true;
    held[place] = 0;
    return true;
}

static void close_place(void *owner, unsigned place)
{
    (void)owner;
    must(open_places[place], "a place is closed that is open");
    open_places[place] = false;
}

static bool give(void *owner, unsigned place, const char *text, size_t n)
{
    (void)owner;
    must(open_places[place], "only an open place gets messages");
    if (core_full && place > 0) {
        return false;
    }
    char *line = malloc(n + 1);
    mqtt_publisher_line(line, text, n);
    must(memchr(line, '\n', n) == NULL && memchr(line, '\r', n) == NULL && line[n] == '\n', "a message is one line");
    must(place > 0 || judge_json(line, n), "what the publisher asks is JSON");
    bool may = place == 0 || mqtt_publisher_may_pass(&publisher, place, line, n);
    must(clients[place].passed <= MQTT_PASSED, "the core has no more requests of one client than it may");
    free(line);
    return may || (held[place] += n) < 4000;
}

static const struct mqtt_publisher_host host = {.open = open_place, .close = close_place, .give = give};

static void published(const char *topic, const char *payload, size_t n)
{
    struct mqtt_topic t = mqtt_topic_parse(topic);

    must(t.kind == MQTT_TOPIC_RPC || t.kind == MQTT_TOPIC_SERVER_PRESENCE || t.kind == MQTT_TOPIC_SERVER_CHANGES,
         "what is published is on a topic for it");
    must(skr_span_is(t.server, ID), "the topic is this device's");
    must(n == 0 ? t.kind == MQTT_TOPIC_SERVER_PRESENCE : judge_json(payload, n), "what is published is JSON");
    if (t.kind == MQTT_TOPIC_SERVER_PRESENCE && n > 0) {
        struct skr_span params = skr_scan_get((struct skr_span){payload, n}, "params"),
                        name = skr_scan_get(params, "server_name");
        must(skr_json_check(payload, n) == SKR_JSON_OK, "a client that lists devices can read the presence");
        must(skr_scan_is(name, publisher.name) && n < MQTT_PRESENCE, "presence names the device, and is whole");
    }
    must(t.kind != MQTT_TOPIC_RPC || speaking == NULL || skr_span_is(t.client, speaking),
         "a client's answer is its own");
}

/* ---- Who speaks ---- */

static void device_sends(unsigned place, bool cut, const char *text, size_t n)
{
    char *copy = malloc(n + 1);

    if (open_places[place] && judge_json(text, n) && memchr(text, '\n', n) == NULL) {
        memcpy(copy, text, n);
        speaking = place > 0 ? clients[place].id : NULL;
        (void)(cut ? mqtt_publisher_take_cut(&publisher, place, copy, n / 2, n)
                   : mqtt_publisher_take(&publisher, place, copy, n));
        speaking = NULL;
    }
    free(copy);
}

static void client_sends(unsigned who, unsigned where, bool retained, const char *bytes, size_t n)
{
    char id[16], topic[MQTT_TOPIC + INPUT_MAX];
    const char *end = memchr(bytes, '\n', n);

    (void)snprintf(id, sizeof id, "client-%u", who);
    switch (where) {
    case CONTROL: mqtt_topic_write(topic, MQTT_TOPIC_CONTROL, NULL, ID, publisher.name); break;
    case RPC: mqtt_topic_write(topic, MQTT_TOPIC_RPC, id, ID, publisher.name); break;
    case CLIENT_PRESENCE: mqtt_topic_write(topic, MQTT_TOPIC_CLIENT_PRESENCE, id, NULL, NULL); break;
    case CLIENT_CHANGES: mqtt_topic_write(topic, MQTT_TOPIC_CLIENT_CHANGES, id, NULL, NULL); break;
    case SERVER_PRESENCE: mqtt_topic_write(topic, MQTT_TOPIC_SERVER_PRESENCE, NULL, ID, publisher.name); break;
    default: /* the topic is the first line; a broker lets no NUL through */
        if (end == NULL || memchr(bytes, '\0', (size_t)(end - bytes)) != NULL) {
            return;
        }
        memcpy(topic, bytes, (size_t)(end - bytes));
        topic[end - bytes] = '\0';
        n -= (size_t)(end + 1 - bytes);
        bytes = end + 1;
    }
    session_deliver(topic, bytes, n, id, retained);
}

/* ---- A run ---- */

static void turn(uint32_t ms)
{
    now_ms += ms;
    mqtt_publisher_turn(&publisher, now_ms);
    must(publisher.rival_count <= MQTT_RIVALS, "no more rivals are named than there is room for");
}

static void finish(void)
{
    mqtt_publisher_close(&publisher);
    for (unsigned i = 1; i < PLACES; i++) {
        must(!open_places[i] && !clients[i].open, "a client that leaves is forgotten");
    }
}

static void publisher_start(uint8_t options)
{
    stand_in_start();
    session_start(published);
    memset(&publisher, 0, sizeof publisher);
    memset(clients, 0, sizeof clients);
    memset(open_places, 0, sizeof open_places);
    core_full = false;
    publisher = (struct mqtt_publisher){
        .broker = &broker, .id = ID, .clients = clients, .client_count = PLACES, .host = &host, .quiet = true};
    publisher.fixed_name = options & 1 ? "plant/pump" : NULL;
    publisher.check_ms = options & 2 ? 1000 : 0;
    must(mqtt_publisher_open(&publisher), "it begins");
    turn(1);
    mqtt_publisher_device(&publisher, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[INPUT_MAX];
    static const struct given nothing;

    if (size < 2 || size > INPUT_MAX) {
        return 0;
    }
    publisher_start(data[0]);
    struct script script = {data + 1, data + size};
    unsigned who = 0, where = 0;
    while (script.at < script.end) {
        uint8_t op, arg;
        size_t n = script_next(&script, &nothing, bytes, sizeof bytes, &op, &arg);
        if (n > 0 && who < PLACES) {
            device_sends(who, op == '/', bytes, n);
        } else if (n > 0 || op == '0') {
            client_sends(who - PLACES, where, op == 'r', bytes, n);
        }
        switch (op) {
        case 'c':
            who = arg % (PLACES + CLIENTS);
            where = arg / (PLACES + CLIENTS) % WHERE_COUNT;
            break;
        case 'b': session_turn(arg); break;
        case 'f': core_full = arg & 1; break;
        case 'd': mqtt_publisher_device(&publisher, arg & 1); break;
        case 'n': mqtt_publisher_changed(&publisher); break;
        case 'x':
            if (open_places[arg % PLACES]) {
                open_places[arg % PLACES] = false;
                mqtt_publisher_closed(&publisher, arg % PLACES);
            }
            break;
        default: break;
        }
        turn(op == 't' ? arg * 50u : 1);
    }
    finish();
    return 0;
}
