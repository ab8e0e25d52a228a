/* frame.c -- frames with length, number and CRC-32; acknowledged, and sent again.
 *
 *     01  ctl  len  number  ack  payload  crc
 *         1    1    2       2    len      4    bytes, each below 0x20 as two
 *
 * Bytes of payload are numbered, not frames: what is sent again may be cut differently, and no table
 * of frames is needed. The line keeps order. So when a POLL is answered by a FINAL, everything sent
 * before it has arrived or never will, and only then is payload sent again: a peer that is merely
 * busy gets a few short POLLs, never a flood that its receive buffer cannot hold.
 *
 * Invariants: (1) acked <= sent <= end, end - acked <= tx_size, counted modulo 2^16.
 * (2) rx is written only while held is 0. (3) A frame being sent takes its payload
 * from tx, where it stays until acknowledged. */
#include "frame.h"

#define OUT_IDLE 0xFF
#define HEAD 6
#define CRC_RESIDUE 0xDEBB20E3u /* the CRC over any bytes followed by their checksum */
#define LENGTH_BASE 0x20        /* so that a length never needs an escape */

/* ctl: what a frame is, and what else it says. The same bits in `to_send` are what is to be sent next. */
enum {
    CTL_BASE = 0x40, /* version 1; also keeps ctl from being a control character */
    CTL_VERSION = 0xC0,
    CTL_KIND = 0x03,
    KIND_DATA = 0,    /* payload, or none */
    KIND_HELLO = 1,   /* number: nonce; ack: resend_ms */
    KIND_WELCOME = 2, /* number: the nonce */
    KIND_BYE = 3,     /* not, or no longer, in reliable mode */
    CTL_READY = 0x04, /* has room for a frame with payload */
    CTL_POLL = 0x08,  /* answer this */
    CTL_FINAL = 0x10, /* answers a POLL */
    CTL_AGAIN = 0x20, /* something is missing: send again from `ack` on */
    SEND_ACK = 0x80,  /* only in `to_send`: acknowledge something, no more */
};

enum frame_in {
    IN_TEXT,   /* outside of frames */
    IN_FRAME,  /* inside */
    IN_ESCAPE, /* after an escape */
};

/* Bit by bit: a table would be faster than any serial line needs, and cost 64 bytes. */
uint32_t skr_crc_add(uint32_t crc, uint8_t byte)
{
    crc ^= byte;
    for (unsigned bit = 0; bit < 8; bit++) {
        crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1)));
    }
    return crc;
}

static uint16_t get16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static void put16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

void skr_frame_open(struct skr_frame *f, uint8_t *rx, uint16_t rx_size, uint8_t *tx, uint16_t tx_size)
{
    *f = (struct skr_frame){.rx = rx, .tx = tx, .rx_size = rx_size, .tx_size = tx_size, .out_at = OUT_IDLE};
}

/* Both directions start at byte 0, empty. */
static void frame_begin(struct skr_frame *f, enum skr_frame_state state)
{
    f->state = (uint8_t)state;
    f->held = f->taken = f->expected = 0;
    f->acked = f->sent = f->end = 0;
    f->to_send = f->open = f->polls = 0;
    f->polling = f->asked_again = false;
    f->peer_ready = state == SKR_FRAME_ON;
    f->out_at = OUT_IDLE; /* what was being sent is obsolete; nobody misses the rest */
    f->out_half = 0;
    f->since_ms = f->now_ms;
}

/* ---- Receiving ---- */

/* Asks for what is missing, once: asking more often would only have it sent more often. */
static void ask_again(struct skr_frame *f)
{
    if (f->state == SKR_FRAME_ON && !f->asked_again) {
        f->asked_again = true;
        f->to_send |= CTL_AGAIN;
    }
}

static void go_back(struct skr_frame *f)
{
    f->sent = f->acked;
    f->open = 0;
}

/* The peer has everything before `ack`. False when that is impossible: the frame belongs to an earlier session. */
static bool take_ack(struct skr_frame *f, uint16_t ack)
{
    uint16_t more = (uint16_t)(ack - f->acked), out = (uint16_t)(f->sent - f->acked);

    if (more > (uint16_t)(f->end - f->acked)) {
        return false;
    }
    f->acked = ack;
    if (more >= out) { /* even more: what was about to be sent again has arrived after all */
        f->sent = ack;
        f->open = 0;
    } else if (more > 0 && f->open > 1) {
        f->open--;
    }
    return true;
}

