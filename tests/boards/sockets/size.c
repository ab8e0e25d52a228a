/* size.c -- the program of port/sockets/README.md, to be measured: it is linked, and never runs. */
#include "../../../port/sockets/skr_sockets.h"

extern const struct skr_device my_device;
extern const uint32_t skills_image[1024];
void read_random_bytes(void *bytes, size_t n);

static struct skr_server server;
struct skr_sockets net; /* the report looks for its size */
struct skr_sockets_slot slot;
struct skr_conn conn;

int main(void)
{
    static struct skr_http_config http = {.path = "/mcp", .anyone = true};

    read_random_bytes(http.seed, sizeof http.seed);
    if (skr_server_init(&server, &my_device, skills_image, sizeof skills_image) != 0) {
        return 1;
    }
    skr_server_http(&server, &http);
    skr_sockets_init(&net, &server);
    if (skr_sockets_listen(&net, &(struct skr_sockets_endpoint){.address.port = 80, .wire = SKR_HTTP_1}) != 0) {
        return 1;
    }
    while (skr_sockets_run_once(&net, -1) == 0) {
    }
    return 1;
}
