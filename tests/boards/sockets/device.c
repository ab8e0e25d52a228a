/* device.c -- the conformance fixture as firmware with sockets has it: port/sockets, profile net or full, nothing of port/posix.
 *
 *     device IMAGE [IDENTITY]    HTTP, lines and, with a key and its certificates in DER, HTTPS, at 127.0.0.1
 *
 * A byte on stdin wakes it, and it prints its counters; at the end of stdin it ends as a device does before an update. With
 * SKR_SOCKETS_LWIP it runs on lwIP's sockets instead of the system's (folder lwip). */
#include "device.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../port/sockets/skr_sockets.h"

static struct skr_server server;
static struct skr_sockets net;
static uint32_t image[1 << 18];

#if SKR_SOCKETS_LWIP

#include "lwip/stack.h"

/* Clients come through a relay, and nothing but lwIP's sockets can wake its select. */
static unsigned reachable(unsigned port)
{
    return relay_start(port);
}

static void set_up(void)
{
    stack_start();
    skr_sockets_init(&net, &server);
}

#else

static unsigned reachable(unsigned port)
{
    return port;
}

static void set_up(void)
{
    skr_sockets_init(&net, &server);
    skr_sockets_also(&net, STDIN_FILENO);
}

#endif

static size_t read_file(const char *path, void *to, size_t room)
{
    FILE *file = fopen(path, "rb");
    size_t n = file != NULL ? fread(to, 1, room, file) : 0;

    if (file != NULL) {
        fclose(file);
    }
    return n;
}

static bool serve(const struct skr_sockets_endpoint *where, const char *scheme, const char *path)
{
    struct skr_sockets_endpoint at = *where;

    memcpy(at.address.ip, (const uint8_t[]){127, 0, 0, 1}, 4);
    int why = skr_sockets_listen(&net, &at);
    if (why != 0) {
        fprintf(stderr, "device: cannot listen: %s\n", strerror(why));
        return false;
    }
    unsigned port = reachable(net.listeners[net.listener_count - 1].is.address.port);
    fprintf(stderr, "device: serving it at %s://127.0.0.1:%u%s\n", scheme, port, path);
    return true;
}

#if SKR_TLS

static bool random_bytes(uint8_t *bytes, size_t n)
{
    return read_file("/dev/urandom", bytes, n) == n;
}

static bool serve_secure(const char *path)
{
    static uint8_t bytes[4096];
    static struct skr_tls_identity identity;
    static const struct skr_sockets_tls tls = {&identity, random_bytes};

    if (skr_tls_identity_read(&identity, bytes, read_file(path, bytes, sizeof bytes)) != SKR_TLS_WELL) {
        fprintf(stderr, "device: %s: not a key and its certificates\n", path);
        return false;
    }
    return serve(&(struct skr_sockets_endpoint){.wire = SKR_HTTP_1, .tls = &tls}, "https", "/mcp");
}

#endif

/* False at the end of stdin. */
static bool report_counts(void)
{
    char line[16];

    if (read(STDIN_FILENO, line, sizeof line) <= 0) {
        return false;
    }
    fprintf(stderr, "device: %u open, %u lines, %u lingering\n", net.open, net.lines, net.lingering);
    return true;
}

static int run(void)
{
    while (!net.stopping || !skr_sockets_is_idle(&net)) {
        int why = skr_sockets_run_once(&net, -1);
        if (why != 0) {
            fprintf(stderr, "device: cannot wait: %s\n", strerror(why));
            return 1;
        }
        if (!net.stopping && net.woken && !report_counts()) {
            skr_sockets_stop(&net);
        }
    }
    skr_sockets_close(&net);
    return 0;
}

int main(int argc, char **argv)
{
    struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true};
    size_t n = argc > 1 ? read_file(argv[1], image, sizeof image) : 0;
    int error = skr_server_init(&server, &conformance_device, image, n);

    if (error != 0 || read_file("/dev/urandom", http.seed, sizeof http.seed) != sizeof http.seed) {
        fprintf(stderr, "device: %s\n", skr_server_reason(error));
        return 1;
    }
    skr_server_http(&server, &http);
    set_up();
    if (!serve(&(struct skr_sockets_endpoint){.wire = SKR_HTTP_1}, "http", "/mcp") ||
        !serve(&(struct skr_sockets_endpoint){.wire = SKR_LINE}, "tcp", "")) {
        return 1;
    }
#if SKR_TLS
    if (argc > 2 && !serve_secure(argv[2])) {
        return 1;
    }
#endif
    return run();
}
