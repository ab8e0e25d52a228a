/* frames.c -- both ends of a serial line in reliable mode, and the fuzzer between them: it decides when bytes move, flips, drops and adds
 * some, forges whole frames with a fitting checksum, and lets time pass.
 *
 * As long as no frame was forged, what one end receives is exactly the beginning of what the other has sent since they last said hello. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frame.h"

#define WIRE_MAX 4096
#define KEPT 65536
#define HOST_RX 223 /* as the bridge has it */
#define HOST_TX 1024
#define PAYLOAD_MAX 64 /* of a forged frame */

struct end {
    struct skr_frame frame;
    uint8_t *rx, *tx;
    uint8_t sent[KEPT];
    size_t sent_n, got_n;   /* since they last said hello */
    uint8_t wire[WIRE_MAX]; /* what is on its way to this end */
    size_t wire_n;
};

static struct end host, device;
static bool forged;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "frames: it does not hold that %s\n", what);
        abort();
    }
}

static struct end *other(const struct end *e)
{
    return e == &host ? &device : &host;
}

static void forget(struct end *e)
{
    e->sent_n = e->got_n = 0;
}

static void receive(struct end *e, uint8_t byte)
{
    const uint8_t *payload;
    uint8_t identity[SKR_FRAME_IDENTITY];
    enum skr_frame_event event = skr_frame_rx(&e->frame, byte);

    if (event == SKR_FRAME_HELLO) {
        memset(skr_frame_welcome(&e->frame), 'i', SKR_FRAME_IDENTITY);
        forget(e);
    } else if (event == SKR_FRAME_WELCOMED && skr_frame_accept(&e->frame, identity)) {
        forget(e);
    }
    size_t n = skr_frame_payload(&e->frame, &payload);
    if (n > 0 && e->got_n + n <= KEPT) {
        const struct end *from = other(e);
        must(forged || (e->got_n + n <= from->sent_n && memcmp(payload, from->sent + e->got_n, n) == 0),
             "what arrives is what was sent");
        e->got_n += n;
    }
    skr_frame_taken(&e->frame, n);
}

static void put(struct end *e, size_t n)
{
    uint8_t bytes[256];

    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)((e->sent_n + i) * 7 + (e == &host));
    }
    n = e->sent_n + n <= KEPT ? skr_frame_put(&e->frame, bytes, n) : 0;
    memcpy(e->sent + e->sent_n, bytes, n);
    e->sent_n += n;
}

static void carry(struct end *to, size_t n)
{
    size_t room = WIRE_MAX - to->wire_n;

    to->wire_n += skr_frame_tx(&other(to)->frame, to->wire + to->wire_n, room < n ? room : n);
}

static void arrive(struct end *e, size_t n)
{
    n = n < e->wire_n ? n : e->wire_n;
    for (size_t i = 0; i < n; i++) {
        receive(e, e->wire[i]);
    }
    e->wire_n -= n;
    memmove(e->wire, e->wire + n, e->wire_n);
}

static void lose(struct end *e, size_t at)
{
    if (e->wire_n > 0) {
        at %= e->wire_n;
        e->wire_n--;
        memmove(e->wire + at, e->wire + at + 1, e->wire_n - at);
    }
}

/* A frame by a peer that has the format: kind, length, number, acknowledged; then a checksum. */
static void forge(struct end *e, const uint8_t head[6], size_t n)
{
    uint8_t raw[6 + PAYLOAD_MAX + 4];
    uint32_t crc = SKR_CRC_START;

    memcpy(raw, head, 6);
    raw[1] = (uint8_t)(n + 0x20);
    memset(raw + 6, 'f', n);
    n += 6;
    for (size_t i = 0; i < n; i++) {
        crc = skr_crc_add(crc, raw[i]);
    }
    for (int i = 0; i < 4; i++) {
        raw[n++] = (uint8_t)(~crc >> 8 * i);
    }
    forged = true;
    receive(e, SKR_FRAME_START);
    for (size_t i = 0; i < n; i++) {
        if (raw[i] < 0x20) {
            receive(e, SKR_FRAME_ESCAPE);
        }
        receive(e, raw[i] < 0x20 ? raw[i] ^ 0x40 : raw[i]);
    }
}

static void start(void)
{
    host.sent_n = host.got_n = host.wire_n = device.sent_n = device.got_n = device.wire_n = 0;
    forged = false;
    host.rx = malloc(HOST_RX);
    host.tx = malloc(HOST_TX);
    device.rx = malloc(SKR_UART_RX_FRAME);
    device.tx = malloc(SKR_UART_TX_WINDOW);
    skr_frame_open(&host.frame, host.rx, HOST_RX, host.tx, HOST_TX);
    skr_frame_open(&device.frame, device.rx, SKR_UART_RX_FRAME, device.tx, SKR_UART_TX_WINDOW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint32_t now = 0xFFFFF000u; /* the clock wraps around soon */
    uint16_t nonce = 1;

    start();
    for (size_t i = 0; i + 1 < size; i += 2) {
        uint8_t op = data[i], arg = data[i + 1];
        struct end *e = op & 128 ? &host : &device;
        switch (op & 15) {
        case 0: skr_frame_hello(&host.frame, nonce++, 200); break;
        case 1: put(e, arg); break;
        case 2:
        case 3: carry(e, arg); break;
        case 4:
        case 5: arrive(e, arg); break;
        case 6: receive(e, arg); break;
        case 7:
            now += arg * 20u;
            (void)skr_frame_tick(&host.frame, now);
            (void)skr_frame_tick(&device.frame, now);
            break;
        case 8:
            if (e->wire_n > 0) {
                e->wire[arg % e->wire_n] ^= (uint8_t)(1u << (op >> 4 & 7));
            }
            break;
        case 9: lose(e, arg); break;
        case 10: skr_frame_poll(&host.frame); break;
        case 11: skr_frame_leave(&e->frame, arg & 1); break;
        case 12:
            if (i + 8 < size) {
                forge(e, data + i + 1, data[i + 7] % PAYLOAD_MAX);
                i += 6;
            }
            break;
        default:
            must(skr_frame_unsent(&e->frame) <= HOST_TX, "no more is unsent than there is room for");
            (void)skr_frame_between(&e->frame);
            break;
        }
    }
    free(host.rx);
    free(host.tx);
    free(device.rx);
    free(device.tx);
    return 0;
}
