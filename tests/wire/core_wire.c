/* core_wire.c -- transcripts against the core itself, in this process.
 *
 * Every exchange is run in six ways, from the same state each time, and has to give
 * the same bytes: whole; byte by byte in; cut in two at every place; byte by byte out;
 * with the link lost after every byte of the response, where the next link then has to
 * work; and whole again, to see that the others left nothing behind. Connections and
 * server are plain memory, so a state is kept by copying it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/stale.h"
#include "handler/job_state.h"
#include "machines.h"
#include "needs.h"
#include "sha256.h"
#include "wires.h"

#define CANARY 0xA5
#define CUTS 1500 /* a text longer than this is not cut everywhere in its middle */

static struct {
    unsigned char before[64];
    struct skr_server server;
    unsigned char between[64];
    struct skr_conn conn;
    unsigned char behind[64];
} memory_map;

#define SERVER (&memory_map.server)
#define CONN (&memory_map.conn)

/* A state to come back to. The buffers of a connection hold nothing worth keeping
 * between exchanges except bytes of an unfinished request, and those of runs only what runs
 * ask that have not ended. */
struct state {
    struct skr_server server;
    struct skr_conn conn;
    struct machines machines;
    uint32_t clock_ms;
};

static uint32_t clock_ms; /* what handlers get as the time */

static size_t conn_size(const struct skr_conn *c)
{
    return offsetof(struct skr_conn, in) + c->rx.fill;
}

/* How much of a server is worth keeping. */
static size_t server_size(const struct skr_server *s)
{
    bool runs = false;

    for (size_t i = 0; i < SKR_JOBS; i++) {
        runs |= s->jobs[i].call.tool != NULL;
    }
    return runs ? sizeof *s : offsetof(struct skr_server, job_output);
}

static void save(struct state *s)
{
    memcpy(&s->server, SERVER, server_size(SERVER));
    memcpy(&s->conn, CONN, conn_size(CONN));
    machines_save(&s->machines);
    s->clock_ms = clock_ms;
}

static void restore(const struct state *s)
{
    memcpy(SERVER, &s->server, server_size(&s->server));
    memcpy(CONN, &s->conn, conn_size(&s->conn));
    machines_restore(&s->machines);
    clock_ms = s->clock_ms;
}

static void set_canaries(void)
{
    memset(memory_map.before, CANARY, sizeof memory_map.before);
    memset(memory_map.between, CANARY, sizeof memory_map.between);
    memset(memory_map.behind, CANARY, sizeof memory_map.behind);
}

static bool canaries_live(void)
{
    bool live = true;

    for (size_t i = 0; i < sizeof memory_map.before; i++) {
        live &= memory_map.before[i] == CANARY && memory_map.between[i] == CANARY && memory_map.behind[i] == CANARY;
    }
    return live;
}

/* ---- Moving bytes ---- */

/* Takes what there is to send, all spans together. */
static bool drain(struct bytes *out)
{
    struct skr_span spans[SKR_TX_SPANS];
    size_t count, before = out->n;

    while ((count = skr_conn_txv(CONN, spans, SKR_TX_SPANS)) > 0) {
        size_t n = 0;
        for (size_t i = 0; i < count; i++) {
            bytes_add(out, spans[i].p, spans[i].n);
            n += spans[i].n;
        }
        skr_conn_tx_done(CONN, n);
    }
    return out->n > before;
}

/* Takes one byte at a time. */
static bool drain_slowly(struct bytes *out)
{
    const void *p;
    size_t before = out->n;

    while (skr_conn_tx(CONN, &p) > 0) {
        bytes_add(out, p, 1);
        skr_conn_tx_done(CONN, 1);
    }
    return out->n > before;
}

/* Offers in[0..n) until it is taken, with the responses taken between. */
static void feed(const char *in, size_t n, bool (*take)(struct bytes *out), struct bytes *out)
{
    size_t at = 0, taken;

    do {
        taken = skr_conn_rx(CONN, in + at, n - at);
        at += taken;
    } while (take(out) || (taken > 0 && at < n));
}

/* True when every run that is not done has asked its client something. */
static bool waits_for_client(void)
{
    for (size_t i = 0; i < SKR_JOBS; i++) {
#if SKR_INTERACTIVE
        bool waits = SERVER->jobs[i].requests.count > 0;
#else
        bool waits = false;
#endif
        if (skri_job_runs(&SERVER->jobs[i]) && !waits) {
            return false;
        }
    }
    return true;
}

/* Everything has been sent: lets handlers that asked for time come to their end. Not
 * before, or it would depend on the cut which message they are done before. */
static void work(bool (*take)(struct bytes *out), struct bytes *out)
{
    bool pending, sent;

    do {
        pending = skr_server_tick(SERVER, clock_ms += 10);
        sent = take(out);
    } while (pending && (sent || !waits_for_client()));
}

