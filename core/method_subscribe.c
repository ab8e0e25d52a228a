/* method_subscribe.c -- subscriptions to an image that cannot change.
 *
 * There is never anything to report, and the answers say so honestly: the modern
 * subscriptions/listen acknowledges nothing and ends at once (SUB-12) instead of
 * holding a connection open for silence; the older resources/subscribe succeeds
 * for what can be read, and is kept by sending nothing. */
#include "rpc.h"
#include "store.h"

enum listen_step { LISTEN_ACKNOWLEDGE, LISTEN_RESULT, LISTEN_CANCEL, LISTEN_DONE };

static bool render_listen(struct skr_answer *a)
{
    if (a->step == LISTEN_DONE || (a->step == LISTEN_CANCEL && !a->on_line)) {
        return false; /* over HTTP the end of the stream says enough (SUB-10) */
    }
    skr_push(a, SKR_START, SPAN(""));
    switch (a->step++) {
    case LISTEN_ACKNOWLEDGE:
        skr_push_text(a, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\","
                         "\"params\":{\"notifications\":{}");
        break;
    case LISTEN_RESULT:
        skr_push_text(a, "{\"jsonrpc\":\"2.0\",\"id\":");
        skr_push(a, SKR_RAW, a->id);
        skr_push_text(a, ",\"result\":{\"resultType\":\"complete\"");
        break;
    default: /* behind the result: clients take a cancellation before it for a broken subscription */
        skr_push_text(a, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":");
        skr_push(a, SKR_RAW, a->id);
        break;
    }
    skr_push_text(a, ",\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":");
    skr_push(a, SKR_RAW, a->id);
    skr_push_text(a, "}}}");
    skr_push(a, SKR_END, SPAN(""));
    return true;
}

/* Members of the filter that we know must have the right type, even if none can be
 * honoured (SUB-01). */
static bool filter_is_sound(struct skr_call *call, int filter)
{
    static const char *const flags[] = {"toolsListChanged", "promptsListChanged", "resourcesListChanged"};
    bool value;
    for (unsigned i = 0; i < 3; i++) {
        int token = skr_json_get(&call->json, filter, flags[i]);
        if (token >= 0 && !skr_json_boolean(&call->json, token, &value)) {
            skr_rpc_error(call, SKR_NOT_A_BOOLEAN, skr_span_of(flags[i]));
            return false;
        }
    }
    int uris = skr_json_get(&call->json, filter, "resourceSubscriptions");
    if (uris >= 0 && !skr_json_is_array(&call->json, uris)) {
        skr_rpc_error(call, SKR_NOT_AN_ARRAY, SPAN("resourceSubscriptions"));
        return false;
    }
    return true;
}

void skr_listen(struct skr_call *call)
{
    int filter = skr_json_get(&call->json, call->params, "notifications");
    if (!skr_json_is_object(&call->json, filter)) {
        skr_rpc_error(call, SKR_NOT_OBJECT, SPAN("notifications"));
        return;
    }
    if (!filter_is_sound(call, filter)) {
        return;
    }
    skr_answer_result(call->answer, NULL);
    call->answer->render = render_listen;
    call->answer->stream = true;
}

#if SKR_SUBSCRIBE
void skr_subscribe(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;
    if (!skr_rpc_string(call, "uri", true, &uri)) {
        return;
    }
    bool there = skr_store_find(call, uri, &found) && !found.directory;
    if (there && found.resource != NULL) {
        there = found.resource->read(call, found.var) != SKR_NOT_FOUND; /* a template matches more than there is */
    }
    if (there) {
        skr_rpc_result(call, NULL);
    } else {
        skr_store_unknown(call, uri);
    }
}

void skr_unsubscribe(struct skr_call *call)
{
    struct skr_span uri;
    if (skr_rpc_string(call, "uri", true, &uri)) {
        skr_rpc_result(call, NULL);
    }
}
#endif