static void take_payload(struct skr_frame *f, uint16_t number, uint8_t length)
{
    if (number == f->expected && f->held == 0) {
        f->held = length;
        f->taken = 0;
        f->expected = (uint16_t)(f->expected + length);
        f->asked_again = false;
        f->to_send |= SEND_ACK;
    } else if ((uint16_t)(number - f->expected) < 0x8000 && f->held == 0) {
        ask_again(f); /* one before it is missing */
    } else {
        f->to_send |= SEND_ACK; /* received before, but the peer does not know */
    }
}

static enum skr_frame_event on_data(struct skr_frame *f, uint8_t ctl, uint8_t length)
{
    if (f->state == SKR_FRAME_OFF) {
        f->to_send = KIND_BYE;
        return SKR_FRAME_NONE;
    }
    if (f->state != SKR_FRAME_ON || !take_ack(f, get16(f->in_head + 4))) {
        return SKR_FRAME_NONE;
    }
    f->since_ms = f->now_ms;
    f->polls = 0;
    f->peer_ready = (ctl & CTL_READY) != 0;
    if ((ctl & CTL_FINAL) != 0 && f->polling) {
        f->polling = false;
        go_back(f);
    }
    if ((ctl & CTL_AGAIN) != 0) {
        go_back(f);
    }
    if ((ctl & CTL_POLL) != 0) {
        f->to_send |= CTL_FINAL;
    }
    if (length > 0) {
        take_payload(f, get16(f->in_head + 2), length);
    } else {
        f->asked_again = false;
    }
    return SKR_FRAME_NONE;
}

/* A whole frame has arrived, and its checksum is right. */
static enum skr_frame_event on_frame(struct skr_frame *f)
{
    uint8_t ctl = f->in_head[0];
    uint8_t length = (uint8_t)(f->in_head[1] - LENGTH_BASE);

    if ((ctl & CTL_VERSION) != CTL_BASE) {
        return SKR_FRAME_NONE; /* of a later version */
    }
    switch (ctl & CTL_KIND) {
    case KIND_HELLO:
        f->resend_ms = get16(f->in_head + 4);
        f->nonce = get16(f->in_head + 2);
        f->peer_frame = SKR_UART_TX_FRAME; /* the side that begins has room for any frame, and any number of them */
        f->peer_open = SKR_UART_FRAMES_OPEN;
        frame_begin(f, SKR_FRAME_ON);
        return SKR_FRAME_HELLO;
    case KIND_WELCOME: return f->state == SKR_FRAME_ASKED ? SKR_FRAME_WELCOMED : SKR_FRAME_NONE;
    case KIND_BYE:
        if (f->state == SKR_FRAME_OFF) {
            return SKR_FRAME_NONE;
        }
        frame_begin(f, SKR_FRAME_OFF);
        return SKR_FRAME_ENDED;
    default: return on_data(f, ctl, length);
    }
}

/* A byte of a frame, unescaped. */
static enum skr_frame_event in_frame(struct skr_frame *f, uint8_t byte)
{
    unsigned at = f->in_at++;

    f->in_crc = skr_crc_add(f->in_crc, byte);
    if (at < HEAD) {
        f->in_head[at] = byte;
        if (at == 1 && (uint8_t)(byte - LENGTH_BASE) > f->rx_size) {
            f->in = IN_TEXT; /* damaged, or longer than we agreed to */
            ask_again(f);
        }
        return SKR_FRAME_NONE;
    }
    unsigned length = (uint8_t)(f->in_head[1] - LENGTH_BASE);
    if (at < HEAD + length) {
        if (f->held == 0) { /* (2) */
            f->rx[at - HEAD] = byte;
        }
        return SKR_FRAME_NONE;
    }
    if (at < HEAD + length + 3) {
        return SKR_FRAME_NONE;
    }
    f->in = IN_TEXT;
    if (f->in_crc != CRC_RESIDUE) {
        ask_again(f);
        return SKR_FRAME_NONE;
    }
    return on_frame(f);
}

