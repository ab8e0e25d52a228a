/* cable.h -- the conformance fixture on real lwIP at one end of a cable in memory, and at the other end peers that send
 * exactly the segments they are told to. The clock is a number that the tests move. */
#ifndef CABLE_H
#define CABLE_H

#include "lwip/memp.h"
#include "skr_lwip.h"

#define HTTP_PORT 80
#define LINE_PORT 7701
#define TLS_PORT 443

enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };

extern struct skr_server cable_server;
extern struct skr_lwip cable_net;

/* Begins a test. Before the first, a device is plugged in that listens on three ports; before each, all connections end, and
 * nothing of lwIP's memory is in use. */
void cable_start(void);

/* What it does once, without listening; and what it listens with for TLS. */
void cable_plug_in(void);
const struct skr_lwip_tls *cable_tls(void);

/* Lets time pass, a quarter of a second at a time, as long as lwIP's own clock ticks. */
void cable_wait(uint32_t ms);

/* Serves the same image from another place; and erases where it was. */
void cable_swap(void);
void cable_erase_old(void);

/* One turn of the device's main loop. */
void cable_turn(void);

/* Elements of lwIP's pools that are in use, but for what stays: listeners and timers. */
unsigned cable_in_use(void);

/* Takes elements of a pool of lwIP until so many are left; and gives them back. One pool at a time. */
void cable_hoard(memp_t pool, unsigned left);
void cable_give_back(void);

/* ---- A peer ---- */

struct peer {
    uint8_t host;  /* the last number of its address */
    uint16_t port; /* the device's; ours is the peer's own */
    uint16_t ours;
    uint16_t mss;
    uint16_t window;  /* what it takes */
    uint16_t theirs;  /* what the device takes */
    uint32_t sent;    /* number of the next byte it sends */
    uint32_t acked;   /* number of the byte that the device waits for */
    uint32_t seen;    /* number of the byte that it waits for itself */
    bool deaf;        /* acknowledges nothing */
    bool open, ended; /* the device has accepted it; will send no more */
    bool lost;        /* it was reset */
    size_t largest;   /* segment that has come */
    size_t n;
    char in[131072]; /* what has come, ends with a NUL */
};

/* Where a new one comes from and how much it takes is set between these two. */
void peer_make(struct peer *peer, uint8_t host, uint16_t port);
bool peer_connect(struct peer *peer);

/* Both for a peer that behaves. */
void peer_open(struct peer *peer, uint8_t host, uint16_t port);

/* Sends as much as the device takes; how much that was. */
size_t peer_send(struct peer *peer, const void *bytes, size_t n);
void peer_send_text(struct peer *peer, const char *text);

/* One segment, whatever the device takes; `at` is where it begins, after what was sent. */
void peer_segment(struct peer *peer, unsigned flags, int32_t at, const void *bytes, size_t n);

/* Acknowledges what has come. */
void peer_acknowledge(struct peer *peer);

void peer_finish(struct peer *peer);
void peer_reset(struct peer *peer);

/* Forgets what has come. */
void peer_forget(struct peer *peer);

/* ---- What to say ---- */

#define PING "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"
#define META                                                                                                           \
    "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","                                           \
    "\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define LIST "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{" META "}}" /* has a long response */
#define SLOW                                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"slow_compute\",\"arguments\":"     \
    "{\"seconds\":3}," META "}}"
#define LISTEN                                                                                                         \
    "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":"                 \
    "{\"toolsListChanged\":true}," META "}}"

/* The message as a request over HTTP; until the next call. */
const char *post(const char *message);

#endif
