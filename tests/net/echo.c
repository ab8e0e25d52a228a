/* echo.c -- the server, and beside it a bare echo on lwIP's raw API on port 7: the fastest that a board's Ethernet,
 * lwIP and the emulator's network can be, in the same program at the same time. For bench.py. */
#include "lwip/timeouts.h"

#include "board.h"
#include "net.h"
#include "skr_lwip.h"

extern const struct skr_device board_device;
extern const uint32_t link_image[];
extern const char link_image_room[];

static struct skr_server server;
static struct skr_lwip net;

static err_t on_received(void *none, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    (void)none;
    (void)error;
    if (p == NULL) {
        return tcp_close(pcb);
    }
    for (const struct pbuf *q = p; q != NULL; q = q->next) {
        (void)tcp_write(pcb, q->payload, q->len, TCP_WRITE_FLAG_COPY);
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

int main(void)
{
    const struct skr_http_config config = {.path = "/mcp", .loopback = true};
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
    serial_say("echo: ready\n");
    for (;;) {
        uint32_t seen = serial_events();
        bool busy = net_receive();
        sys_check_timeouts();
        skr_lwip_turn(&net);
        if (!busy) {
            net_sleep(seen);
        }
    }
}
