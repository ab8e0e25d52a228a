/* bridge.c -- the bridge between clients that behave as the fuzzer likes and a device that does: on a plain or a sound serial line, over
 * TCP, or as an HTTP server.
 *
 * Whatever the device says, clients get JSON-RPC in lines or in whole HTTP responses, at most one response for a request, with its id; the
 * device gets whole messages, and on a serial line no tool call that no client has made; and when everybody has left and time has passed,
 * every slot and buffer is free again. The input is a script (script.h); clients and devices take turns as speakers. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "device.h"
#include "link.h"
#include "requests.h"
#include "stand_in.h"

#define CLIENTS 3 /* the first speaks lines, the others HTTP */
#define INPUT_MAX 12000
#define OUTPUT_MAX (1u << 19)

/* The first byte of an input. */
enum how { KIND = 3, TWO = 4, IDENTITY = 8, POLL = 16, SILENT = 32, NO_CHANGES = 64 };

static struct bridge_relay relays[DEVICES];
static char larges[DEVICES][BRIDGE_LARGES][TRANSPORT_LARGE];
static struct link links[CLIENTS];
static struct given given[CLIENTS];
static unsigned device_count, calls; /* how often clients have said tools/call */
static size_t sent;

/* ---- Clients ---- */

static enum skr_wire wire_of(const struct link *l)
{
    return l == links ? SKR_LINE : SKR_HTTP_1;
}

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

static void drain(struct link *l)
{
    size_t n;

    while (sent < OUTPUT_MAX && (n = link_take(l, OUTPUT_MAX - sent, taken)) > 0) {
        sent += n;
    }
    if (skr_conn_finished(l->conn)) {
        close_link(l);
        link_open(l, &bridge_server, wire_of(l));
    }
}

static void turn(uint32_t ms)
{
    now_ms += ms;
    for (unsigned i = 0; i < device_count; i++) {
        bridge_relay_turn(&relays[i], now_ms);
    }
    bridge_requests_tidy();
    (void)skr_server_tick(&bridge_server, (uint32_t)now_ms);
    for (int i = 0; i < CLIENTS; i++) {
        drain(&links[i]);
    }
}

static void send(struct link *l, const char *bytes, size_t n)
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

static unsigned count_calls(const char *bytes, size_t n)
{
    unsigned count = 0;

    for (const char *end = bytes + n; (bytes = memmem(bytes, (size_t)(end - bytes), "tools/call", 10)) != NULL;
         bytes++) {
        count++;
    }
    return count;
}

/* ---- A run ---- */

static void start(uint8_t how)
{
    static struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true, .seed = {7}};
    enum device_kind kind = (enum device_kind)(how & KIND);

    device_count = kind < DEVICE_LINES && (how & TWO) ? 2 : 1;
    memset(&bridge_server, 0, sizeof bridge_server);
    for (size_t i = 0; i < BRIDGE_REQUESTS; i++) {
        bridge_requests[i].state = BRIDGE_REQUEST_FREE;
        bridge_requests[i].relay = NULL;
    }
    stand_in_start();
    memset(given, 0, sizeof given);
    memset(relays, 0, device_count * sizeof relays[0]);
    calls = 0;
    sent = 0;
    device_start(kind, (how & SILENT) == 0, (how & IDENTITY) != 0);
    bridge_backend_init(relays, device_count, (how & NO_CHANGES) == 0, how & POLL ? 100 : 0);
    skr_server_http(&bridge_server, &http);
    for (unsigned i = 0; i < device_count; i++) {
        struct bridge_relay *r = &relays[i];
        r->transport = device_transport(i);
        r->larges = larges[i];
        (void)snprintf(r->name, sizeof r->name, "%s", i == 0 ? "pump" : "valve");
        r->wait_ms = TRANSPORT_WAIT_MS;
        r->response_ms = TRANSPORT_RESPONSE_MS;
        r->promises = (how & NO_CHANGES) == 0;
        r->on_change = bridge_backend_changed;
        bridge_relay_init(r);
        if (kind < DEVICE_LINES) {
            r->transport->on_up(r);
        }
    }
    for (int i = 0; i < CLIENTS; i++) {
        link_open(&links[i], &bridge_server, wire_of(&links[i]));
    }
    for (int i = 0; i < 4; i++) { /* the device is found */
        turn(1);
    }
}

