/* wire.c -- the core behind lines and HTTP: the fixture device with jobs, questions and tasks; bytes split anywhere in both
 * directions, several connections of two peers, time, other images, links that are cut.
 *
 * Beyond what sanitizers see it checks that every byte sent is JSON-RPC in lines or in whole HTTP responses, that a response's id is one
 * that was sent on its connection, that no peer gets what only the other has said, that an image is free when the core says so (it is
 * then freed), and that nothing stays behind a closed connection. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/conformance/device/device.h"
#include "link.h"
#include "load.h"
#include "script.h"
#include "sha256.h"
#include "skillrom.h"

#define CONNECTIONS 4
#define INPUT_MAX 20000
#define OUTPUT_MAX (1u << 20) /* of one run: a fuzzer learns nothing from more */

/* Two peers: the first has three connections, the second the last one. Each says a word of its own where the input has 0xFD. */
#define PEER_OF(i) ((i) == CONNECTIONS - 1)
#define WORD 0xFD
static const char *const words[2] = {"first-peers-word", "other-peers-word"};

static struct {
    struct skr_server *server;
    struct link links[CONNECTIONS];
    struct given given[2];
    char *image, *old; /* what is served, and what responses that are still leaving may use */
    unsigned which;
    uint32_t now;
    size_t sent;
} run;

/* The fixture's, plain and deflated. */
static struct {
    char *bytes;
    size_t n;
} images[2];

/* ---- What must hold ---- */

static void check_output(const struct link *l)
{
    link_check(l);
    const char *foreign = words[!PEER_OF(l - run.links)];
    if (memmem(l->out, l->out_n, foreign, strlen(foreign)) != NULL) {
        link_fail(l, "a peer gets nothing that only the other has said");
    }
}

static void free_old_image(void)
{
    if (run.old == NULL) {
        return;
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        if (skr_conn_uses_old_image(run.links[i].conn)) {
            return;
        }
    }
    free(run.old);
    run.old = NULL;
}

/* ---- Moving bytes ---- */

static void taken(struct link *l, const char *bytes, size_t n)
{
    given_learn(&run.given[PEER_OF(l - run.links)], bytes, n);
}

static void take(struct link *l, size_t n)
{
    size_t part = 1;

    for (n = n < OUTPUT_MAX - run.sent ? n : OUTPUT_MAX - run.sent; part > 0 && n > 0; n -= part) {
        part = link_take(l, n, taken);
        run.sent += part;
        free_old_image();
    }
}

static void open_link(struct link *l, enum skr_wire wire)
{
    link_open(l, run.server, wire);
}

/* What a port does with a connection that says it is over, or whose peer hangs up in the middle. */
static void close_link(struct link *l)
{
    l->cut |= !skr_conn_finished(l->conn) && (skr_conn_activity(l->conn) != SKR_IDLE || run.sent >= OUTPUT_MAX);
    check_output(l);
    skr_conn_close(l->conn);
    free_old_image();
}

static void send(struct link *l, const char *bytes, size_t n, size_t piece, bool by_copy)
{
    unsigned stuck = 0;

    link_keep(&l->in, &l->in_n, bytes, n);
    for (size_t at = 0; at < n && stuck < 40 && !skr_conn_finished(l->conn);) {
        size_t part = piece > 0 && piece < n - at ? piece : n - at;
        size_t taken = link_offer(l, bytes + at, part, by_copy);
        at += taken;
        free_old_image();
        if (taken == 0) {
            take(l, OUTPUT_MAX);
            if (++stuck > 2) {
                (void)skr_server_tick(run.server, run.now += 5000);
            }
        }
    }
}

/* ---- A run ---- */

static void swap_image(void)
{
    if (run.old == NULL) {
        char *next = malloc(images[run.which ^ 1].n);
        memcpy(next, images[run.which ^ 1].bytes, images[run.which ^ 1].n);
        if (skr_server_swap(run.server, next, images[run.which ^ 1].n) != 0) {
            abort();
        }
        run.old = run.image;
        run.image = next;
        run.which ^= 1;
        free_old_image();
    }
}

