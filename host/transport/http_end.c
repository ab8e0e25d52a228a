/* http_end.c -- the end of an exchange: the effect of a response, or of its absence, on the request and the transport. */
#include <stdio.h>
#include <string.h>

#include "console.h"
#include "http.h"
#include "json_edit.h"
#include "probe.h"
#include "text/json.h"

/* Answers a request in the device's place, with the error that the device gave without an id, or with `why`. */
static void exchange_respond(struct transport_http *h, struct transport_exchange *p, const char *why)
{
    static char text[2048];
    struct skr_span body = {h->base.in, h->base.in_n};
    bool json = p->json && h->reader == p && body.n > 0 && skr_json_check(body.p, body.n) == SKR_JSON_OK;
    struct skr_span error = json ? skr_scan_get(body, "error") : (struct skr_span){NULL, 0};
    char own[256];
    int n = snprintf(own, sizeof own, "{\"code\":-32603,\"message\":\"%s\"}", why);

    if (error.p == NULL || error.n > sizeof text - 128) {
        error = (struct skr_span){own, (size_t)n};
    }
    n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%.*s}", p->id, (int)error.n, error.p);
    transport_forget(&h->base);
    h->reader = NULL;
    transport_put(&h->base, text, (size_t)n);
    transport_end_message(&h->base);
}

/* The reason why the server refuses every request; NULL if it does not. */
static const char *exchange_refusal(const struct transport_http *h, const struct transport_exchange *p)
{
    switch (p->parser.status_code) {
    case 401:
        return h->token == NULL
                   ? "it requires a token; give one with --device-token FILE, or in the variable SKILLROM_TOKEN"
                   : "it does not accept this token; check that it is the device's, and complete";
    case 301:
    case 302:
    case 307:
    case 308: return "it redirects to another address; use that";
    case 421: return "it does not accept this host name; use its address, or start it with --host";
    default: return NULL;
    }
}

static void end_probe(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    static char why[128];
    const char *wrong = exchange_refusal(h, p);
    bool responded = wrong == NULL && p->json && h->reader == p && transport_probe_responded(&h->base, h->base.in_n);
    bool busy = p->parser.status_code == 503;

    transport_forget(&h->base);
    h->reader = NULL;
    p->state = TRANSPORT_EXCHANGE_KEPT;
    p->since_ms = now_ms;
    if (responded && h->base.hasty && h->base.reason[0] != '\0') {
        wrong = h->base.reason;
    } else if (responded && !busy) {
        transport_http_go_up(h);
        return;
    }
    (void)snprintf(why, sizeof why, "it responds with HTTP status %u, and not as an MCP server; check the path %.40s",
                   p->parser.status_code, h->target.path);
    h->base.refused = !busy;
    transport_http_fail(h,
                        busy            ? "it is busy with other clients"
                        : wrong != NULL ? wrong
                                        : why,
                        now_ms + (busy ? TRANSPORT_RETRY_MS : TRANSPORT_REFUSED_MS));
}

/* The device has no room for this many connections. */
static void on_busy(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    unsigned others = transport_http_open(h, true) - 1;

    h->limit = others > 0 && others < h->limit ? others : h->limit;
    h->hold_ms = now_ms + TRANSPORT_RETRY_MS;
    transport_exchange_drop(h, p);
    if (p->listens && h->limit < 2) {
        host_log("%s: has no room for a second connection; its notifications are not received", h->base.path);
        if (h->base.on_refused != NULL) {
            h->base.on_refused(h->base.owner);
        }
    } else {
        h->base.on_fate(h->base.owner, transport_exchange_id(p), TRANSPORT_FATE_NOT_DONE);
    }
}

/* The whole response is there. */
void transport_exchange_end(struct transport_http *h, struct transport_exchange *p, uint64_t now_ms)
{
    unsigned status = p->parser.status_code;
    bool wants_response = p->id[0] != '\0';
    const char *refused = exchange_refusal(h, p);

    if (h->base.state == TRANSPORT_PROBING) {
        end_probe(h, p, now_ms);
        return;
    }
    if (refused != NULL) {
        p->state = TRANSPORT_EXCHANGE_SENDING; /* it was not acted upon */
        h->base.refused = true;
        transport_http_fail(h, refused, now_ms + TRANSPORT_REFUSED_MS);
        return;
    }
    if (status == 503 || status == 429) {
        on_busy(h, p, now_ms);
        return;
    }
    bool keeps = http_should_keep_alive(&p->parser) != 0;
    if (status == 404 && p->in_session) {
        h->session[0] = h->version[0] = '\0';
        transport_exchange_drop(h, p);
        h->base.on_fate(h->base.owner, transport_exchange_id(p), TRANSPORT_FATE_NO_SESSION);
        return;
    }
    if (p->json && h->reader == p && !p->responded) {
        transport_exchange_end_json(h, p);
    }
    if (wants_response && !p->responded && !p->events) {
        char why[96];
        (void)snprintf(why, sizeof why, "The device responded with HTTP status %u", status);
        exchange_respond(h, p, why);
    }
    if (h->reader == p) {
        h->reader = NULL;
        transport_forget(&h->base);
    }
    if (wants_response && !p->responded && p->events) {
        h->base.on_fate(h->base.owner, transport_exchange_id(p), TRANSPORT_FATE_UNKNOWN);
    }
    p->state = TRANSPORT_EXCHANGE_KEPT;
    p->since_ms = now_ms;
    if (!keeps) {
        transport_exchange_drop(h, p);
    }
}

/* The connection is over without a whole response. While another one listens, the device is there. */
void transport_exchange_lost(struct transport_http *h, struct transport_exchange *p, const char *why, uint64_t now_ms)
{
    enum transport_fate fate = transport_exchange_fate(p);
    bool others = false, refused = !p->connection.ready;

    TRANSPORT_EACH_EXCHANGE(o, h)
    {
        others |= o != p && transport_exchange_is_busy(o) && (o->listens || refused);
    }
    if (h->base.state == TRANSPORT_PROBING || !others || (p->listens && !refused)) {
        bool unknown = p->connection.tls_error != 0; /* it will not become the right one soon */
        transport_http_fail(h, why, now_ms + (unknown ? TRANSPORT_REFUSED_MS : TRANSPORT_RETRY_MS));
        return;
    }
    if (refused) {
        on_busy(h, p, now_ms);
        return;
    }
    transport_exchange_drop(h, p);
    h->hold_ms = now_ms + TRANSPORT_RETRY_MS / 4;
    h->base.on_fate(h->base.owner, transport_exchange_id(p), fate);
}
