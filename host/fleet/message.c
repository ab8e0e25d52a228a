/* message.c -- see message.h. */
#include "message.h"

#include "json_text.h"
#include "text/json_scan.h"
#include "text/span.h"

#define META "\"io.modelcontextprotocol/"

static char text[FLEET_MESSAGE];

static struct fleet_json begin_message(void)
{
    struct fleet_json t = {text, 0, sizeof text, false};

    fleet_json_put(&t, "{\"jsonrpc\":\"2.0\",");
    return t;
}

static struct skr_span end_message(struct fleet_json *t)
{
    fleet_json_put(t, "}");
    return t->over ? NOTHING : (struct skr_span){t->p, t->n};
}

/* The progress token is the request's id. */
static void put_meta(struct fleet_json *t, uint32_t id, const struct fleet_request *request)
{
    bool modern = request->capabilities.p != NULL, first = true;

    fleet_json_put(t, request->params.n > 0 ? ",\"_meta\":{" : "\"_meta\":{");
    if (request->progress != NULL) {
        fleet_json_count(t, true, "progressToken", id);
        first = false;
    }
    if (modern) {
        fleet_json_put(t, first ? META : "," META);
        fleet_json_put(t, "protocolVersion\":\"2026-07-28\"," META
                          "clientInfo\":{\"name\":\"skillrom-fleet\",\"version\":\"");
        fleet_json_put(t, SKR_VERSION "\"}," META "clientCapabilities\":");
        fleet_json_span(t, request->capabilities);
    }
    fleet_json_put(t, "}");
}

struct skr_span fleet_message_request(uint32_t id, const struct fleet_request *request)
{
    struct fleet_json t = begin_message();

    fleet_json_count(&t, true, "id", id);
    fleet_json_member(&t, false, "method", skr_span_of(request->method));
    fleet_json_put(&t, ",\"params\":{");
    fleet_json_span(&t, request->params);
    if (request->progress != NULL || request->capabilities.p != NULL) {
        put_meta(&t, id, request);
    }
    fleet_json_put(&t, "}");
    return end_message(&t);
}

struct skr_span fleet_message_cancel(uint32_t id)
{
    struct fleet_json t = begin_message();

    fleet_json_put(&t, "\"method\":\"notifications/cancelled\",\"params\":{");
    fleet_json_count(&t, true, "requestId", id);
    fleet_json_put(&t, "}");
    return end_message(&t);
}

struct skr_span fleet_message_reply(struct skr_span id, struct skr_span method)
{
    struct fleet_json t = begin_message();

    fleet_json_put(&t, "\"id\":");
    fleet_json_span(&t, id);
    if (skr_scan_is(method, "ping")) {
        fleet_json_put(&t, ",\"result\":{}");
    } else {
        fleet_json_put(
            &t,
            ",\"error\":{\"code\":-32601,\"message\":\"The fleet declares no capabilities; devices request input in results of "
            "2026-07-28 only\"}");
    }
    return end_message(&t);
}
