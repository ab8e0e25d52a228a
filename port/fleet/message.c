/* message.c -- see message.h. */
#include "message.h"

#include "text.h"
#include "text/json_scan.h"
#include "text/span.h"

#define META "\"io.modelcontextprotocol/"

static char text[SKR_FLEET_MESSAGE];

static struct skr_text begin(void)
{
    struct skr_text t = {text, 0, sizeof text, false};
    skr_text_put(&t, "{\"jsonrpc\":\"2.0\",");
    return t;
}

static struct skr_span end(struct skr_text *t)
{
    skr_text_put(t, "}");
    return t->over ? NOTHING : (struct skr_span){t->p, t->n};
}

/* The token of its progress is the request's id: nobody else has it. */
static void put_meta(struct skr_text *t, uint32_t id, const struct skr_order *order)
{
    bool modern = order->offers.p != NULL, first = true;
    skr_text_put(t, order->params.n > 0 ? ",\"_meta\":{" : "\"_meta\":{");
    if (order->progress != NULL) {
        skr_text_count(t, true, "progressToken", id);
        first = false;
    }
    if (modern) {
        skr_text_put(t, first ? META : "," META);
        skr_text_put(t, "protocolVersion\":\"2026-07-28\"," META
                        "clientInfo\":{\"name\":\"skillrom-fleet\",\"version\":\"");
        skr_text_put(t, SKR_VERSION "\"}," META "clientCapabilities\":");
        skr_text_span(t, order->offers);
    }
    skr_text_put(t, "}");
}

struct skr_span skr_message_request(uint32_t id, const struct skr_order *order)
{
    struct skr_text t = begin();
    skr_text_count(&t, true, "id", id);
    skr_text_member(&t, false, "method", skri_span_of(order->method));
    skr_text_put(&t, ",\"params\":{");
    skr_text_span(&t, order->params);
    if (order->progress != NULL || order->offers.p != NULL) {
        put_meta(&t, id, order);
    }
    skr_text_put(&t, "}");
    return end(&t);
}

struct skr_span skr_message_cancel(uint32_t id)
{
    struct skr_text t = begin();
    skr_text_put(&t, "\"method\":\"notifications/cancelled\",\"params\":{");
    skr_text_count(&t, true, "requestId", id);
    skr_text_put(&t, "}");
    return end(&t);
}

struct skr_span skr_message_reply(struct skr_span id, struct skr_span method)
{
    struct skr_text t = begin();
    skr_text_put(&t, "\"id\":");
    skr_text_span(&t, id);
    if (skri_scan_is(method, "ping")) {
        skr_text_put(&t, ",\"result\":{}");
    } else {
        skr_text_put(
            &t,
            ",\"error\":{\"code\":-32601,\"message\":\"The fleet has said that it offers nothing; it passes on questions in "
            "results of 2026-07-28 only\"}");
    }
    return end(&t);
}
