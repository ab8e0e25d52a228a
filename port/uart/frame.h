/* frame.h -- one end of a reliable serial line: bytes come in, however damaged, and payload comes out whole, once and
 * in order; and the same the other way.
 *
 * Both ends run this code; README.md specifies the protocol. The struct has no buffers of its own, because the ends
 * differ in how much they can spare: a device 64 and 128 bytes, a PC thousands. Nothing here blocks, allocates or
 * reads a clock.
 *
 *     bytes from the line -> skr_frame_rx -> skr_frame_payload, skr_frame_taken
 *     skr_frame_put -> skr_frame_tx -> bytes to the line
 */
#ifndef SKR_FRAME_H
#define SKR_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uart_config.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SKR_FRAME_START 0x01  /* starts a frame, and occurs nowhere else in one */
#define SKR_FRAME_ESCAPE 0x10 /* precedes a byte below 0x20, which is sent with bit 6 inverted */
#define SKR_FRAME_VERSION 1
#define SKR_FRAME_IDENTITY 16 /* bytes of identity in a welcome */
#define SKR_FRAME_WELCOME (4 + SKR_FRAME_IDENTITY)

/* The outcome of a byte or a tick. */
enum skr_frame_event {
    SKR_FRAME_NONE,     /* part of a frame, or a frame that needs no action */
    SKR_FRAME_TEXT,     /* the byte is not part of a frame: text, or noise */
    SKR_FRAME_HELLO,    /* the peer wants to begin (again): both directions are empty. Answer with skr_frame_welcome */
    SKR_FRAME_WELCOMED, /* our hello was answered: call skr_frame_accept immediately */
    SKR_FRAME_ENDED,    /* the peer has left reliable mode, or never was in it */
    SKR_FRAME_LOST,     /* the peer no longer answers */
};

enum skr_frame_state {
    SKR_FRAME_OFF,   /* plain */
    SKR_FRAME_ASKED, /* hello is out */
    SKR_FRAME_ON,    /* reliable */
};

struct skr_frame {
    uint8_t *rx;      /* payload of the frame that is being received, then until it is taken */
    uint8_t *tx;      /* ring: payload that is not acknowledged yet */
    uint16_t rx_size; /* at most 223 */
    uint16_t tx_size; /* a power of two */

    uint8_t state; /* enum skr_frame_state */

    /* the frame being received */
    uint8_t in;    /* enum frame_in */
    uint8_t in_at; /* bytes of it seen, checksum included */
    uint8_t in_head[6];
    uint32_t in_crc;
    uint16_t held;     /* bytes in rx that can be taken, */
    uint16_t taken;    /* and how many of them have been */
    uint16_t expected; /* number of the next byte of payload from the peer */

    /* the frame being sent */
    uint8_t out_at;   /* bytes of it sent; OUT_IDLE: none is being sent */
    uint8_t out_half; /* the second half of an escaped byte; 0: none */
    uint8_t out_head[6];
    uint32_t out_crc;
    uint16_t acked, sent, end; /* numbers of bytes in tx: acknowledged, sent, given; acked <= sent <= end */

    /* what is to be sent, and what is waited for */
    uint8_t to_send;    /* bits, as in ctl */
    uint8_t open;       /* frames with payload out, at least */
    uint8_t polls;      /* POLLs since the peer was last heard */
    bool polling;       /* a POLL is unanswered: no payload until it is */
    bool asked_again;   /* a gap has been reported, and is not filled yet */
    bool peer_ready;    /* has room for a frame */
    uint8_t peer_frame; /* payload its frames may have, escapes counted twice */
    uint8_t peer_open;  /* frames with payload that may be unacknowledged at a time */
    uint16_t nonce;     /* of our hello */
    uint16_t resend_ms; /* how long to wait for a frame before asking for it */
    uint32_t since_ms;  /* when the peer was last heard, or when waiting began */
    uint32_t now_ms;    /* of the last tick */
};

/* Initialises f with its two buffers, in plain mode. */
void skr_frame_open(struct skr_frame *f, uint8_t *rx, uint16_t rx_size, uint8_t *tx, uint16_t tx_size);

/* Takes a byte from the line. */
enum skr_frame_event skr_frame_rx(struct skr_frame *f, uint8_t byte);

/* Writes up to `room` bytes for the line to `to`, and returns how many: they count as
 * sent. */
size_t skr_frame_tx(struct skr_frame *f, uint8_t *to, size_t room);

/* True when no frame is partly sent, so text may be sent on the same line. */
bool skr_frame_between(const struct skr_frame *f);

/* Passes the time, from any clock that counts milliseconds; it may wrap around. */
enum skr_frame_event skr_frame_tick(struct skr_frame *f, uint32_t now_ms);

/* Received payload: the bytes, and how many; then how many of them have been used. */
size_t skr_frame_payload(const struct skr_frame *f, const uint8_t **bytes);
void skr_frame_taken(struct skr_frame *f, size_t n);

/* Payload to send: copies up to n bytes and returns how many there was room for. */
size_t skr_frame_put(struct skr_frame *f, const void *bytes, size_t n);

/* How many bytes of payload have not been acknowledged. */
size_t skr_frame_unsent(const struct skr_frame *f);

/* Answers a hello. Returns where to put the SKR_FRAME_IDENTITY bytes of identity. */
uint8_t *skr_frame_welcome(struct skr_frame *f);

/* Goes back to plain mode; with `notify`, after a bye frame to the peer. */
void skr_frame_leave(struct skr_frame *f, bool notify);

/* ---- For the side that begins ---- */

/* Sends a hello (again). The nonce must differ from the last one; resend_ms is for both sides, since this side knows
 * the speed of the line. */
void skr_frame_hello(struct skr_frame *f, uint16_t nonce, uint16_t resend_ms);

/* Checks a welcome. If it answers our last hello, returns true and the device's identity, and the line is in reliable
 * mode. */
bool skr_frame_accept(struct skr_frame *f, uint8_t identity[SKR_FRAME_IDENTITY]);

/* Sends a frame that the peer must reply to, to see that it is alive; only in reliable mode. */
void skr_frame_poll(struct skr_frame *f);

/* Adds a byte to a CRC-32 as in Ethernet and zip; start with SKR_CRC_START and invert all bits at the end. */
#define SKR_CRC_START 0xFFFFFFFFu
uint32_t skr_crc_add(uint32_t crc, uint8_t byte);

#ifdef __cplusplus
}
#endif

#endif
