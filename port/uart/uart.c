/* uart.c -- joins a serial line, the frames and a connection of the core. See uart.h. */
#include "uart.h"

#include <string.h>

enum uart_line {
    LINE_START, /* nothing of it has arrived */
    LINE_OURS,  /* it starts like a message: it goes to the core */
    LINE_LOG,   /* it did not: up to its end it is ignored */
};

static void open_conn(struct skr_uart *u)
{
    skr_conn_open(u->conn, u->server, SKR_LINE);
    u->line = LINE_START;
    u->response_open = false;
}

/* A new link: nothing that the previous one started goes on. */
static void open_again(struct skr_uart *u)
{
    skr_conn_close(u->conn);
    open_conn(u);
}

void skr_uart_open(struct skr_uart *u, struct skr_server *server, struct skr_conn *conn)
{
    u->server = server;
    u->conn = conn;
    skr_frame_open(&u->frame, u->rx, sizeof u->rx, u->tx, sizeof u->tx);
    open_conn(u);
}

/* ---- Identity ---- */

static uint32_t add_bytes(uint32_t crc, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    while (n-- > 0) {
        crc = skr_crc_add(crc, *p++);
    }
    return crc;
}

static uint32_t add_text(uint32_t crc, const char *text)
{
    return add_bytes(crc, text, strlen(text) + 1);
}

/* The settings that determine responses at build time. */
static const uint32_t build[] = {
    SKR_UART_BUILD,
    SKR_BY_PROFILE(0, 1, 2, 3) | SKR_EXTRAS << 2 | SKR_CHANGES << 3 | SKR_DIALECTS << 4 | SKR_INTERACTIVE << 5 |
        SKR_TASKS << 6,
};

void skr_uart_identity(const struct skr_server *server, uint8_t identity[SKR_FRAME_IDENTITY])
{
    const struct skr_device *d = server->device;
    uint32_t crc = add_bytes(SKR_CRC_START, build, sizeof build);

    crc = add_bytes(crc, &server->page, sizeof server->page);
    for (size_t i = 0; i < d->tool_count; i++) {
        crc = add_text(crc, d->tools[i].name);
    }
    for (size_t i = 0; i < d->resource_count; i++) {
        crc = add_text(crc, d->resources[i].json);
    }
    memcpy(identity, &crc, sizeof crc);
    memcpy(identity + sizeof crc, server->fs->header->digest, SKR_FRAME_IDENTITY - sizeof crc);
}

/* ---- Receiving ---- */

/* Passes payload of frames to the core, as far as the core has room. */
static void uart_deliver(struct skr_uart *u)
{
    const uint8_t *bytes;
    size_t n = skr_frame_payload(&u->frame, &bytes);

    skr_frame_taken(&u->frame, skr_conn_rx(u->conn, bytes, n));
}

/* A byte outside frames. False when the core cannot take it now. In reliable mode it belongs to a log line of the
 * other side or to a damaged frame, and is ignored. */
static bool take_text(struct skr_uart *u, uint8_t byte)
{
    if (u->frame.state == SKR_FRAME_ON) {
        return true;
    }
    if (u->line == LINE_START) {
        if (byte == '\n' || byte == '\r') {
            return true;
        }
        u->line = byte == '{' || byte == '[' ? LINE_OURS : LINE_LOG;
    }
    if (u->line == LINE_OURS && skr_conn_rx(u->conn, &byte, 1) == 0) {
        return false;
    }
    if (byte == '\n') {
        u->line = LINE_START;
    }
    return true;
}

/* Handles a hello, a goodbye or silence. A device sends no hello, so it gets no welcome. */
static void on_event(struct skr_uart *u, enum skr_frame_event event)
{
    if (event >= SKR_FRAME_HELLO) {
        open_again(u);
    }
    if (event == SKR_FRAME_HELLO) {
        skr_uart_identity(u->server, skr_frame_welcome(&u->frame));
    }
}

size_t skr_uart_rx(struct skr_uart *u, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        enum skr_frame_event event = skr_frame_rx(&u->frame, bytes[i]);
        if (event == SKR_FRAME_TEXT) {
            if (!take_text(u, bytes[i])) {
                return i;
            }
        } else {
            on_event(u, event);
            uart_deliver(u);
        }
    }
    return n;
}

/* ---- Sending ---- */

size_t skr_uart_tx(struct skr_uart *u, uint8_t *to, size_t room)
{
    const void *bytes;
    size_t n;

    if (u->frame.state == SKR_FRAME_ON) {
        uart_deliver(u);
        do {
            n = skr_conn_tx(u->conn, &bytes);
            n = skr_frame_put(&u->frame, bytes, n);
            skr_conn_tx_done(u->conn, n);
        } while (n > 0);
    } else if (room > 0 && skr_frame_between(&u->frame) && (n = skr_conn_tx(u->conn, &bytes)) > 0) {
        n = n < room ? n : room;
        memcpy(to, bytes, n);
        u->response_open = to[n - 1] != '\n';
        skr_conn_tx_done(u->conn, n);
        return n;
    }
    return skr_frame_tx(&u->frame, to, room);
}

bool skr_uart_may_print(const struct skr_uart *u)
{
    return !u->response_open && skr_frame_between(&u->frame);
}

void skr_uart_tick(struct skr_uart *u, uint32_t now_ms)
{
    on_event(u, skr_frame_tick(&u->frame, now_ms));
}
