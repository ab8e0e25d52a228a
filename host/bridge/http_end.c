/* post_end.c -- what a response, or its absence, means for the request and for the way. */
#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "http.h"
#include "probe.h"
#include "console.h"
#include "json_edit.h"

/* Answers a request in the device's place, with the error that the device gave without an id, or with `why`. */
static void answer(struct bridge_http *h, struct bridge_exchange *p, const char *why)
{
    static char text[2048];
    struct skr_span body = {h->way.in, h->way.in_n};
    bool json = p->json && h->reader == p && body.n > 0 && skr_json_check(body.p, body.n) == SKR_JSON_OK;
    struct skr_span error = json ? skr_scan_get(body, "error") : (struct skr_span){NULL, 0};
    char own[256];
    int n = snprintf(own, sizeof own, "{\"code\":-32603,\"message\":\"%s\"}", why);
    if (error.p == NULL || error.n > sizeof text - 128) {
        error = (struct skr_span){own, (size_t)n};
    }
    n = snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":%.*s}", p->id, (int)error.n, error.p);
    bridge_transport_forget(&h->way);
    h->reader = NULL;
    bridge_transport_put(&h->way, text, (size_t)n);
    bridge_transport_end_message(&h->way);
}

/* What a response says about the whole server, not about one request; NULL: nothing. */
static const char *refusal(const struct bridge_http *h, const struct bridge_exchange *p)
{
    switch (p->parser.status_code) {
    case 401:
        return h->token == NULL ? "it wants a token; give it by --token-file FILE, or in the variable SKILLROM_TOKEN"
                                : "it does not accept this token; is it the device's, and complete?";
    case 301:
    case 302:
    case 307:
    case 308: return "it redirects to another address; use that";
    case 421: return "it does not know itself by this name; use its address, or start it with --host";
    default: return NULL;
    }
}

static void end_probe(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    static char why[128];
    const char *wrong = refusal(h, p);
    bool known = wrong == NULL && p->json && h->reader == p && bridge_probe_answered(&h->way, h->way.in_n);
    bool busy = p->parser.status_code == 503;
    bridge_transport_forget(&h->way);
    h->reader = NULL;
    p->state = BRIDGE_EXCHANGE_KEPT;
    p->since_ms = now_ms;
    if (known && h->way.hasty && h->way.reason[0] != '\0') {
        wrong = h->way.reason;
    } else if (known && !busy) {
        bridge_http_go_up(h);
        return;
    }
    (void)snprintf(why, sizeof why, "it answers with HTTP status %u, and not as an MCP server; check the path %.40s",
                   p->parser.status_code, h->target.path);
    h->way.refused = !busy;
    bridge_http_fail(h,
                   busy            ? "it is busy with other clients"
                   : wrong != NULL ? wrong
                                   : why,
                   now_ms + (busy ? BRIDGE_RETRY_MS : BRIDGE_REFUSED_MS));
}

/* The device has no room for this many connections. */
static void on_busy(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    unsigned others = bridge_http_open(h, true) - 1;
    h->limit = others > 0 && others < h->limit ? others : h->limit;
    h->hold_ms = now_ms + BRIDGE_RETRY_MS;
    bridge_exchange_drop(h, p);
    if (p->listens && h->limit < 2) {
        host_log("%s: has no room for a second connection; changes are not noticed", h->way.path);
        h->way.on_refused(h->way.owner);
    } else {
        h->way.on_fate(h->way.owner, bridge_exchange_id(p), BRIDGE_FATE_NOT_DONE);
    }
}

/* The whole response is there. */
void bridge_exchange_end(struct bridge_http *h, struct bridge_exchange *p, uint64_t now_ms)
{
    unsigned status = p->parser.status_code;
    bool wants_answer = p->id[0] != '\0';
    const char *refused = refusal(h, p);
    if (h->way.state == BRIDGE_TRANSPORT_PROBING) {
        end_probe(h, p, now_ms);
        return;
    }
    if (refused != NULL) {
        p->state = BRIDGE_EXCHANGE_SENDING; /* it was not acted upon */
        h->way.refused = true;
        bridge_http_fail(h, refused, now_ms + BRIDGE_REFUSED_MS);
        return;
    }
    if (status == 503 || status == 429) {
        on_busy(h, p, now_ms);
        return;
    }
    bool keeps = http_should_keep_alive(&p->parser) != 0;
    if (status == 404 && p->in_session) {
        h->session[0] = h->version[0] = '\0';
        bridge_exchange_drop(h, p);
        h->way.on_fate(h->way.owner, bridge_exchange_id(p), BRIDGE_FATE_STRANGER);
        return;
    }
    if (p->json && h->reader == p && !p->answered) {
        bridge_exchange_end_json(h, p);
    }
    if (wants_answer && !p->answered && !p->events) {
        char why[96];
        (void)snprintf(why, sizeof why, "The device answered with HTTP status %u", status);
        answer(h, p, why);
    }
    if (h->reader == p) {
        h->reader = NULL;
        bridge_transport_forget(&h->way);
    }
    if (wants_answer && !p->answered && p->events) {
        h->way.on_fate(h->way.owner, bridge_exchange_id(p), BRIDGE_FATE_UNKNOWN);
    }
    p->state = BRIDGE_EXCHANGE_KEPT;
    p->since_ms = now_ms;
    if (!keeps) {
        bridge_exchange_drop(h, p);
    }
}

/* The connection is over without a whole response. While another one listens, the device is there. */
void bridge_exchange_lost(struct bridge_http *h, struct bridge_exchange *p, const char *why, uint64_t now_ms)
{
    enum bridge_fate fate = bridge_exchange_fate(p);
    bool others = false, refused = !p->dial.ready;
    BRIDGE_EACH_EXCHANGE(o, h)
    {
        others |= o != p && bridge_exchange_is_busy(o) && (o->listens || refused);
    }
    if (h->way.state == BRIDGE_TRANSPORT_PROBING || !others || (p->listens && !refused)) {
        bool unknown = p->dial.tls_error != 0; /* it will not become the right one soon */
        bridge_http_fail(h, why, now_ms + (unknown ? BRIDGE_REFUSED_MS : BRIDGE_RETRY_MS));
        return;
    }
    if (refused) {
        on_busy(h, p, now_ms);
        return;
    }
    bridge_exchange_drop(h, p);
    h->hold_ms = now_ms + BRIDGE_RETRY_MS / 4;
    h->way.on_fate(h->way.owner, bridge_exchange_id(p), fate);
}
