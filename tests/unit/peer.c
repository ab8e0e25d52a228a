/* peer.c -- see peer.h. */
#include "peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stale.h"

struct peer peer;

void peer_open(enum skr_wire wire)
{
    make_stale(&peer.conn, sizeof peer.conn);
    skr_conn_open(&peer.conn, &peer.server, wire);
    peer.out.n = 0;
}

int peer_serve(const void *image, size_t n)
{
    int error = skr_server_init(&peer.server, &sample_device, image, n);
#if SKR_HTTP
    static const char *const hosts[] = {"pump.local"};
    struct skr_http_config config = {.path = "/mcp", .hosts = hosts, .host_count = 1, .loopback = true, .anyone = true};

    memcpy(config.seed, "0123456789abcdef", sizeof config.seed);
    skr_server_http(&peer.server, &config);
#endif
    return error;
}

static void start(enum skr_wire wire, struct buf image)
{
    peer.image = image;
    peer.take = 0;
    if (peer_serve(peer.image.p, peer.image.n) != 0) {
        abort();
    }
    peer_open(wire);
}

void peer_start(enum skr_wire wire, size_t window)
{
    static struct buf images[2];
    static size_t windows[2];
    unsigned which = window > 0;

    if (images[which].p == NULL || windows[which] != window) {
        images[which] = sample_image(window);
        windows[which] = window;
    }
    start(wire, images[which]);
}

void peer_start_raw_text(enum skr_wire wire)
{
    static struct buf image;

    if (image.p == NULL) {
        image = sample_image_raw_text();
    }
    start(wire, image);
}

void peer_drain(void)
{
    const void *bytes;
    size_t n;

    while ((n = skr_conn_tx(&peer.conn, &bytes)) > 0) {
        if (peer.take > 0 && n > peer.take) {
            n = peer.take;
        }
        buf_add(&peer.out, bytes, n);
        skr_conn_tx_done(&peer.conn, n);
    }
}

bool peer_send(const void *bytes, size_t n)
{
    const char *p = bytes;

    while (n > 0) {
        size_t taken = skr_conn_rx(&peer.conn, p, n);
        p += taken;
        n -= taken;
        if (n > 0) {
            peer_drain();
            if (taken == 0 && skr_conn_finished(&peer.conn)) {
                return false;
            }
        }
    }
    return true;
}

const char *peer_exchange(const char *text)
{
    peer.out.n = 0;
    peer_send(text, strlen(text));
    peer_drain();
    return buf_str(&peer.out);
}

void peer_initialize(const char *version)
{
    static char text[256];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
             "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n",
             version != NULL ? version : "2025-11-25");
    peer_exchange(text);
    peer.out.n = 0;
}

const char *peer_modern(const char *method, const char *members)
{
    static char text[4096];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s%s" META "}}\n", method,
             members, members[0] != '\0' ? "," : "");
    return text;
}

const char *peer_post(const char *headers, const char *body)
{
    static char text[8192];

    snprintf(text, sizeof text,
             "POST /mcp HTTP/1.1\r\nHost: localhost:7700\r\nContent-Type: application/json\r\n"
             "Accept: application/json, text/event-stream\r\n%sContent-Length: %zu\r\n\r\n%s",
             headers, strlen(body), body);
    return text;
}

struct response peer_response(const char *text)
{
    struct response r = {-1, text, "", 0, ""};
    const char *body = strstr(text, "\r\n\r\n"), *length = strstr(text, "Content-Length: ");

    if (body == NULL || sscanf(text, "HTTP/1.1 %d ", &r.status) != 1) {
        return r;
    }
    r.body = body + 4;
    r.length = length != NULL && length < body ? strtoul(length + 16, NULL, 10) : 0;
    if (strlen(r.body) < r.length) {
        r.status = -1;
        return r;
    }
    r.end = r.body + r.length;
    return r;
}

int peer_status(const char *request)
{
    struct response r = peer_response(peer_exchange(request));

    return r.end[0] == '\0' ? r.status : -1;
}

const char *peer_unasked(void)
{
    peer.out.n = 0;
    peer_drain();
    return buf_str(&peer.out);
}
