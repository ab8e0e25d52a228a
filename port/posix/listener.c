/* listener.c -- bind, accept, refuse. Options set on a listening socket are
 * passed on to the sockets it accepts, so accepting costs one system call. */
#include "listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../carrier.h"
#include "console.h"
#include "system.h"

static void set_int(int fd, int level, int option, int value)
{
    (void)setsockopt(fd, level, option, &value, sizeof value);
}

static void set_options(int fd, const struct posix_listen *wanted)
{
    set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1); /* old connections in TIME_WAIT do not keep the port from us */
    set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1); /* a response leaves in one write and waits for nothing */
    if (wanted->address.at.any.sa_family == AF_INET6) {
        set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1); /* [::] and 0.0.0.0 can be served side by side */
    }
    if (wanted->wire != SKR_HTTP_1) {
        set_int(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
#if defined(TCP_KEEPIDLE)
        set_int(fd, IPPROTO_TCP, TCP_KEEPIDLE, POSIX_KEEPALIVE_S);
#elif defined(TCP_KEEPALIVE) /* macOS */
        set_int(fd, IPPROTO_TCP, TCP_KEEPALIVE, POSIX_KEEPALIVE_S);
#endif
    }
}

bool posix_listener_open(struct posix_listener *listener, const struct posix_listen *wanted)
{
    char host[POSIX_ADDRESS_TEXT];

    listener->wire = wanted->wire;
    listener->secure = wanted->secure;
    listener->site = wanted->site;
    listener->address = wanted->address;
    listener->fd = host_socket(wanted->address.at.any.sa_family);
    if (listener->fd >= 0) {
        set_options(listener->fd, wanted);
        if (bind(listener->fd, &wanted->address.at.any, wanted->address.size) == 0 &&
            listen(listener->fd, POSIX_BACKLOG) == 0 &&
            getsockname(listener->fd, &listener->address.at.any, &listener->address.size) == 0) {
            return true;
        }
    }
    posix_address_host(&wanted->address, host);
    host_log("cannot serve at %s:%u: %s%s", host, posix_address_port(&wanted->address), strerror(errno),
             errno == EADDRINUSE ? "; stop the other server or choose another port (0 picks a free one)" : "");
    if (listener->fd >= 0) {
        close(listener->fd);
    }
    return false;
}

static const char *scheme(const struct posix_listener *listener)
{
    if (listener->wire != SKR_HTTP_1) {
        return "tcp";
    }
    return listener->secure ? "https" : "http";
}

/* What other machines can do there; NULL: only what their tokens allow. */
static const char *danger(const struct posix_listener *listener, const struct posix_options *options)
{
    if (listener->wire != SKR_HTTP_1 || !posix_options_guard(options)) {
        return "all of them may do everything";
    }
    return listener->secure ? NULL : "tokens can be read in transit";
}

void posix_listener_announce(const struct posix_listener *listener, const char *what,
                             const struct posix_options *options)
{
    char host[POSIX_ADDRESS_TEXT];
    bool http = listener->wire == SKR_HTTP_1;
    const char *why = danger(listener, options);

    posix_address_host(&listener->address, host);
    unsigned port = posix_address_port(&listener->address);
    if (listener->site != NULL) {
        host_log("serving %s at %s://%s:%u%s", listener->site->what, scheme(listener), host, port,
                 listener->site->path);
        return;
    }
    if (!options->quiet) {
        host_log("serving %s at %s://%s:%u%s", what, scheme(listener), host, port, http ? options->path : "");
    }
    if (!posix_address_is_loopback(&listener->address)) {
        const char *names = http ? "; use --host for each name they use for this machine" : "";
        host_log("%sother machines can reach %s:%u%s%s%s", why != NULL ? "warning: " : "", host, port,
                 why != NULL ? ", and " : "", why != NULL ? why : "", names);
    }
}

enum posix_accept posix_listener_accept(const struct posix_listener *listener, int *fd, struct posix_address *peer)
{
    for (;;) {
        peer->size = sizeof peer->at;
        *fd = host_accept(listener->fd, &peer->at.any, &peer->size);
        if (*fd >= 0) {
            return POSIX_ACCEPT_CLIENT;
        }
        if (errno == EAGAIN) {
            return POSIX_ACCEPT_EMPTY;
        }
        if (errno != EINTR && errno != ECONNABORTED) { /* the latter: it left before it was accepted */
            return POSIX_ACCEPT_SHORT;
        }
    }
}

void posix_listener_refuse(const struct posix_listener *listener, int fd, unsigned slots)
{
    char body[128];
    char text[512];
    int n;

#if SKR_TLS
    if (listener->secure) {
        (void)!send(fd, skr_tls_busy, sizeof skr_tls_busy, MSG_NOSIGNAL);
        return;
    }
#endif
    if (listener->wire == SKR_HTTP_1) {
        int length = snprintf(body, sizeof body, "all %u connections are in use, try again later\n", slots);
        n = snprintf(text, sizeof text,
                     "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nConnection: close\r\n"
                     "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s",
                     length, body);
    } else {
        n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,"
                     "\"message\":\"all %u connections are in use, try again later\"}}\n",
                     slots);
    }
    (void)!send(fd, text, (size_t)n, MSG_NOSIGNAL);
}
