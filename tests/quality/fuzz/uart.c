/* uart.c -- a device on a serial line: log lines, messages, noise and frames from a host that knows their format, around a real
 * connection. In plain mode every line that it sends is JSON. */
#include "uart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/conformance/device/device.h"
#include "../../wire/hostile/judge.h"
#include "load.h"
#include "skillrom.h"

#define PAYLOAD_MAX 200
#define SENT_MAX (1u << 18)

static struct skr_server *server;
static struct skr_conn *conn;
static struct skr_uart *uart;
static char *image;
static size_t image_n;

static char sent[SENT_MAX];
static size_t sent_n;

static void take(size_t n)
{
    if (sent_n + n <= SENT_MAX) {
        sent_n += skr_uart_tx(uart, (uint8_t *)sent + sent_n, n);
    }
}

static void give(const uint8_t *bytes, size_t n)
{
    for (unsigned stuck = 0; n > 0 && stuck < 3;) {
        size_t taken = skr_uart_rx(uart, bytes, n), before = sent_n;
        bytes += taken;
        n -= taken;
        take(512);
        stuck = taken == 0 && sent_n == before ? stuck + 1 : 0;
    }
}

/* Numbers of the bytes that frames carry, as a host counts them. */
static uint16_t number, acknowledged;

static void give_frame(uint8_t kind, const uint8_t *payload, size_t n)
{
    uint8_t raw[6 + PAYLOAD_MAX + 4], coded[2 * sizeof raw + 1];
    uint32_t crc = SKR_CRC_START;
    const uint8_t head[6] = {kind,
                             (uint8_t)(n + 0x20),
                             (uint8_t)number,
                             (uint8_t)(number >> 8),
                             (uint8_t)acknowledged,
                             (uint8_t)(acknowledged >> 8)};

    memcpy(raw, head, sizeof head);
    memcpy(raw + sizeof head, payload, n);
    number = (uint16_t)(number + n);
    n += sizeof head;
    for (size_t i = 0; i < n; i++) {
        crc = skr_crc_add(crc, raw[i]);
    }
    for (int i = 0; i < 4; i++) {
        raw[n++] = (uint8_t)(~crc >> 8 * i);
    }
    size_t k = 0;
    coded[k++] = SKR_FRAME_START;
    for (size_t i = 0; i < n; i++) {
        if (raw[i] < 0x20) {
            coded[k++] = SKR_FRAME_ESCAPE;
        }
        coded[k++] = raw[i] < 0x20 ? raw[i] ^ 0x40 : raw[i];
    }
    give(coded, k);
}

/* 0xFE OP ARG LENGTH, then LENGTH bytes for a frame; other bytes are sent as they are. */
static size_t operate(const uint8_t *data, size_t size, uint32_t *now)
{
    uint8_t op = data[1], arg = data[2];
    size_t n = data[3] % (PAYLOAD_MAX + 1);

    n = n < size - 4 ? n : size - 4;
    switch (op) {
    case 't':
        skr_uart_tick(uart, *now += arg * 100u);
        (void)skr_server_tick(server, *now);
        return 4;
    case 'o': take(arg); return 4;
    case 'a': acknowledged = (uint16_t)(acknowledged + arg); return 4;
    case 'h': /* hello: a new count begins */
        number = 0;
        acknowledged = 200;
        give_frame(0x41, data + 4, 0);
        acknowledged = 0;
        return 4;
    default: give_frame(op == 'f' ? arg : 0x44, data + 4, n); return 4 + n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t seed[16] = {1};
    uint32_t now = 0;

    make_stale(server, sizeof *server);
    make_stale(conn, sizeof *conn);
    make_stale(uart, sizeof *uart);
    if (skr_server_init(server, &conformance_device, image, image_n) != 0) {
        abort();
    }
    skr_server_seed(server, seed);
    skr_uart_open(uart, server, conn);
    sent_n = 0;
    number = acknowledged = 0;
    bool framed = false;
    while (size > 0) {
        size_t n = 1;
        if (data[0] == 0xFE && size >= 4) {
            framed |= data[1] != 't' && data[1] != 'o';
            n = operate(data, size, &now);
        } else {
            framed |= data[0] == SKR_FRAME_START;
            give(data, 1);
        }
        data += n;
        size -= n;
    }
    for (size_t before = sent_n + 1; before != sent_n;) {
        before = sent_n;
        take(4096);
    }
    (void)skr_uart_may_print(uart);
    skr_conn_close(conn);
    if (!framed && sent_n + 4096 < SENT_MAX && skr_conn_finished(conn) && judge_lines(sent, sent_n).flaw != NULL) {
        fprintf(stderr, "uart: %s\n%.*s\n", judge_lines(sent, sent_n).flaw, (int)sent_n, sent);
        abort();
    }
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    image = load_file("build/conformance.rom", &image_n);
    server = malloc(sizeof *server);
    conn = malloc(sizeof *conn);
    uart = malloc(sizeof *uart);
    return 0;
}
