/* notify.c -- who has to be notified of what, and the messages. See notify.h. */
#include "subscription/notify.h"

#include "response/backend.h"
#include "subscription/subscription.h"

#if SKR_CHANGES

#define SUBSCRIPTION_ID "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"

/* ---- Messages ---- */

enum { URI_UPDATED = SKR_LIST_KINDS }; /* after the kinds of lists */

/* a->as.news.kind: which list, or URI_UPDATED for the URI of an subscription. The id is that of the
 * feed; empty in the initialize era. */
static bool render_notification(struct skr_response *a)
{
    static const char *const names[] = {"skills/list_changed", "resources/list_changed", "tools/list_changed",
                                        "prompts/list_changed", "resources/updated"};
    struct skr_place place;
    bool uri = SKRI_AS(a, notification)->list == URI_UPDATED;

    if (a->step++ > 0 ||
        (uri && !skri_subscription_place(SKRI_AS(a, notification)->subscription, a->fs, a->device, &place))) {
        return false;
    }
    skri_push_start(a);
    skri_push_text(a, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/");
    skri_push_text(a, names[SKRI_AS(a, notification)->list]);
    skri_push_text(a, uri || a->envelope.id.n > 0 ? "\",\"params\":{" : "\"");
    if (uri) {
        skri_push_text(a, "\"uri\":\"");
        skri_push(a, SKR_RAW, place.base);
        skri_push(a, SKR_RAW, place.path);
        skri_push(a, SKR_RAW, place.suffix);
        skri_push_text(a, a->envelope.id.n > 0 ? "\"," : "\"}");
    }
    if (a->envelope.id.n > 0) {
        skri_push_text(a, SUBSCRIPTION_ID);
        skri_push(a, SKR_RAW, a->envelope.id);
        skri_push_text(a, "}}");
    }
    skri_push_text(a, "}");
    skri_push_end(a);
    return true;
}

static bool render_comment(struct skr_response *a)
{
    if (a->step++ > 0) {
        return false;
    }
    skri_push_text(a, ":\n\n");
    return true;
}

/* Begins an unsolicited message. */
static struct skr_response *message_begin(struct skr_conn *c, bool (*render)(struct skr_response *a))
{
    skri_rpc_begin(c);
    skri_response_result(&c->response, NULL);
    c->response.render = render;
    if (SKR_HTTP && c->wire == SKR_HTTP_1) {
        c->response.framing = &skri_framing_sse;
    }
    c->responding = true;
    c->apart = true;
    return &c->response;
}

/* ---- Bringing up to date ---- */

/* The changes since `seen`; the count may wrap. */
static uint8_t bits_since(const struct skr_server *s, uint32_t seen)
{
    uint8_t bits = 0;

    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((int32_t)(s->changes.lists[kind] - seen) > 0) {
            bits |= (uint8_t)(1u << kind);
        }
    }
    return bits;
}

/* `feeds` are those of the connection that `subscriptions` belongs to; NULL: it belongs to a session. */
static void bring_up_to_date(const struct skr_server *s, struct skr_subscriptions *subscriptions,
                             struct skr_listen *feeds)
{
    if (subscriptions->seen == s->changes.swaps) {
        return;
    }
    uint8_t bits = bits_since(s, subscriptions->seen);
    subscriptions->seen = s->changes.swaps;
    subscriptions->due |= bits & subscriptions->wants;
    for (unsigned i = 0; feeds != NULL && i < SKR_LISTENS; i++) {
        feeds[i].due |= bits & feeds[i].wants;
    }
    skri_subscription_look(subscriptions, s->fs, s->device);
    subscriptions->pending = true;
}

struct skr_subscriptions *skri_notify_legacy(struct skr_call *call)
{
    struct skr_subscriptions *subscriptions = &call->legacy->subscriptions;

    bring_up_to_date(call->srv, subscriptions, call->legacy == &call->conn->legacy ? call->conn->feeds : NULL);
    return subscriptions;
}

uint8_t skri_notify_kinds(const struct skr_server *s)
{
    static const enum skr_feature features[] = {SKR_SKILLS, SKR_RESOURCES, SKR_TOOLS, SKR_HAS_PROMPTS};
    uint8_t bits = 0;

    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        bits |= (uint8_t)(s->backend->has(s->fs, s->device, features[kind]) << kind);
    }
    return s->changes.can_swap ? bits : bits & (uint8_t)s->device->changes;
}

void skri_notify_promise(struct skr_call *call)
{
    struct skr_subscriptions *subscriptions = skri_notify_legacy(call);

    skri_subscription_drop_all(subscriptions, SKR_OWNER_LEGACY);
    subscriptions->wants = skri_notify_kinds(call->srv);
    subscriptions->due = 0;
}

/* ---- Feeds ---- */

uint8_t skri_listen_owner(const struct skr_conn *c, const struct skr_listen *feed)
{
    return (uint8_t)(feed - c->feeds);
}

void skri_listen_close(struct skr_conn *c, struct skr_listen *feed)
{
    skri_subscription_drop_all(&c->legacy.subscriptions, skri_listen_owner(c, feed));
    feed->id_length = 0; /* its text stays: the last message may still quote it */
    feed->wants = feed->due = 0;
}