enum skr_frame_event skr_frame_rx(struct skr_frame *f, uint8_t byte)
{
    if (byte == SKR_FRAME_START) {
        if (f->in != IN_TEXT) {
            ask_again(f); /* the one before was cut short */
        }
        f->in = IN_FRAME;
        f->in_at = 0;
        f->in_crc = SKR_CRC_START;
        return SKR_FRAME_NONE;
    }
    if (f->in == IN_TEXT) {
        return SKR_FRAME_TEXT;
    }
    if (f->in == IN_ESCAPE) {
        f->in = IN_FRAME;
        return in_frame(f, byte ^ 0x40);
    }
    if (byte == SKR_FRAME_ESCAPE) {
        f->in = IN_ESCAPE;
        return SKR_FRAME_NONE;
    }
    if (byte < 0x20) { /* frames contain no such bytes, so a line end always resynchronises */
        f->in = IN_TEXT;
        ask_again(f);
        return SKR_FRAME_TEXT;
    }
    return in_frame(f, byte);
}

size_t skr_frame_payload(const struct skr_frame *f, const uint8_t **bytes)
{
    *bytes = f->rx + f->taken;
    return (size_t)(f->held - f->taken);
}

void skr_frame_taken(struct skr_frame *f, size_t n)
{
    f->taken = (uint16_t)(f->taken + n);
    if (f->held > 0 && f->taken == f->held) {
        f->held = f->taken = 0;
        f->to_send |= SEND_ACK; /* there is room again */
    }
}

/* ---- Sending ---- */

size_t skr_frame_put(struct skr_frame *f, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    size_t done = 0;

    if (f->state != SKR_FRAME_ON || (f->to_send & CTL_KIND) == KIND_WELCOME ||
        (f->out_at != OUT_IDLE && (f->out_head[0] & CTL_KIND) == KIND_WELCOME)) {
        return 0; /* a welcome is still in tx */
    }
    while (done < n && (uint16_t)(f->end - f->acked) < f->tx_size) { /* (1) */
        f->tx[f->end++ & (f->tx_size - 1)] = from[done++];
    }
    return done;
}

size_t skr_frame_unsent(const struct skr_frame *f)
{
    return (uint16_t)(f->end - f->acked);
}

/* How much payload the next frame may carry. */
static uint8_t payload_now(const struct skr_frame *f)
{
    uint16_t there = (uint16_t)(f->end - f->sent);
    uint8_t n = 0;
    unsigned weight = 0;

    if (f->state != SKR_FRAME_ON || f->polling || !f->peer_ready || f->open >= f->peer_open) {
        return 0;
    }
    while (n < there) {
        weight += f->tx[(f->sent + n) & (f->tx_size - 1)] < 0x20 ? 2 : 1;
        if (weight > f->peer_frame) {
            break;
        }
        n++;
    }
    return n;
}

/* Prepares the next frame, if there is anything to send. */
static bool next_frame(struct skr_frame *f)
{
    uint8_t kind = f->to_send & CTL_KIND, length;
    uint16_t number = f->nonce, ack = f->resend_ms;

    if (kind != KIND_DATA) {
        length = kind == KIND_WELCOME ? SKR_FRAME_WELCOME : 0;
    } else {
        length = payload_now(f);
        if (length == 0 && f->to_send == 0) {
            return false;
        }
        number = f->sent;
        ack = f->expected;
        if (length > 0) {
            if (f->open++ == 0) {
                f->since_ms = f->now_ms; /* waiting begins */
            }
            f->sent = (uint16_t)(f->sent + length);
        }
    }
    f->out_head[0] = (uint8_t)(CTL_BASE | (f->to_send & ~CTL_VERSION) | (f->held == 0 ? CTL_READY : 0));
    f->out_head[1] = (uint8_t)(length + LENGTH_BASE);
    put16(f->out_head + 2, number);
    put16(f->out_head + 4, ack);
    f->to_send = 0;
    return true;
}

