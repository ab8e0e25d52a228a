/* fleet.c -- many devices as one server (host/fleet), where devices say what the fuzzer likes: announcements, lists, results, and things that
 * are none of these; where the broker comes and goes; and where clients are as in wire.c.
 *
 * Whatever they say, clients get JSON-RPC in lines, at most one response for a request, with its id; what is published is JSON on the topic of a
 * device that was announced, and no two requests are the same one; a device has no more under way than it may; and when all is over, nobody
 * has a place or a row any more. The input is a script (script.h); clients and devices take turns as speakers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../host/fleet/backend.h"
#include "../../../host/fleet/builds.h"
#include "../../../host/fleet/identify.h"
#include "../../../host/fleet/job_slots.h"
#include "../../../host/fleet/presence.h"
#include "../../../host/fleet/requests.h"
#include "../../../host/fleet/uplink.h"
#include "../../../host/mqtt/topic.h"
#include "../../wire/hostile/judge.h"
#include "link.h"
#include "script.h"
#include "session.h"
#include "stand_in.h"
#include "text/json_scan.h"
#include "text/span.h"

#define CLIENTS 2
#define DEVICES 3
#define ROWS 4 /* for devices: one more than speak, so that one that is away may lose its own */
#define BUILDS 3
#define INPUT_MAX 8000
#define OUTPUT_MAX (1u << 18)
#define SENT_MAX 4096 /* requests of a run whose ids are compared */

/* The first byte of an input: which devices answer by themselves when they are greeted. */
static struct link links[CLIENTS];
static struct given given[CLIENTS];
static const struct mqtt_broker broker = {.shown = "mqtt://broker"};
static size_t sent;
static uint32_t ids[SENT_MAX];
static size_t id_count;
static uint8_t polite;

static struct device {
    unsigned kind;     /* which of two names it has */
    char asked[8][16]; /* ids of requests that it has not answered */
    unsigned count;    /* of them */
    unsigned greeted;  /* ids to answer by itself, in the next turn */
    char greeting[16];
} devices[DEVICES];

/* ---- What the fleet publishes ---- */

static const char *kind_of(unsigned device)
{
    return devices[device].kind ? "plant/valve" : "pump";
}

static const char *id_of(unsigned device)
{
    static const char *const all[DEVICES] = {"pump-1", "pump-2", "p\xC3\xBCmp\"3"};

    return all[device];
}

static void keep_request(struct skr_span device, struct skr_span id, bool greeting)
{
    char number[16];

    must(id.n > 0 && id.n < sizeof number, "a request has a short id");
    (void)snprintf(number, sizeof number, "%.*s", (int)id.n, id.p);
    for (size_t i = 0; i < id_count; i++) {
        must(ids[i] != (uint32_t)strtoul(number, NULL, 10), "no request is sent twice");
    }
    if (id_count < SENT_MAX) {
        ids[id_count++] = (uint32_t)strtoul(number, NULL, 10);
    }
    for (unsigned i = 0; i < DEVICES; i++) {
        struct device *d = &devices[i];
        if (!skr_span_is(device, id_of(i))) {
            continue;
        }
        if (greeting && (polite >> i & 1)) {
            d->greeted = 1;
            strcpy(d->greeting, number);
        } else if (d->count < 8) {
            strcpy(d->asked[d->count++], number);
        }
    }
}

static void published(const char *topic, const char *payload, size_t n)
{
    struct mqtt_topic t = mqtt_topic_parse(topic);
    struct skr_span message = {payload, n}, id = skr_scan_get(message, "id");

    must(judge_json(payload, n), "what is published is JSON");
    if (t.kind == MQTT_TOPIC_CLIENT_PRESENCE) {
        return; /* disconnects cleanly */
    }
    must(t.kind == MQTT_TOPIC_CONTROL || (t.kind == MQTT_TOPIC_RPC && skr_span_is(t.client, session_id())),
         "what is published is on a topic for it");
    uint32_t row = fleet_registry_find(t.server);
    must(row != FLEET_NO_DEVICE && skr_span_is(t.name, fleet_registry.devices[row].kind),
         "a device that is sent something is known");
    must(fleet_registry.devices[row].sent <= FLEET_PER_DEVICE, "a device has no more under way than it may");
    if (id.p != NULL) {
        keep_request(t.server, id, t.kind == MQTT_TOPIC_CONTROL);
    }
}

/* ---- Devices ---- */