static void feed_bytes(const char *in, size_t n, struct bytes *out)
{
    for (size_t at = 0; at < n;) {
        size_t room;
        char *to = skr_conn_rx_room(CONN, &room);
        if (room > 0) {
            *to = in[at++];
            skr_conn_rx_done(CONN, 1);
        }
        if (!drain(out) && room == 0) {
            return;
        }
    }
}

/* Feeds in[0..n), takes only the first k bytes of the response. */
static void feed_and_lose(const char *in, size_t n, size_t k)
{
    const void *p;
    size_t at = 0, ready;

    do {
        at += skr_conn_rx(CONN, in + at, n - at);
        ready = skr_conn_tx(CONN, &p);
        ready = ready < k ? ready : k;
        skr_conn_tx_done(CONN, ready);
        k -= ready;
    } while (ready > 0);
}

/* ---- Ways to run an exchange ---- */

static bool serves_a_new_link(bool http)
{
    static const char *const hello[2] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n",
        "DELETE /elsewhere HTTP/1.1\r\nHost: localhost\r\n\r\n",
    };
    static const char *const welcome[2] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    };
    static struct bytes out;

    bytes_clear(&out);
    skr_conn_open(CONN, SERVER, http ? SKR_HTTP_1 : SKR_LINE);
    feed(hello[http], strlen(hello[http]), drain, &out);
    return strcmp(out.p, welcome[http]) == 0 && skr_conn_activity(CONN) == SKR_IDLE;
}

bool core_brief;

/* The place behind k where a text of n bytes is cut next. */
static size_t next_cut(size_t k, size_t n)
{
    bool middle = n > CUTS && k > CUTS / 3 && k < n - CUTS / 3;

    if (core_brief) {
        return k + 1 + n / 5;
    }
    return k + (middle ? 1 + n / (CUTS / 3) : 1);
}

static void run_split(struct place *place, const struct state *start, const struct bytes *in, const struct bytes *whole)
{
    struct bytes out = {0};
    char how[64];

    for (size_t k = 1; k < in->n; k = next_cut(k, in->n)) {
        restore(start);
        bytes_clear(&out);
        feed(in->p, k, drain, &out);
        feed(in->p + k, in->n - k, drain, &out);
        work(drain, &out);
        if (!bytes_equal(&out, whole)) {
            snprintf(how, sizeof how, "core, split at %zu", k);
            place->how = how;
            report_same(place, in, whole, &out);
            bytes_free(&out);
            return;
        }
    }
    report_pass();
    bytes_free(&out);
}

static void run_lost(struct place *place, const struct state *start, const struct bytes *in, size_t n)
{
    char how[64];

    for (size_t k = 0; k < n; k = next_cut(k, n)) {
        restore(start);
        feed_and_lose(in->p, in->n, k);
        if (!serves_a_new_link(place->file->http)) {
            snprintf(how, sizeof how, "core, link lost after byte %zu", k);
            place->how = how;
            report_trouble(place, in, "a new connection in the same memory is not served");
            return;
        }
    }
    report_pass();
}

static void run_same(struct place *place, const char *how, const struct bytes *in, const struct bytes *whole,
                     struct bytes *out)
{
    place->how = how;
    if (report_same(place, in, whole, out)) {
        report_pass();
    }
    bytes_clear(out);
}

/* All ways but the first, which has given `whole`. */
static void run_again(struct place *place, const struct state *start, const struct bytes *in, const struct bytes *whole)
{
    struct bytes out = {0};

    bytes_clear(&out);
    restore(start);
    feed_bytes(in->p, in->n, &out);
    work(drain, &out);
    run_same(place, "core, byte by byte", in, whole, &out);
    run_split(place, start, in, whole);
    restore(start);
    feed(in->p, in->n, drain_slowly, &out);
    work(drain_slowly, &out);
    run_same(place, "core, answer taken byte by byte", in, whole, &out);
    run_lost(place, start, in, whole->n);
    restore(start);
    feed(in->p, in->n, drain, &out);
    work(drain, &out);
    run_same(place, "core, again", in, whole, &out);
    bytes_free(&out);
}

static bool report_whole(struct place *place, struct memory *memory, const struct bytes *in, const struct bytes *out)
{
    if (place->file->http) {
        bool fits = report_raw(place, memory, in, out, skr_conn_finished(CONN));
        memory_learn(memory, out);
        return fits;
    }
    struct responses responses = {0};
    bool ended = responses_of_lines(&responses, out), fits = false;
    if (!ended) {
        report_trouble(place, in, "the last line of the response has no line end");
    } else {
        fits = report_messages(place, memory, in, &responses);
    }
    responses_free(&responses);
    memory_learn(memory, out);
    return fits;
}

