/* echo.c -- the server, and beside it a bare echo on lwIP's raw API on port 7, in the same program at the same time. A
 * line that begins with a number is not echoed but answered with so many bytes of ROM. That is the fastest that a
 * board's Ethernet, lwIP and the emulator's network can be, for any length of request and response. For bench.py, which
 * also reads how long the processor was busy with frames out of `busy_cycles`. */
#include "board.h"
#include "lwip/timeouts.h"
#include "net.h"
#include "skr_lwip.h"

extern const struct skr_device board_device;
extern const uint32_t link_image[];
extern const char link_image_room[];

static struct skr_server server;
static struct skr_lwip net;

static volatile uint32_t busy_cycles; /* in turns of the main loop that had a frame; of the clock, wraps */

static uint32_t owed; /* bytes to the one client that asks for a number of them */
static bool counted;  /* the rest of its line is still to come */

static err_t send_owed(void *none, struct tcp_pcb *pcb, u16_t acknowledged)
{
    (void)none;
    (void)acknowledged;
    while (owed > 0) {
        u16_t n = (u16_t)(owed < tcp_sndbuf(pcb) ? owed : tcp_sndbuf(pcb));
        if (n == 0 || tcp_write(pcb, link_image, n, 0) != ERR_OK) {
            break;
        }
        owed -= n;
    }
    return tcp_output(pcb);
}

static bool is_digit(const struct pbuf *p, u16_t at)
{
    return pbuf_get_at(p, at) >= '0' && pbuf_get_at(p, at) <= '9';
}

static void respond(struct tcp_pcb *pcb, const struct pbuf *p)
{
    for (u16_t i = 0; !counted && is_digit(p, i); i++) {
        owed = owed * 10u + pbuf_get_at(p, i) - '0';
    }
    counted = pbuf_get_at(p, (u16_t)(p->tot_len - 1u)) != '\n';
    if (!counted) {
        (void)send_owed(NULL, pcb, 0);
    }
}

static err_t on_received(void *none, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    (void)none;
    (void)error;
    if (p == NULL) {
        return tcp_close(pcb);
    }
    if (counted || is_digit(p, 0)) {
        respond(pcb, p);
    } else {
        for (const struct pbuf *q = p; q != NULL; q = q->next) {
            (void)tcp_write(pcb, q->payload, q->len, TCP_WRITE_FLAG_COPY);
        }
    }
    tcp_recved(pcb, p->tot_len);
    pbuf_free(p);
    return tcp_output(pcb);
}

static err_t on_accept(void *none, struct tcp_pcb *pcb, err_t error)
{
    (void)none;
    if (pcb == NULL || error != ERR_OK) {
        return ERR_VAL;
    }
    tcp_nagle_disable(pcb);
    tcp_recv(pcb, on_received);
    tcp_sent(pcb, send_owed);
    return ERR_OK;
}

static bool start_echo(void)
{
    struct tcp_pcb *pcb = tcp_new();
    struct tcp_pcb *listening = tcp_bind(pcb, IP_ADDR_ANY, 7) == ERR_OK ? tcp_listen(pcb) : NULL;

    if (listening != NULL) {
        tcp_accept(listening, on_accept);
    }
    return listening != NULL;
}

static uint32_t cycles_now(void)
{
    uint32_t ms, left;

    do {
        ms = clock_ms();
        left = clock_cycles();
    } while (ms != clock_ms());
    return (ms + 1u) * (board_hz / 1000u) - left;
}

int main(void)
{
    const struct skr_http_config config = {.path = "/mcp", .loopback = true, .anyone = true};

    board_init();
    clock_init();
    if (skr_server_init(&server, &board_device, link_image, (size_t)(uintptr_t)link_image_room) != 0 || !net_init()) {
        board_fault();
    }
    skr_server_http(&server, &config);
    skr_lwip_init(&net, &server);
    if (!skr_lwip_listen(&net, 80, SKR_HTTP_1) || !start_echo()) {
        board_fault();
    }
    serial_print("echo: ready\n");
    for (;;) {
        uint32_t seen = serial_events(), began = cycles_now();
        bool busy = net_receive();
        sys_check_timeouts();
        skr_lwip_turn(&net);
        if (busy) {
            busy_cycles += cycles_now() - began;
        } else {
            net_sleep(seen);
        }
    }
}