enum where { RESPONSE, RESPONSE_ERROR, RPC, PRESENCE, CHANGES, ANYWHERE, WHERE_COUNT };

static void deliver(unsigned device, enum mqtt_topic_kind kind, const char *payload, size_t n)
{
    char topic[MQTT_TOPIC];

    mqtt_topic_write(topic, kind, session_id(), id_of(device), kind_of(device));
    session_deliver(topic, payload, n, "", false);
}

/* Answers the oldest request that it has. */
static void respond(unsigned device, bool error, const char *bytes, size_t n)
{
    static char text[INPUT_MAX + 100];
    struct device *d = &devices[device];

    if (d->count > 0) {
        int length = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"%s\":%.*s}", d->asked[0],
                              error ? "error" : "result", (int)n, bytes);
        memmove(d->asked[0], d->asked[1], sizeof d->asked - sizeof d->asked[0]);
        d->count--;
        deliver(device, MQTT_TOPIC_RPC, text, (size_t)length);
    }
}

static void device_sends(unsigned device, unsigned where, const char *bytes, size_t n)
{
    char topic[INPUT_MAX];
    const char *end = memchr(bytes, '\n', n);

    switch (where) {
    case RESPONSE:
    case RESPONSE_ERROR: respond(device, where == RESPONSE_ERROR, bytes, n); break;
    case RPC: deliver(device, MQTT_TOPIC_RPC, bytes, n); break;
    case PRESENCE: deliver(device, MQTT_TOPIC_SERVER_PRESENCE, bytes, n); break;
    case CHANGES: deliver(device, MQTT_TOPIC_SERVER_CHANGES, bytes, n); break;
    default: /* the topic is the first line; a broker lets no NUL through */
        if (end != NULL && memchr(bytes, '\0', (size_t)(end - bytes)) == NULL) {
            memcpy(topic, bytes, (size_t)(end - bytes));
            topic[end - bytes] = '\0';
            session_deliver(topic, end + 1, n - (size_t)(end + 1 - bytes), "", true);
        }
    }
}

/* It is announced: bits of arg say which build it claims, as what, and whether it knows of a rival. */
static void announce(unsigned device, uint8_t arg)
{
    char text[512], build[100] = "";

    devices[device].kind = arg >> 3 & 1;
    if ((arg & 3) != 0) {
        (void)snprintf(build, sizeof build, "\"build\":\"sha256:%064u\",", arg & 3u);
    }
    int n =
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/server/online\",\"params\":{\"server_name\":\"x\","
                 "\"meta\":{\"skillrom\":{%s\"instance\":\"%02x\",\"rivals\":[%s]}}}}",
                 build, arg & 0xF0u, arg & 4 ? "\"r\"" : "");
    deliver(device, MQTT_TOPIC_SERVER_PRESENCE, text, (size_t)n);
}

/* ---- Clients and time ---- */

static void taken(struct link *l, const char *bytes, size_t n)
{
    given_learn(&given[l - links], bytes, n);
}

static void close_link(struct link *l)
{
    l->cut |= !skr_conn_finished(l->conn) && (skr_conn_activity(l->conn) != SKR_IDLE || sent >= OUTPUT_MAX);
    link_check(l);
    skr_conn_close(l->conn);
}

static void drain(struct link *l, size_t most)
{
    size_t n;

    while (most > 0 && sent < OUTPUT_MAX && (n = link_take(l, most, taken)) > 0) {
        sent += n;
        most -= n;
    }
    if (skr_conn_finished(l->conn)) {
        close_link(l);
        link_open(l, &fleet_server, SKR_LINE);
    }
}

static size_t pace; /* bytes that clients take in a turn */

static void turn(uint32_t ms)
{
    now_ms += ms;
    fleet_uplink_turn(now_ms);
    (void)fleet_presence_turn(now_ms);
    fleet_identify_turn(now_ms);
    (void)fleet_builds_turn(now_ms);
    (void)fleet_requests_turn(now_ms);
    fleet_backend_turn();
    (void)skr_server_tick(&fleet_server, (uint32_t)now_ms);
    for (int i = 0; i < CLIENTS; i++) {
        drain(&links[i], pace);
    }
    for (unsigned i = 0; i < DEVICES; i++) {
        static const char hello[] =
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"d\",\"version\":\"1\"}}";
        char text[256];
        if (devices[i].greeted) {
            int n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", devices[i].greeting,
                             hello);
            devices[i].greeted = 0;
            deliver(i, MQTT_TOPIC_RPC, text, (size_t)n);
        }
    }
}

