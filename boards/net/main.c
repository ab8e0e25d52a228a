/* main.c -- the firmware of a board with Ethernet: the device's image and tools, served over HTTP and as raw lines by
 * lwIP. The serial line is for people: it prints messages, and answers a ? with counters (report.c). */
#include "board.h"
#include "lwip/timeouts.h"
#include "net.h"
#include "net_config.h"
#include "skr_lwip.h"

static struct skr_server server;
static struct skr_lwip net;

static void __attribute__((noreturn)) stop(const char *why)
{
    serial_print(": nothing is served: ");
    serial_print(why);
    serial_print("\n");
    for (;;) {
        clock_sleep(serial_events());
    }
}

#if SKR_TLS

extern const uint8_t link_identity[];
extern const char link_identity_room[];

static void random_bytes(uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bytes[i] = (uint8_t)entropy_word();
    }
}

/* Key and certificate have an area of their own in flash: every device has different ones. */
static bool serve_secure(void)
{
    static struct skr_tls_identity identity;
    static const struct skr_lwip_tls tls = {&identity, random_bytes};

    if (skr_tls_identity_read(&identity, link_identity, (size_t)(uintptr_t)link_identity_room) != SKR_TLS_WELL) {
        stop("no P-256 private key with its certificate in flash");
    }
    return skr_lwip_listen_tls(&net, NET_HTTPS_PORT, &tls);
}

#else

static bool serve_secure(void)
{
    return true;
}

#endif

/* HTTP needs random numbers, and they come from the timing of frames, so this waits for the first one. */
static void serve(void)
{
    static const char *hosts[] = {NULL, NET_NAME ".local", NET_ALIAS};
    struct skr_http_config config = {
        .path = NET_HTTP_PATH, .hosts = hosts, .host_count = sizeof hosts / sizeof hosts[0], .loopback = true};

    hosts[0] = net_address();
    access_configure(&config);
    skr_server_http(&server, &config);
    skr_lwip_init(&net, &server);
    if (!serve_secure() || (NET_HTTP_PORT != 0 && !skr_lwip_listen(&net, NET_HTTP_PORT, SKR_HTTP_1)) ||
        (NET_LINE_PORT != 0 && !skr_lwip_listen(&net, NET_LINE_PORT, SKR_LINE))) {
        stop("lwIP has no memory to listen");
    }
    resume_connections();
}

static void console(void)
{
    const uint8_t *typed;

    while (serial_peek(&typed) > 0) {
        bool asked = *typed == '?';
        serial_drop(1);
        if (asked) {
            report_counts(&net);
        }
    }
}

int main(void)
{
    int error = board_begin(&server);

    if (error != 0) {
        stop(skr_server_reason(error));
    }
    if (!net_init()) {
        stop("the Ethernet controller does not answer");
    }
    resume_reset_others();
    serial_print(": ready\n");
    while (!net_has_frame()) {
        uint32_t seen = serial_events();
        sys_check_timeouts();
        console();
        net_sleep(seen);
    }
    serve();
    for (;;) {
        uint32_t seen = serial_events();
        if (net_has_frame()) {
            resume_disturb();
        }
        bool busy = net_receive();
        sys_check_timeouts();
        (void)net_address(); /* hosts[0] follows what DHCP has given */
        skr_lwip_turn(&net);
        resume_remember(&net);
        console();
        if (!busy) {
            net_sleep(seen);
        }
    }
}
