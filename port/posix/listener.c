/* listener.c -- see listener.h. */
#include "listener.h"

#include <errno.h>
#include <string.h>

#include "console.h"
#include "secure.h"

bool posix_listener_open(struct skr_sockets *net, const struct posix_listen *wanted)
{
    struct skr_sockets_endpoint where = {.address = wanted->address, .wire = wanted->wire};
    char host[POSIX_ADDRESS_TEXT];

    if (wanted->site != NULL) {
        where.server = wanted->site->server;
    }
#if SKR_TLS
    where.tls = wanted->secure ? &posix_secure : NULL;
#endif
    int why = skr_sockets_listen(net, &where);
    if (why != 0) {
        posix_address_host(&wanted->address, host);
        host_log("cannot serve at %s:%u: %s%s", host, (unsigned)wanted->address.port, strerror(why),
                 why == EADDRINUSE ? "; stop the other server or choose another port (0 picks a free one)" : "");
    }
    return why == 0;
}

static const char *scheme(const struct posix_listen *listen)
{
    if (listen->wire != SKR_HTTP_1) {
        return "tcp";
    }
    return listen->secure ? "https" : "http";
}

/* The rights of other machines there; NULL if only their tokens give them rights. */
static const char *danger(const struct posix_listen *listen, const struct posix_options *options)
{
    if (listen->wire != SKR_HTTP_1 || !posix_options_guard(options)) {
        return "all of them may do everything";
    }
    return listen->secure ? NULL : "tokens can be read in transit";
}

void posix_listener_announce(const struct posix_listen *listen, const struct skr_sockets_address *address,
                             const char *what, const struct posix_options *options)
{
    char host[POSIX_ADDRESS_TEXT];
    bool http = listen->wire == SKR_HTTP_1;
    const char *why = danger(listen, options);

    posix_address_host(address, host);
    unsigned port = address->port;
    if (listen->site != NULL) {
        host_log("serving %s at %s://%s:%u%s", listen->site->what, scheme(listen), host, port, listen->site->path);
        return;
    }
    if (!options->quiet) {
        host_log("serving %s at %s://%s:%u%s", what, scheme(listen), host, port, http ? options->path : "");
    }
    if (!skr_sockets_is_loopback(address)) {
        const char *names = http ? "; use --host for each name they use for this machine" : "";
        host_log("%sother machines can reach %s:%u%s%s%s", why != NULL ? "warning: " : "", host, port,
                 why != NULL ? ", and " : "", why != NULL ? why : "", names);
    }
}