static void client_sends(struct link *l, const char *bytes, size_t n)
{
    link_keep(&l->in, &l->in_n, bytes, n);
    for (unsigned stuck = 0; n > 0 && stuck < 3;) {
        size_t some = link_offer(l, bytes, n, false);
        bytes += some;
        n -= some;
        if (some == 0) {
            stuck++;
            turn(1);
        }
    }
}

/* ---- A run ---- */

static void start(void)
{
    stand_in_start();
    session_start(published);
    memset(given, 0, sizeof given);
    memset(devices, 0, sizeof devices);
    sent = id_count = 0;
    pace = OUTPUT_MAX;
    must(fleet_presence_open(&broker, now_ms), "it begins");
    for (int i = 0; i < CLIENTS; i++) {
        link_open(&links[i], &fleet_server, SKR_LINE);
    }
    turn(1);
}

static void check_rows(void)
{
    uint32_t present = 0;

    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        const struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        present += d->presence == FLEET_PRESENT;
        must(i == 0 || strcmp(fleet_registry.devices[fleet_registry.order[i - 1]].id, d->id) < 0, "rows are in order");
        must(d->pins == 0 && d->first == FLEET_NO_REQUEST && d->sent == 0, "nobody holds a row");
    }
    must(present == fleet_registry.present, "those present are counted");
}

static void finish(void)
{
    session_turn(1);
    for (int i = 0; i < CLIENTS; i++) {
        close_link(&links[i]);
        link_open(&links[i], &fleet_server, SKR_LINE);
    }
    for (int i = 0; i < 3; i++) {
        turn(FLEET_RESPONSE_MS + 5000);
    }
    must(fleet_requests_count() == 0, "no request outlives its owner");
    check_rows();
    for (size_t i = 0; i < SKR_JOBS; i++) {
        must(fleet_server.jobs[i].conn == NULL || fleet_server.jobs[i].call.tool == NULL,
             "no job outlives its connection");
    }
    for (int i = 0; i < CLIENTS; i++) {
        skr_conn_close(links[i].conn);
    }
    for (uint16_t i = 0; i < fleet_builds.count; i++) {
        struct fleet_build *b = &fleet_builds.at[i];
        struct fleet_json text = b->text;
        text.n = 0;
        memset(b, 0, sizeof *b);
        b->text = text;
    }
    fleet_registry.count = fleet_registry.present = fleet_registry.left_out = fleet_builds.count = fleet_builds.used =
        0;
}

static void operate(unsigned who, uint8_t op, uint8_t arg)
{
    switch (op) {
    case 't': turn(arg < 128 ? arg : (arg - 127u) * 700u); break;
    case 'x':
        close_link(&links[arg % CLIENTS]);
        link_open(&links[arg % CLIENTS], &fleet_server, SKR_LINE);
        break;
    case 'b': session_turn(arg); break;
    case 'o': announce(who < CLIENTS ? 0 : who - CLIENTS, arg); break;
    case 'g': deliver(who < CLIENTS ? 0 : who - CLIENTS, MQTT_TOPIC_SERVER_PRESENCE, "", 0); break;
    case 'p': pace = arg < 128 ? arg : OUTPUT_MAX; break;
    default: break;
    }
    turn(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[INPUT_MAX];
    static const struct given nothing;

    if (size < 3 || size > INPUT_MAX) {
        return 0;
    }
    polite = data[0];
    start();
    struct script script = {data + 1, data + size};
    unsigned who = 0, where = 0;
    while (script.at < script.end && sent < OUTPUT_MAX) {
        uint8_t op, arg;
        size_t n = script_next(&script, who < CLIENTS ? &given[who] : &nothing, bytes, sizeof bytes, &op, &arg);
        if (n > 0 && who < CLIENTS) {
            client_sends(&links[who], bytes, n);
        } else if (n > 0) {
            device_sends(who - CLIENTS, where, bytes, n);
        }
        if (op == 'c') {
            who = arg % (CLIENTS + DEVICES);
            where = arg / (CLIENTS + DEVICES) % WHERE_COUNT;
        }
        operate(who, op, arg);
    }
    finish();
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    must(fleet_registry_open(ROWS) && fleet_builds_open(BUILDS) && fleet_backend_open(), "there is memory");
    for (int i = 0; i < CLIENTS; i++) {
        link_make(&links[i]);
    }
    return 0;
}
