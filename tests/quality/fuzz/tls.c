/* tls.c -- bytes from a client that has not proved anything, before the server of port/tls; and files that should be a private key
 * with its certificates.
 *
 * Nobody without the keys gets past the handshake, and the fuzzer has none: the connection must stay untouched, and what is sent are
 * whole TLS records, or the plain words for a client that speaks HTTP. */
#include "tls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/conformance/device/device.h"
#include "load.h"

#define SENT_MAX 65536

static struct skr_server *server;
static struct skr_conn *conn;
static struct skr_tls *tls;
static struct skr_tls_identity identity;
static char sent[SENT_MAX];
static size_t sent_n;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "tls: it does not hold that %s\n", what);
        abort();
    }
}

static void take(size_t n)
{
    const void *bytes;
    size_t there = skr_tls_tx(tls, &bytes);

    n = there < n ? there : n;
    n = sent_n + n <= SENT_MAX ? n : 0;
    if (n > 0) {
        memcpy(sent + sent_n, bytes, n);
        sent_n += n;
        skr_tls_tx_done(tls, n);
    }
}

static void check_records(void)
{
    size_t at = 0;

    if (sent_n > 4 && memcmp(sent, "HTTP", 4) == 0) {
        return;
    }
    while (at + 5 <= sent_n) {
        must(sent[at] >= 20 && sent[at] <= 23 && sent[at + 1] == 3, "a record has a known type and version");
        at += 5 + ((size_t)(uint8_t)sent[at + 3] << 8 | (uint8_t)sent[at + 4]);
    }
}

static void shake_hands(const uint8_t *data, size_t size)
{
    static const uint8_t seed[SKR_TLS_SEED] = {1};

    make_stale(conn, sizeof *conn);
    make_stale(tls, sizeof *tls);
    sent_n = 0;
    skr_conn_open(conn, server, SKR_HTTP_1);
    skr_tls_open(tls, &identity, conn, seed);
    while (size > 0 && !skr_tls_finished(tls)) {
        size_t piece = 1 + data[0] % 97, taken;
        piece = piece < size ? piece : size;
        taken = skr_tls_rx(tls, data, piece);
        data += taken;
        size -= taken;
        take(1 + size % 61);
        if (taken == 0 && sent_n >= SENT_MAX / 2) {
            break;
        }
        if (taken == 0) {
            take(SENT_MAX);
        }
        (void)skr_tls_doing(tls);
        (void)skr_tls_is_within_record(tls);
    }
    skr_tls_timed_out(tls);
    take(SENT_MAX);
    check_records();
    must(!skr_tls_spoke(tls) && skr_conn_activity(conn) == SKR_IDLE, "nobody gets past the handshake without its keys");
    skr_tls_close(tls);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1) {
        return 0;
    }
    if (data[0] & 1) {
        struct skr_tls_identity read;
        char *copy = malloc(size - 1);
        memcpy(copy, data + 1, size - 1);
        if (skr_tls_identity_read(&read, copy, size - 1) == SKR_TLS_WELL) {
            must(read.chain_count > 0 && read.key.xlen <= size, "a key comes with its certificate");
        }
        free(copy);
    } else {
        shake_hands(data + 1, size - 1);
    }
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    size_t n, image_n;

    (void)argc;
    (void)argv;
    char *file = load_file("build/fuzz/identity.der", &n), *image = load_file("build/conformance.rom", &image_n);
    struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true, .seed = {7}};
    server = malloc(sizeof *server);
    conn = malloc(sizeof *conn);
    tls = malloc(sizeof *tls);
    must(skr_tls_identity_read(&identity, file, n) == SKR_TLS_WELL, "the key of the build is one");
    must(skr_server_init(server, &conformance_device, image, image_n) == 0, "the image is sound");
    skr_server_http(server, &http);
    return 0;
}
