/* cable.c -- see cable.h. */
#include "cable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "lwip/inet_chksum.h"
#include "lwip/init.h"
#include "lwip/ip.h"
#include "lwip/netif.h"
#include "lwip/pbuf.h"
#include "lwip/sys.h"
#include "lwip/timeouts.h"
#include "unity.h"

#define PEERS 16
#define PACKETS 64
#define PACKET_MAX 1500
#define IP_HEAD 20
#define TCP_HEAD 20
#define TICK_MS 250
#define SEGMENT 536 /* what peers send at a time */

struct skr_server cable_server;
struct skr_lwip cable_net;

static uint32_t now_ms = 0xFFFF0000u; /* soon wraps */
static struct netif interface;
static uint32_t images[2][65536]; /* one is served */
static unsigned served;
static size_t image_size;
static struct peer *peers[PEERS];
static unsigned peer_count;

/* What the device has sent and nobody has looked at yet. */
static struct packet {
    size_t n;
    uint8_t bytes[PACKET_MAX];
} packets[PACKETS];
static unsigned first_packet, packet_count;

/* ---- What lwIP wants to have ---- */

uint32_t sys_now(void)
{
    return now_ms;
}

uint32_t entropy_word(void);
uint32_t entropy_word(void)
{
    static uint32_t word = 1;

    return word = word * 1664525u + 1013904223u;
}

void board_fault(void);
void board_fault(void)
{
    fputs("an assertion of lwIP does not hold\n", stderr);
    abort();
}

/* ---- Packets ---- */

static err_t keep_packet(struct netif *netif, struct pbuf *p, const ip4_addr_t *to)
{
    struct packet *packet = &packets[(first_packet + packet_count) % PACKETS];

    (void)netif;
    (void)to;
    TEST_ASSERT_LESS_THAN(PACKETS, packet_count);
    packet->n = pbuf_copy_partial(p, packet->bytes, PACKET_MAX, 0);
    TEST_ASSERT_EQUAL(p->tot_len, packet->n);
    packet_count++;
    return ERR_OK;
}

static err_t init_interface(struct netif *netif)
{
    netif->mtu = PACKET_MAX;
    netif->output = keep_packet;
    netif->flags = NETIF_FLAG_LINK_UP;
    return ERR_OK;
}

static uint32_t number_at(const uint8_t *p, unsigned bytes)
{
    uint32_t value = 0;

    while (bytes-- > 0) {
        value = value << 8 | *p++;
    }
    return value;
}

static void put_number(uint8_t *p, unsigned bytes, uint32_t value)
{
    while (bytes-- > 0) {
        p[bytes] = (uint8_t)value;
        value >>= 8;
    }
}

/* What of a segment is for this peer. */
static void take_segment(struct peer *peer, const uint8_t *tcp, size_t n)
{
    unsigned flags = tcp[13];
    uint32_t number = number_at(tcp + 4, 4);
    size_t head = (tcp[12] >> 4) * 4u, bytes = n - head;

    if ((flags & RST) != 0) {
        peer->lost = peer->ended = true;
        return;
    }
    peer->acked = number_at(tcp + 8, 4);
    peer->theirs = (uint16_t)number_at(tcp + 14, 2);
    if ((flags & SYN) != 0) {
        peer->open = true;
        peer->seen = number + 1;
        peer_acknowledge(peer);
        return;
    }
    if (peer->deaf || (number == peer->seen && bytes == 0 && (flags & FIN) == 0)) {
        return; /* whatever else it is, a question whether we are there among it, is acknowledged */
    }
    if (number == peer->seen) {
        TEST_ASSERT_LESS_THAN(sizeof peer->in, peer->n + bytes);
        memcpy(peer->in + peer->n, tcp + head, bytes);
        peer->n += bytes;
        peer->in[peer->n] = '\0';
        peer->largest = bytes > peer->largest ? bytes : peer->largest;
        peer->seen += (uint32_t)bytes + ((flags & FIN) != 0);
        peer->ended |= (flags & FIN) != 0;
    }
    peer_acknowledge(peer);
}

static void deliver(void)
{
    while (packet_count > 0) {
        const struct packet packet = packets[first_packet];
        const uint8_t *tcp = packet.bytes + IP_HEAD;
        first_packet = (first_packet + 1) % PACKETS;
        packet_count--;
        for (unsigned i = 0; i < peer_count; i++) {
            if (peers[i]->ours == number_at(tcp + 2, 2)) {
                take_segment(peers[i], tcp, packet.n - IP_HEAD);
            }
        }
    }
}

/* Hands the device a packet as a driver does; what has no room is lost. */
static void hand_over(const uint8_t *bytes, size_t n)
{
    struct pbuf *p = pbuf_alloc(PBUF_RAW, (u16_t)n, PBUF_POOL);

    if (p != NULL) {
        pbuf_take(p, bytes, (u16_t)n);
        if (interface.input(p, &interface) != ERR_OK) {
            pbuf_free(p);
        }
    }
}

