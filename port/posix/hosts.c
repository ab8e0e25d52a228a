/* hosts.c -- see hosts.h. */
#include "hosts.h"

#include <sys/random.h>

#include "say.h"

/* The server keeps pointers to these. */
static char bound[SKR_POSIX_LISTENERS][SKR_ADDRESS_TEXT];
static const char *allowed[SKR_POSIX_HOSTS + SKR_POSIX_LISTENERS];

bool skr_hosts_allow(const struct skr_hosts *hosts, struct skr_server *server)
{
    struct skr_http_config config = {
        .path = hosts->options->path, .hosts = allowed, .loopback = true, .refused = hosts->refused};

    for (size_t i = 0; i < hosts->options->host_count; i++) {
        allowed[config.host_count++] = hosts->options->hosts[i];
    }
    for (size_t i = 0; i < hosts->listener_count; i++) {
        if (hosts->listeners[i].wire == SKR_HTTP_1) {
            skr_address_host(&hosts->listeners[i].address, bound[i]);
            allowed[config.host_count++] = bound[i];
        }
    }
    if (getrandom(config.seed, sizeof config.seed, 0) != (ssize_t)sizeof config.seed) {
        skr_say("the system has no random bytes for session ids");
        return false;
    }
    skr_server_http(server, &config);
    return true;
}
