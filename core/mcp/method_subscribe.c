/* method_subscribe.c -- how clients subscribe to changes.
 *
 * An image that cannot change never causes a notification. Then the modern subscriptions/listen acknowledges nothing
 * and ends immediately (SUB-12) instead of holding a connection open; the older resources/subscribe succeeds for every
 * readable URI, and nothing is ever sent. Where the image can be swapped, notify.c sends the notifications. */
#include "mcp/method.h"
#include "response/shape.h"
#include "store/store.h"
#include "subscription/notify.h"
#include "subscription/subscription.h"

/* ---- subscriptions/listen ---- */

#if SKR_CHANGES

/* Reads the filter: its lists as bits; the array of its URIs, or -1. Members that we know must have the right type
 * (SUB-01). False when the response is an error. */
static bool read_filter(struct skr_call *call, int filter, uint8_t *wants, int *uris)
{
    static const char *const lists[SKR_LIST_KINDS] = {"skillsListChanged", "resourcesListChanged", "toolsListChanged",
                                                      "promptsListChanged"};

    *wants = 0;
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        bool wanted = false;
        int token = skr_json_get(&call->json, filter, lists[kind]);
        if (token >= 0 && !skr_json_boolean(&call->json, token, &wanted)) {
            skri_rpc_error(call, SKR_NOT_A_BOOLEAN, skr_span_of(lists[kind]));
            return false;
        }
        *wants |= (uint8_t)(wanted << kind);
    }
    *uris = skr_json_get(&call->json, filter, "resourceSubscriptions");
    if (*uris >= 0 && !skr_json_is_array(&call->json, *uris)) {
        skri_rpc_error(call, SKR_NOT_AN_ARRAY, SPAN("resourceSubscriptions"));
        return false;
    }
    return true;
}

/* Subscribes the feed to the URIs of the array. Those that could be subscribed are packed together inside the array, in
 * the request, for the acknowledgement to repeat: a known URI has no character that JSON would escape. */
static bool read_uris(struct skr_call *call, int array, const struct skr_listen *feed, struct skr_span *subscribed)
{
    const struct skr_json *json = &call->json;
    char *start = (char *)skr_json_raw(json, array).p, *to = start;
    struct skr_span uri;

    for (int i = skr_json_first(json, array); i >= 0; i = skr_json_after(json, array, i)) {
        if (!skr_json_string(json, i, &uri)) {
            skri_rpc_error(call, SKR_NOT_A_STRING, SPAN("resourceSubscriptions"));
            return false;
        }
        switch (
            skri_subscription_add(call, &call->conn->legacy.subscriptions, skri_listen_owner(call->conn, feed), uri)) {
        case SKR_SUBSCRIPTION_KEPT:
            *to++ = ','; /* overwrites the bracket or comma before */
            *to++ = '"';
            memmove(to, uri.p, uri.n);
            to += uri.n;
            *to++ = '"';
            break;
        case SKR_SUBSCRIPTION_FULL: skri_rpc_error(call, SKR_NO_ROOM_TO_LISTEN, SPAN("")); return false;
        case SKR_SUBSCRIPTION_NONE: break;
        }
    }
    subscribed->p = start + 1;
    subscribed->n = to > start ? (size_t)(to - start - 1) : 0;
    return true;
}

/* All slots, or all streams, are in use. */
static bool refuse_feed(struct skr_call *call, struct skr_listen *feed)
{
    if (feed != NULL) {
        skri_listen_close(call->conn, feed);
    }
    call->response->envelope.open = false;
    skri_rpc_error(call, SKR_NO_ROOM_TO_LISTEN, SPAN(""));
    return false;
}

/* True when the content of some resource can change. */
static bool can_subscribe(const struct skr_call *call)
{
    return call->srv->changes.can_swap || (skri_changes_of(call->srv->device) & SKR_CHANGES_CONTENT) != 0;
}