/* ---- The device ---- */

static void random_bytes(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)entropy_word();
    }
}

static void read_image(void)
{
    FILE *file = fopen("build/conformance.rom", "rb");

    TEST_ASSERT_NOT_NULL_MESSAGE(file, "build/conformance.rom is not there; run this in the top folder after make");
    image_size = fread(images[0], 1, sizeof images[0], file);
    fclose(file);
    TEST_ASSERT_EQUAL(0, skr_server_init(&cable_server, &conformance_device, images[0], image_size));
}

void cable_swap(void)
{
    memcpy(images[1 - served], images[served], image_size);
    served = 1 - served;
    TEST_ASSERT_EQUAL(0, skr_server_swap(&cable_server, images[served], image_size));
}

void cable_erase_old(void)
{
    memset(images[1 - served], 0xFF, sizeof images[0]);
}

void cable_plug_in(void)
{
    static const struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true};
    ip4_addr_t ours, mask, none;

    IP4_ADDR(&ours, 10, 0, 2, 15);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    IP4_ADDR(&none, 0, 0, 0, 0);
    lwip_init();
    TEST_ASSERT_NOT_NULL(netif_add(&interface, &ours, &mask, &none, NULL, init_interface, ip_input));
    netif_set_default(&interface);
    netif_set_up(&interface);

    read_image();
    skr_server_http(&cable_server, &config);
    skr_lwip_init(&cable_net, &cable_server);
}

const struct skr_lwip_tls *cable_tls(void)
{
    /* A key, and something in the form of a certificate: no handshake here comes so far that a peer sees it. */
    static const uint8_t key[] = {0x30, 0x31, 2,  1,  1,  4,  0x20, 1,  2,    3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                  13,   14,   15, 16, 17, 18, 19,   20, 21,   22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
                                  32,   0xA0, 10, 6,  8,  42, 0x86, 72, 0xCE, 61, 3,  1,  7,  48, 3,  2,  1,  5};
    static struct skr_tls_identity identity;
    static const struct skr_lwip_tls tls = {&identity, random_bytes};

    TEST_ASSERT_EQUAL(SKR_TLS_WELL, skr_tls_identity_read(&identity, key, sizeof key));
    return &tls;
}

void cable_start(void)
{
    static bool done;

    if (!done) {
        done = true;
        cable_plug_in();
        TEST_ASSERT_TRUE(skr_lwip_listen_tls(&cable_net, TLS_PORT, cable_tls()));
        TEST_ASSERT_TRUE(skr_lwip_listen(&cable_net, HTTP_PORT, SKR_HTTP_1));
        TEST_ASSERT_TRUE(skr_lwip_listen(&cable_net, LINE_PORT, SKR_LINE));
    }
    peer_count = 0;
    cable_wait(200000); /* every connection has been forgotten by now */
    TEST_ASSERT_EQUAL(0, skr_lwip_in_use(&cable_net));
    TEST_ASSERT_EQUAL(0, cable_in_use());
}

void cable_turn(void)
{
    sys_check_timeouts();
    skr_lwip_turn(&cable_net);
    deliver();
}

void cable_wait(uint32_t ms)
{
    for (uint32_t passed = 0; passed < ms; passed += TICK_MS) {
        now_ms += TICK_MS;
        cable_turn();
    }
}

/* ---- Pools ---- */

static unsigned left_in(memp_t pool)
{
    unsigned left = 0;

    for (const struct memp *p = *memp_pools[pool]->tab; p != NULL; p = p->next) {
        left++;
    }
    return left;
}

unsigned cable_in_use(void)
{
    unsigned used = 0;

    for (memp_t pool = 0; pool < MEMP_MAX; pool++) {
        if (pool != MEMP_TCP_PCB_LISTEN && pool != MEMP_SYS_TIMEOUT) {
            used += memp_pools[pool]->num - left_in(pool);
        }
    }
    return used;
}

static void *hoard[64];
static unsigned hoarded;
static memp_t hoarded_of;

void cable_hoard(memp_t pool, unsigned left)
{
    hoarded_of = pool;
    while (left_in(pool) > left) {
        hoard[hoarded++] = memp_malloc(pool);
    }
}

void cable_give_back(void)
{
    while (hoarded > 0) {
        memp_free(hoarded_of, hoard[--hoarded]);
    }
}

/* ---- A peer ---- */