struct skr_listen *skri_listen_find(struct skr_conn *c, struct skr_span id)
{
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        struct skr_span open = {c->feeds[i].id, c->feeds[i].id_length};
        if (open.n > 0 && skr_json_same_id(open, id)) {
            return &c->feeds[i];
        }
    }
    return NULL;
}

void skri_notify_cancel(struct skr_conn *c, struct skr_span id)
{
    struct skr_listen *feed = skri_listen_find(c, id);

    if (feed != NULL) {
        skri_listen_close(c, feed);
    }
}

struct skr_listen *skri_listen_open(struct skr_call *call, uint8_t wants)
{
    struct skr_conn *c = call->conn;
    struct skr_span id = call->response->envelope.id;

    bring_up_to_date(call->srv, &c->legacy.subscriptions, c->feeds); /* it is only notified of later changes */
    skri_notify_cancel(c, id);
    for (unsigned i = 0; id.n <= SKR_LISTEN_ID_MAX && i < SKR_LISTENS; i++) {
        struct skr_listen *feed = &c->feeds[i];
        if (feed->id_length == 0) {
            memcpy(feed->id, id.p, id.n);
            feed->id_length = (uint8_t)id.n;
            feed->wants = wants;
            feed->due = 0;
            return feed;
        }
    }
    return NULL;
}

/* ---- HTTP streams ---- */

bool skri_notify_stream(struct skr_conn *c)
{
    if (c->srv->streams.open >= c->srv->streams.max) {
        return false;
    }
    c->srv->streams.open++;
    c->stream.open = true;
    return true;
}

void skri_notify_close(struct skr_conn *c)
{
    if (c->stream.open) {
        c->srv->streams.open--;
    }
    c->stream.open = false;
    memset(c->feeds, 0, sizeof c->feeds);
}

/* The subscriptions to be sent on this connection, or NULL. */
static struct skr_subscriptions *subscriptions_of_conn(struct skr_conn *c)
{
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        if (!c->stream.open) {
            return NULL;
        }
        if (c->stream.session != 0) {
            struct skr_session *session = &c->srv->sessions[c->stream.session - 1];
            if (session->stream !=
                c->stream.number) { /* the session has ended, or its client has opened another stream */
                c->finished = true;
                return NULL;
            }
            return &session->legacy.subscriptions;
        }
    }
#endif
    return &c->legacy.subscriptions;
}

/* ---- The next message ---- */

static void notification_send(struct skr_conn *c, uint32_t kind, const struct skr_listen *feed)
{
    struct skr_response *a = message_begin(c, render_notification);

    SKRI_MAKE(a, notification)->list = kind;
    if (feed != NULL) {
        a->envelope.id.p = feed->id;
        a->envelope.id.n = feed->id_length;
    }
}

static bool notification_send_list(struct skr_conn *c, uint8_t *due, const struct skr_listen *feed)
{
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((*due >> kind & 1) != 0) {
            *due &= (uint8_t) ~(1u << kind);
            notification_send(c, kind, feed);
            return true;
        }
    }
    return false;
}

static bool notification_send_uri(struct skr_conn *c, struct skr_subscriptions *subscriptions)
{
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        struct skr_subscription *it = &subscriptions->list[i];
        if (it->due) {
            it->due = false;
            notification_send(c, URI_UPDATED, it->owner == SKR_OWNER_LEGACY ? NULL : &c->feeds[it->owner]);
            SKRI_AS(&c->response, notification)->subscription = it;
            return true;
        }
    }
    return false;
}

static bool notification_send_next(struct skr_conn *c, struct skr_subscriptions *subscriptions)
{
    if (notification_send_list(c, &subscriptions->due, NULL)) {
        return true;
    }
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        if (notification_send_list(c, &c->feeds[i].due, &c->feeds[i])) {
            return true;
        }
    }
    return notification_send_uri(c, subscriptions);
}

/* Ends the next feed. */
static bool feed_end_next(struct skr_conn *c)
{
    c->finished = c->stream.open;
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        struct skr_listen *feed = &c->feeds[i];
        if (feed->id_length > 0) {
            struct skr_response *a = message_begin(c, NULL);
            a->envelope.id.p = feed->id;
            a->envelope.id.n = feed->id_length;
            skri_listen_end(a);
            skri_listen_close(c, feed);
            return true;
        }
    }
    return false;
}

bool skri_notify_next(struct skr_conn *c)
{
    struct skr_subscriptions *subscriptions = subscriptions_of_conn(c);

    if (subscriptions == NULL) {
        return false;
    }
    if (c->stream.ending) {
        return feed_end_next(c);
    }
    bring_up_to_date(c->srv, subscriptions, c->stream.session == 0 ? c->feeds : NULL);
    if (subscriptions->pending) {
        if (notification_send_next(c, subscriptions)) {
            return true;
        }
        subscriptions->pending = false;
    }
    if (c->stream.comment) {
        c->stream.comment = false;
        message_begin(c, render_comment);
        return true;
    }
    return false;
}

void skr_conn_keep_alive(struct skr_conn *c)
{
    c->stream.comment = c->stream.open;
#if SKR_HTTP
    if (c->stream.session != 0) { /* an open stream keeps its session from being the one idle longest */
        c->srv->sessions[c->stream.session - 1].last_used = c->srv->session.requests;
    }
#endif
}

void skr_conn_end(struct skr_conn *c)
{
    c->stream.ending = true;
}

#endif