/* Opens a feed for the part of the filter that can be honoured. False when the response is an error. */
static bool open_feed(struct skr_call *call, int filter)
{
    struct skr_response *a = call->response;
    struct skr_span subscribed = {NULL, 0};
    uint8_t wants;
    int uris;

    if (!read_filter(call, filter, &wants, &uris)) {
        return false;
    }
    wants &= skri_notify_kinds(call->srv);
    if (wants == 0 && (uris < 0 || !can_subscribe(call))) {
        return true;
    }
    struct skr_listen *feed = skri_listen_open(call, wants);
    if (feed == NULL) {
        return refuse_feed(call, NULL);
    }
    if (uris >= 0 && can_subscribe(call) && !read_uris(call, uris, feed, &subscribed)) {
        skri_listen_close(call->conn, feed);
        return false;
    }
    a->envelope.open = wants != 0 || subscribed.n > 0;
    if (!a->envelope.open) {
        skri_listen_close(call->conn, feed);
    } else if (call->conn->wire == SKR_HTTP_1 && !skri_notify_stream(call->conn)) {
        return refuse_feed(call, feed);
    }
    SKRI_MAKE(a, listen)->wants = wants;
    SKRI_AS(a, listen)->uris = subscribed.p;
    SKRI_AS(a, listen)->uris_n = (uint32_t)subscribed.n;
    return true;
}

#else

/* Nothing can be honoured, so the filter is ignored. */
#define open_feed(call, filter) true
#define can_subscribe(call) false

#endif

/* TSK-04: only a client that knows tasks may name some. Their changes are not notified: clients poll. */
static bool may_name_tasks(struct skr_call *call, int filter)
{
    int ids = skr_json_get(&call->json, filter, "taskIds");

    if (ids < 0 || !skri_offers(call->fs, call->srv->device, SKR_HAS_TASKS)) {
        return true;
    }
    if (!skr_need(call, SKR_CAP_TASKS)) {
        return false;
    }
    if (!skr_json_is_array(&call->json, ids)) {
        skri_rpc_error(call, SKR_NOT_AN_ARRAY, SPAN("taskIds"));
        return false;
    }
    return true;
}

void skri_listen(struct skr_call *call)
{
    int filter = skr_json_get(&call->json, call->params, "notifications");

    if (!skr_json_is_object(&call->json, filter)) {
        skri_rpc_error(call, SKR_NOT_OBJECT, SPAN("notifications"));
        return;
    }
    if ((!SKR_TASKS || may_name_tasks(call, filter)) && open_feed(call, filter)) {
        skri_listen_begin(call->response);
    }
}

/* ---- resources/subscribe, of the initialize era ---- */

void skri_subscribe(struct skr_call *call)
{
    struct skr_span uri;
    struct skr_found found;

    if (skri_is_forgotten(call)) {
        skri_rpc_error(call, SKR_NO_METHOD, SPAN("resources/subscribe"));
        return;
    }
    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    bool there = skri_store_find(call, uri, &found) && !found.directory;
    if (there && found.resource != NULL) {
        there = found.resource->read(call, found.var) != SKR_NOT_FOUND; /* a template matches more than exists */
    }
    if (!there) {
        skri_store_unknown(call, uri);
        return;
    }
    if (can_subscribe(call) &&
        skri_subscription_add(call, skri_notify_legacy(call), SKR_OWNER_LEGACY, uri) == SKR_SUBSCRIPTION_FULL) {
        skri_rpc_error(call, SKR_NO_ROOM_TO_LISTEN, SPAN(""));
        return;
    }
    skri_response_result(call->response, NULL);
}

void skri_unsubscribe(struct skr_call *call)
{
    struct skr_span uri;

    if (!skri_rpc_param(call, SKR_PARAM_URI, true, &uri)) {
        return;
    }
    if (can_subscribe(call)) {
        skri_subscription_drop(call, skri_notify_legacy(call), SKR_OWNER_LEGACY, uri);
    }
    skri_response_result(call->response, NULL);
}
