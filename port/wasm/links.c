/* links.c -- see links.h. A link is a number below link_count(). What link_room and link_out return is a place in the
 * module's memory; its length is link_length(). It is valid until the next call. */
#include "links.h"

#ifndef LINKS
#define LINKS 8 /* a page in a tab needs three: a request, its cancellation and a stream of changes */
#endif

static struct skr_server *server;
static struct skr_conn conn[LINKS];
static size_t length;
static uint8_t seed[16]; /* random bytes, written by JavaScript before the start */

/* clang-format off */
WASM_EXPORT(link_seed)     uint8_t *link_seed(void)              { return seed; }
WASM_EXPORT(link_length)   size_t   link_length(void)            { return length; }
WASM_EXPORT(link_count)    size_t   link_count(void)             { return LINKS; }
WASM_EXPORT(link_page)     void     link_page(uint32_t items)    { skr_server_set_page(server, items); }
WASM_EXPORT(link_open)     void     link_open(size_t i, int wire) { skr_conn_open(&conn[i], server, (enum skr_wire)wire); }
WASM_EXPORT(link_close)    void     link_close(size_t i)         { skr_conn_close(&conn[i]); }
WASM_EXPORT(link_room)     void    *link_room(size_t i)          { return skr_conn_rx_room(&conn[i], &length); }
WASM_EXPORT(link_in)       void     link_in(size_t i, size_t n)  { skr_conn_rx_done(&conn[i], n); }
WASM_EXPORT(link_sent)     void     link_sent(size_t i, size_t n) { skr_conn_tx_done(&conn[i], n); }
WASM_EXPORT(link_finished) bool     link_finished(size_t i)      { return skr_conn_finished(&conn[i]); }
WASM_EXPORT(link_doing)    int      link_doing(size_t i)         { return (int)skr_conn_activity(&conn[i]); }
/* clang-format on */

WASM_EXPORT(link_out) const void *link_out(size_t i)
{
    const void *bytes = NULL;

    length = skr_conn_tx(&conn[i], &bytes);
    return bytes;
}

void links_begin(struct skr_server *s)
{
    server = s;
#if SKR_SEAL
    skr_server_seed(s, seed);
#endif
#if SKR_HTTP
    static const char *const hosts[] = {"twin"}; /* what links.mjs calls it; a browser of this machine says localhost */
    struct skr_http_config http = {.path = "/mcp", .hosts = hosts, .host_count = 1, .loopback = true, .anyone = true};
    for (size_t i = 0; i < sizeof seed; i++) {
        http.seed[i] = seed[i];
    }
    skr_server_http(s, &http);
#endif
}
