/* mistakes.c -- the program of port/sockets/README.md without one of its lines.
 *
 *     mistakes MISTAKE IMAGE    prints the error that stops it; or its port, and then serves
 *
 * MISTAKE is none, or one of the words below. With `adopt` it listens nowhere, serves one silent client that was connected
 * elsewhere, and prints whether a turn waits. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "../../../port/sockets/skr_sockets.h"

static struct skr_server server;
static struct skr_sockets net;
static uint32_t image[1 << 16];

static int start(const char *mistake, size_t n)
{
    static const struct skr_device device = {.tool_count = 0};
    struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true};
    struct skr_sockets_endpoint where = {.wire = SKR_HTTP_1};

    if (strcmp(mistake, "no-server") != 0 && skr_server_init(&server, &device, image, n) != 0) {
        return -1;
    }
    if (strcmp(mistake, "no-path") == 0) {
        http.path = NULL;
    }
    if (strcmp(mistake, "no-http") != 0) {
        skr_server_http(&server, &http);
    }
    if (strcmp(mistake, "no-init") != 0) {
        skr_sockets_init(&net, &server);
    }
    if (strcmp(mistake, "no-listen") == 0 || strcmp(mistake, "adopt") == 0) {
        return 0;
    }
    for (int i = 1; i < SKR_SOCKETS_LISTENERS && strcmp(mistake, "too-many") == 0; i++) {
        (void)skr_sockets_listen(&net, &where);
        (void)skr_sockets_listen(&net, &where);
    }
    where.wire = strcmp(mistake, "lines") == 0 ? SKR_LINE_TCP : SKR_HTTP_1;
    return skr_sockets_listen(&net, &where);
}

static int wait_for_adopted(void)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || skr_sockets_adopt(&net, pair[0], SKR_LINE) == NULL ||
        skr_sockets_run_once(&net, 0) != 0) {
        return 1;
    }
    uint32_t before_ms = net.now_ms;
    int why = skr_sockets_run_once(&net, -1);
    printf("run %d %s\n", why, net.now_ms - before_ms >= 50 ? "waits" : "spins");
    return 1;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t n = file != NULL ? fread(image, 1, sizeof image, file) : 0;
    int why = start(argv[1], n);

    if (why != 0) {
        printf("listen %d\n", why);
        return 1;
    }
    if (strcmp(argv[1], "adopt") == 0) {
        return wait_for_adopted();
    }
    printf("port %u\n", net.listener_count > 0 ? net.listeners[0].is.address.port : 0u);
    fflush(stdout);
    while ((why = skr_sockets_run_once(&net, -1)) == 0) {
    }
    printf("run %d\n", why);
    return 1;
}