static void run_exchange(struct place *place, struct memory *memory)
{
    static struct state start, end;
    const struct exchange *e = place->exchange;
    bool http = place->file->http, timeout = e->sent.at[0].timeout;
    struct bytes in = {0}, out = {0};

    bytes_clear(&out);
    transcript_sent(&e->sent, memory, http ? "\r\n" : "\n", &in);
    if (http && skr_conn_finished(CONN)) {
        skr_conn_open(CONN, SERVER, SKR_HTTP_1);
    }
    save(&start);
    if (timeout) {
        skr_conn_timed_out(CONN);
    }
    feed(in.p, in.n, drain, &out);
    work(drain, &out);
    bool fits = report_whole(place, memory, &in, &out);
    save(&end);
    if (fits && !timeout) {
        run_again(place, &start, &in, &out);
        restore(&end);
    } else if (!fits && http) { /* what is left of it would also spoil the next exchange */
        skr_conn_open(CONN, SERVER, SKR_HTTP_1);
    }
    if (!canaries_live()) {
        report_trouble(place, &in, "bytes around the structs were overwritten");
        set_canaries();
    }
    bytes_free(&in);
    bytes_free(&out);
}

/* ---- Scenes ---- */

/* The image in memory of its exact size, so that a read beyond it is noticed. */
static void *load(const char *device, bool compressed, size_t *size)
{
    struct bytes path = {0};

    image_path(device, compressed, &path);
    FILE *f = fopen(path.p, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0) {
        perror(path.p);
        exit(2);
    }
    *size = (size_t)ftell(f);
    void *image = malloc(*size);
    rewind(f);
    if (image == NULL || fread(image, 1, *size, f) != *size) {
        perror(path.p);
        exit(2);
    }
    fclose(f);
    bytes_free(&path);
    return image;
}

const struct token test_tokens[TEST_TOKENS] = {{"operator", false}, {"reader", true}, {"other", false}};

static void grant(struct skr_http_config *config)
{
    static struct skr_grant grants[TEST_TOKENS];

    for (size_t i = 0; i < TEST_TOKENS; i++) {
        char token[32];
        int n = snprintf(token, sizeof token, "%s-token", test_tokens[i].name);
        grants[i].name = test_tokens[i].name;
        grants[i].rights = test_tokens[i].reads ? SKR_MAY_READ : SKR_MAY_OPERATE;
        romfs_sha256_of(token, (size_t)n, grants[i].sha256);
    }
    config->grants = grants;
    config->grant_count = TEST_TOKENS;
}

/* `starts`: how often it has been started before. */
static void open_server(const struct scene *scene, bool http, const void *image, size_t size, unsigned starts)
{
    static const char *const hosts[] = {TEST_HOST};
    struct skr_http_config config = {.path = "/mcp",
                                     .hosts = hosts,
                                     .host_count = 1,
                                     .loopback = true,
                                     .sessionless = scene->sessionless,
                                     .session_key = (const uint8_t *)"a key that stays",
                                     .anyone = !scene->tokens};
    int error = skr_server_init(SERVER, machines_device(scene->device), image, size);

    if (error != 0) {
        fprintf(stderr, "%s: %s\n", scene->device, romfs_reason(error));
        exit(2);
    }
    if (scene->page != 0) {
        skr_server_set_page(SERVER, scene->page);
    }
#if SKR_CHANGES
    skr_server_can_swap(SERVER, scene->reload);
#endif
    make_stale(CONN, sizeof *CONN);
    memcpy(config.seed, "a seed for tests", sizeof config.seed);
    config.seed[0] = (uint8_t)(config.seed[0] + starts);
    if (scene->tokens) {
        grant(&config);
    }
    skr_server_http(SERVER, &config);
    skr_conn_open(CONN, SERVER, http ? SKR_HTTP_1 : SKR_LINE);
}

void run_core(const struct transcript *t, bool compressed)
{
    struct memory memory = {0};
    struct machines power_up;

    machines_save(&power_up);
    set_canaries();
    for (size_t s = 0; s < t->count; s++) {
        size_t size;
        void *image = load(t->at[s].device, compressed, &size);
        machines_restore(&power_up);
        unsigned starts = 0;
        open_server(&t->at[s], t->http, image, size, starts);
        for (size_t i = 0; i < t->at[s].count; i++) {
            if (t->at[s].at[i].restart) {
                open_server(&t->at[s], t->http, image, size, ++starts);
            }
            struct place place = {t, &t->at[s], &t->at[s].at[i], compressed ? "core, compressed image" : "core"};
            if (needs_allow(place.scene, place.exchange, WIRE_CORE)) {
                run_exchange(&place, &memory);
            }
        }
        free(image);
    }
    machines_restore(&power_up);
    memory_free(&memory);
}