static void finish(uint8_t how)
{
    device_pace(0); /* one that still sends a byte in every turn is answering, however long a turn is */
    for (int i = 0; i < 4; i++) {
        turn(TRANSPORT_RESPONSE_MS + 5000);
    }
    for (int i = 0; i < CLIENTS; i++) {
        close_link(&links[i]);
    }
    for (int i = 0; i < 4; i++) {
        now_ms += TRANSPORT_RESPONSE_MS + 5000;
        for (unsigned k = 0; k < device_count; k++) {
            bridge_relay_turn(&relays[k], now_ms);
        }
        (void)skr_server_tick(&bridge_server, (uint32_t)now_ms);
        bridge_requests_tidy();
    }
    for (size_t i = 0; i < BRIDGE_REQUESTS; i++) {
        must(bridge_requests[i].state == BRIDGE_REQUEST_FREE || bridge_requests[i].own > 0,
             "no request outlives its client");
    }
    for (size_t i = 0; i < SKR_JOBS; i++) {
        must(bridge_server.jobs[i].conn == NULL || bridge_server.jobs[i].call.tool == NULL,
             "no job outlives its connection");
    }
    for (unsigned i = 0; i < device_count; i++) {
        for (unsigned k = 0; k < BRIDGE_LARGES; k++) {
            must(!relays[i].large_used[k], "every large buffer is free again");
        }
    }
    must((how & KIND) >= DEVICE_LINES || device_calls <= calls, "a tool call is sent once");
}

static void speak(unsigned who, int posting, int responding, unsigned where, const char *bytes, size_t n)
{
    static char post[2 * INPUT_MAX];

    if (who >= CLIENTS) {
        device_sends(who - CLIENTS, where, (enum device_response)(responding & 3), bytes, n);
        return;
    }
    struct link *l = &links[who];
    calls += count_calls(bytes, n);
    if (posting >= 0 && l->wire == SKR_HTTP_1) {
        n = script_post(&given[who], bytes, n, (uint8_t)posting, post, sizeof post);
        bytes = post;
    }
    send(l, bytes, n);
}

static void operate(unsigned who, uint8_t op, uint8_t arg)
{
    switch (op) {
    case 't': turn(arg < 128 ? arg : (arg - 127u) * 700u); break;
    case 'x':
        close_link(&links[arg % CLIENTS]);
        link_open(&links[arg % CLIENTS], &bridge_server, wire_of(&links[arg % CLIENTS]));
        break;
    case 'u': device_goes(who < CLIENTS ? 0 : who - CLIENTS, arg); break;
    case 'g': device_pace(arg); break;
    default: break;
    }
    turn(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[INPUT_MAX];

    if (size < 3 || size > INPUT_MAX) {
        return 0;
    }
    start(data[0]);
    struct script script = {data + 1, data + size};
    unsigned who = 0, where = 255;
    int posting = -1, responding = 0;
    while (script.at < script.end && sent < OUTPUT_MAX) {
        uint8_t op, arg;
        size_t n = script_next(&script, who < CLIENTS ? &given[who] : &device_given, bytes, sizeof bytes, &op, &arg);
        if (n > 0) {
            speak(who, posting, responding, where, bytes, n);
            turn(1);
        }
        posting = op == 'P' ? arg : -1;
        responding = op == 'a' ? arg : responding;
        who = op == 'c' ? arg % (CLIENTS + device_count) : who;
        where = op == 'w' ? arg : where;
        operate(who, op, arg);
    }
    finish(data[0]);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    for (int i = 0; i < CLIENTS; i++) {
        link_make(&links[i]);
    }
    return 0;
}
