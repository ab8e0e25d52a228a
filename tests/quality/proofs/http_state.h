/* http_state.h -- every state that the buffer of an HTTP connection can be in while requests are read, by the picture at the
 * top of core/wire/http.c. The proofs show that no step leaves it, so it holds for any number of requests. */
#ifndef SKR_HTTP_STATE_H
#define SKR_HTTP_STATE_H

#define SMALL_REQUEST BOUND
#include "small.h"

#include "wire/http_types.h"

static struct skr_server server;
static struct skr_conn conn;

/* What was gathered of a body that is dropped now may be overwritten. */
static bool buffer_is_sound(const struct skr_conn *c)
{
    const struct skr_http *h = &c->http;
    uint32_t body = h->state == HTTP_SKIP ? 0 : h->body;

    return h->keep <= sizeof c->in && body <= sizeof c->in - h->keep && h->keep + body <= c->rx.start &&
           c->rx.start <= c->rx.scanned && c->rx.scanned <= c->rx.fill && c->rx.fill <= sizeof c->in;
}

static void any_conn(void)
{
    struct skr_http any_http;

    __CPROVER_havoc_object(conn.in);
    conn.http = any_http;
    conn.srv = &server;
    conn.rx.start = nondet_u32();
    conn.rx.scanned = nondet_u32();
    conn.rx.fill = nondet_u32();
    conn.wire = SKR_HTTP_1;
    ASSUME(conn.http.state <= HTTP_STREAM && conn.http.header_bytes <= SKR_HTTP_HEADER_MAX);
    ASSUME(buffer_is_sound(&conn));
}

static bool lies_in_buffer(struct skr_span s)
{
    return s.p >= conn.in && s.n <= sizeof conn.in && (size_t)(s.p - conn.in) <= sizeof conn.in - s.n;
}

/* What the buffer holds is open anyway; only where it is moved matters. */
void *move_contract(void *to, const void *from, size_t n)
{
    PROVE(__CPROVER_r_ok(from, n) && __CPROVER_w_ok(to, n));
    PROVE((char *)to >= conn.in && (size_t)((char *)to - conn.in) <= sizeof conn.in - n);
    PROVE((const char *)from >= conn.in && (size_t)((const char *)from - conn.in) <= sizeof conn.in - n);
    __CPROVER_havoc_slice(conn.in, sizeof conn.in);
    return to;
}

/* The response begins; until it has been sent nothing is read. */
void complete_contract(struct skr_conn *c, char *body, size_t n)
{
    PROVE(n == 0 || lies_in_buffer((struct skr_span){body, n}));
    c->rx.used = c->rx.start;
    c->responding = true;
}

#endif