void peer_segment(struct peer *peer, unsigned flags, int32_t at, const void *bytes, size_t n)
{
    uint8_t packet[12 + PACKET_MAX] = {0}, *ip = packet + 12, *tcp = ip + IP_HEAD;
    size_t head = (flags & SYN) != 0 ? TCP_HEAD + 4 : TCP_HEAD;

    put_number(tcp, 2, peer->ours);
    put_number(tcp + 2, 2, peer->port);
    put_number(tcp + 4, 4, peer->sent + (uint32_t)at);
    put_number(tcp + 8, 4, peer->seen);
    put_number(tcp + 12, 2, (uint32_t)head << 10 | flags);
    put_number(tcp + 14, 2, peer->window);
    if ((flags & SYN) != 0) {
        put_number(tcp + TCP_HEAD, 4, 2u << 24 | 4u << 16 | peer->mss);
    }
    if (n > 0) {
        memcpy(tcp + head, bytes, n);
    }

    const uint8_t addresses[] = {10, 0, 2, peer->host, 10, 0, 2, 15};
    uint8_t *pseudo = tcp - 12; /* where the end of the IP header will be */
    memcpy(pseudo, addresses, sizeof addresses);
    put_number(pseudo + 8, 4, 6u << 16 | (uint32_t)(head + n));
    u16_t sum = inet_chksum(pseudo, (u16_t)(12 + head + n));
    memcpy(tcp + 16, &sum, sizeof sum);

    memset(ip, 0, IP_HEAD);
    put_number(ip, 4, 0x45u << 24 | (uint32_t)(IP_HEAD + head + n));
    put_number(ip + 8, 2, 64u << 8 | 6);
    memcpy(ip + 12, addresses, sizeof addresses);
    sum = inet_chksum(ip, IP_HEAD);
    memcpy(ip + 10, &sum, sizeof sum);
    hand_over(ip, IP_HEAD + head + n);
}

void peer_acknowledge(struct peer *peer)
{
    peer_segment(peer, ACK, 0, NULL, 0);
}

void peer_make(struct peer *peer, uint8_t host, uint16_t port)
{
    static uint16_t last_port = 40000;

    memset(peer, 0, sizeof *peer);
    peer->host = host;
    peer->port = port;
    peer->ours = ++last_port;
    peer->mss = 1460;
    peer->window = 65535;
    peer->sent = 0xFFFFFF00u; /* soon wraps */
    TEST_ASSERT_LESS_THAN(PEERS, peer_count);
    peers[peer_count++] = peer;
}

bool peer_connect(struct peer *peer)
{
    peer_segment(peer, SYN, 0, NULL, 0);
    peer->sent++;
    cable_turn();
    return peer->open;
}

void peer_open(struct peer *peer, uint8_t host, uint16_t port)
{
    peer_make(peer, host, port);
    TEST_ASSERT_TRUE(peer_connect(peer));
}

static size_t room_of(const struct peer *peer)
{
    size_t under_way = peer->sent - peer->acked;

    return peer->theirs > under_way ? peer->theirs - under_way : 0;
}

size_t peer_send(struct peer *peer, const void *bytes, size_t n)
{
    const char *from = bytes;
    size_t gone = 0;

    while (gone < n && !peer->lost) {
        size_t piece = n - gone < SEGMENT ? n - gone : SEGMENT;
        for (int i = 0; i < 2 && room_of(peer) < piece; i++) {
            cable_wait(TICK_MS); /* it may acknowledge late */
        }
        piece = piece < room_of(peer) ? piece : room_of(peer);
        if (piece == 0) {
            break;
        }
        peer_segment(peer, ACK | PSH, 0, from + gone, piece);
        peer->sent += (uint32_t)piece;
        gone += piece;
        cable_turn();
    }
    return gone;
}

void peer_send_text(struct peer *peer, const char *text)
{
    TEST_ASSERT_EQUAL(strlen(text), peer_send(peer, text, strlen(text)));
}

void peer_finish(struct peer *peer)
{
    peer_segment(peer, ACK | FIN, 0, NULL, 0);
    peer->sent++;
    cable_turn();
}

void peer_reset(struct peer *peer)
{
    peer_segment(peer, RST | ACK, (int32_t)(peer->acked - peer->sent), NULL,
                 0); /* elsewhere it would be asked about it */
    cable_turn();
}

void peer_forget(struct peer *peer)
{
    peer->n = 0;
    peer->in[0] = '\0';
}

/* ---- What to say ---- */

/* The value of a member, a string, as a header that repeats it. */
static void put_header(char *to, const char *name, const char *message, const char *member)
{
    const char *value = strstr(message, member);

    if (value != NULL) {
        value += strlen(member);
        sprintf(to + strlen(to), "%s: %.*s\r\n", name, (int)strcspn(value, "\""), value);
    }
}

const char *post(const char *message)
{
    static char text[4096];

    sprintf(text,
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Length: %zu\r\n",
            strlen(message));
    put_header(text, "MCP-Protocol-Version", message, "protocolVersion\":\"");
    put_header(text, "Mcp-Method", message, "\"method\":\"");
    put_header(text, "Mcp-Name", message, "\"name\":\"");
    return strcat(strcat(text, "\r\n"), message);
}