/* Returns the next byte of the frame being sent, before escaping, and advances. */
static uint8_t out_byte(struct skr_frame *f)
{
    unsigned at = f->out_at++;
    unsigned length = (uint8_t)(f->out_head[1] - LENGTH_BASE);
    uint8_t byte;

    if (at < HEAD) {
        byte = f->out_head[at];
    } else if (at < HEAD + length) {
        bool data = (f->out_head[0] & CTL_KIND) == KIND_DATA;
        unsigned number = (data ? get16(f->out_head + 2) : 0) + at - HEAD;
        byte = f->tx[number & (f->tx_size - 1u)]; /* (3) */
    } else {
        unsigned nth = at - HEAD - length;
        if (nth == 3) {
            f->out_at = OUT_IDLE;
        }
        return (uint8_t)(~f->out_crc >> (8 * nth));
    }
    f->out_crc = skr_crc_add(f->out_crc, byte);
    return byte;
}

size_t skr_frame_tx(struct skr_frame *f, uint8_t *to, size_t room)
{
    size_t n = 0;

    while (n < room) {
        if (f->out_half != 0) {
            to[n++] = f->out_half;
            f->out_half = 0;
            continue;
        }
        if (f->out_at == OUT_IDLE) {
            if (!next_frame(f)) {
                break;
            }
            f->out_at = 0;
            f->out_crc = SKR_CRC_START;
            to[n++] = SKR_FRAME_START;
            continue;
        }
        uint8_t byte = out_byte(f);
        if (byte < 0x20) {
            f->out_half = byte ^ 0x40;
            byte = SKR_FRAME_ESCAPE;
        }
        to[n++] = byte;
    }
    return n;
}

bool skr_frame_between(const struct skr_frame *f)
{
    return f->out_at == OUT_IDLE && f->out_half == 0;
}

/* ---- Time, beginning and end ---- */

enum skr_frame_event skr_frame_tick(struct skr_frame *f, uint32_t now_ms)
{
    uint32_t waited_ms = now_ms - f->since_ms;
    bool waiting = f->sent != f->acked || f->polling || (f->end != f->sent && !f->peer_ready);

    f->now_ms = now_ms;
    if (f->state != SKR_FRAME_ON ||
        waited_ms < (waiting ? (uint32_t)f->resend_ms << 2 * f->polls : SKR_UART_SILENCE_MS)) {
        return SKR_FRAME_NONE;
    }
    if (!waiting || f->polls == SKR_UART_POLLS) {
        frame_begin(f, SKR_FRAME_OFF);
        return SKR_FRAME_LOST;
    }
    f->polls++;
    f->polling = false;
    skr_frame_poll(f);
    return SKR_FRAME_NONE;
}

uint8_t *skr_frame_welcome(struct skr_frame *f)
{
    f->tx[0] = SKR_FRAME_VERSION;
    f->tx[1] = (uint8_t)f->rx_size;
    f->tx[2] = 1; /* frame at a time */
    f->tx[3] = 0; /* nothing yet */
    f->to_send = KIND_WELCOME;
    return f->tx + 4;
}

void skr_frame_leave(struct skr_frame *f, bool notify)
{
    frame_begin(f, SKR_FRAME_OFF);
    f->to_send = notify ? KIND_BYE : 0;
}

void skr_frame_hello(struct skr_frame *f, uint16_t nonce, uint16_t resend_ms)
{
    frame_begin(f, SKR_FRAME_ASKED);
    f->nonce = nonce;
    f->resend_ms = resend_ms;
    f->to_send = KIND_HELLO;
}

bool skr_frame_accept(struct skr_frame *f, uint8_t identity[SKR_FRAME_IDENTITY])
{
    if (get16(f->in_head + 2) != f->nonce || f->in_head[1] - LENGTH_BASE < SKR_FRAME_WELCOME) {
        return false;
    }
    frame_begin(f, SKR_FRAME_ON);
    f->peer_frame = f->rx[1];
    f->peer_open = f->rx[2];
    for (unsigned i = 0; i < SKR_FRAME_IDENTITY; i++) {
        identity[i] = f->rx[4 + i];
    }
    return true;
}

void skr_frame_poll(struct skr_frame *f)
{
    if (!f->polling) {
        f->since_ms = f->now_ms;
    }
    f->polling = true;
    f->to_send |= CTL_POLL;
}