static void start(uint8_t options)
{
    static struct skr_grant grants[2] = {{.name = "reader", .rights = SKR_MAY_READ},
                                         {.name = "operator", .rights = SKR_MAY_READ | SKR_MAY_OPERATE}};
    static const uint8_t session_key[16] = {1, 2, 3};

    romfs_sha256_of("reads", 5, grants[0].sha256);
    romfs_sha256_of("operates", 8, grants[1].sha256);
    make_stale(run.server, sizeof *run.server);
    memset(run.given, 0, sizeof run.given);
    run.which = options & 1;
    run.now = 0xFFFFF000u; /* the clock wraps around soon */
    run.sent = 0;
    run.old = NULL;
    run.image = malloc(images[run.which].n);
    memcpy(run.image, images[run.which].bytes, images[run.which].n);
    if (skr_server_init(run.server, &conformance_device, run.image, images[run.which].n) != 0) {
        abort();
    }
    skr_server_can_swap(run.server, true);
    skr_server_set_page(run.server, options & 2 ? 2 : 50);
    struct skr_http_config http = {
        .path = "/mcp", .loopback = true, .seed = {7}, .session_key = session_key, .sessionless = (options & 4) != 0};
    http.anyone = (options & 8) != 0;
    http.grants = http.anyone ? NULL : grants;
    http.grant_count = http.anyone ? 0 : 2;
    skr_server_http(run.server, &http);
    for (int i = 0; i < CONNECTIONS; i++) {
        open_link(&run.links[i], (options >> 4 & 1) != PEER_OF(i) ? SKR_HTTP_1
                                 : options & 32                   ? SKR_LINE_TCP
                                                                  : SKR_LINE);
    }
}

static void finish(void)
{
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < CONNECTIONS; i++) {
            take(&run.links[i], OUTPUT_MAX);
        }
        (void)skr_server_tick(run.server, run.now += 5000);
    }
    for (int i = 0; i < CONNECTIONS; i++) {
        close_link(&run.links[i]);
        for (int j = 0; j < SKR_JOBS; j++) {
            if (run.server->jobs[j].call.tool != NULL && run.server->jobs[j].conn == run.links[i].conn) {
                link_fail(&run.links[i], "no run belongs to a connection that is closed");
            }
        }
    }
    if (run.old != NULL) {
        link_fail(&run.links[0], "no image is in use when no connection is open");
    }
    free(run.image);
}

static void operate(struct link *l, uint8_t op, uint8_t arg)
{
    switch (op) {
    case 't': (void)skr_server_tick(run.server, run.now += arg < 128 ? arg : (arg - 127u) * 700u); break;
    case 's': swap_image(); break;
    case 'x':
        close_link(l);
        open_link(l, l->wire);
        break;
    case 'o': take(l, arg); break;
    case 'd': take(l, OUTPUT_MAX); break;
    case 'z':
        l->cut = true;
        skr_conn_timed_out(l->conn);
        break;
    case 'h':
        if (l->wire != SKR_HTTP_1) {
            skr_conn_rx_end(l->conn);
        }
        break;
    case 'k': skr_conn_keep_alive(l->conn); break;
    case 'E': skr_conn_end(l->conn); break;
    case 'n': skr_server_notify(run.server, arg); break;
    default: break;
    }
    if (skr_conn_finished(l->conn)) {
        close_link(l);
        open_link(l, l->wire);
    }
}

/* Words that only one peer says. */
static size_t spell(int peer, const char *bytes, size_t n, char *to, size_t room)
{
    size_t length = 0;

    for (size_t i = 0; i < n && length + strlen(words[0]) < room; i++) {
        if ((uint8_t)bytes[i] == WORD) {
            length += (size_t)sprintf(to + length, "%s", words[peer]);
        } else {
            to[length++] = bytes[i];
        }
    }
    return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[2 * INPUT_MAX], spelled[4 * INPUT_MAX], post[5 * INPUT_MAX];

    if (size < 3 || size > INPUT_MAX || memmem(data, size, words[0], strlen(words[0])) != NULL ||
        memmem(data, size, words[1], strlen(words[1])) != NULL) {
        return 0; /* a word that is not put there by spell() could be said by either */
    }
    start(data[0]);
    size_t piece = data[1];
    struct script script = {data + 2, data + size};
    int now = 0, posting = -1;
    while (script.at < script.end && run.sent < OUTPUT_MAX) {
        struct link *l = &run.links[now];
        const struct given *given = &run.given[PEER_OF(now)];
        uint8_t op, arg;
        size_t n = script_next(&script, given, bytes, sizeof bytes, &op, &arg);
        n = spell(PEER_OF(now), bytes, n, spelled, sizeof spelled);
        if (posting >= 0) {
            n = script_post(given, spelled, n, (uint8_t)posting, post, sizeof post);
        }
        send(l, posting >= 0 ? post : spelled, n, piece, (data[0] & 64) != 0);
        posting = op == 'P' ? arg : -1;
        now = op == 'c' ? arg % CONNECTIONS : now;
        piece = op == 'g' ? arg : piece;
        operate(l, op, arg);
    }
    finish();
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    images[0].bytes = load_file("build/conformance.rom", &images[0].n);
    images[1].bytes = load_file("build/fuzz/deflated.rom", &images[1].n);
    run.server = malloc(sizeof *run.server);
    for (int i = 0; i < CONNECTIONS; i++) {
        link_make(&run.links[i]);
    }
    return 0;
}
