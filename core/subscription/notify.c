/* notify.c -- who has to be notified of what, and the messages. See notify.h. */
#include "subscription/notify.h"

#include "response/backend.h"
#include "subscription/subscription.h"

#if SKR_CHANGES

#define SUBSCRIPTION_ID "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":"

/* ---- Messages ---- */

enum { URI_UPDATED = SKR_LIST_KINDS }; /* after the kinds of lists */

/* a->as.notification.list: which list, or URI_UPDATED for the URI of an interest. The id is that of the
 * feed; empty in the initialize era. */
static bool render_news(struct skr_response *a)
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
static struct skr_response *say(struct skr_conn *c, bool (*render)(struct skr_response *a))
{
    skri_rpc_begin(c);
    skri_response_result(&c->answer, NULL);
    c->answer.render = render;
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        c->answer.framing = &skri_framing_sse;
    }
#endif
    c->answering = true;
    c->apart = true;
    return &c->answer;
}

/* ---- Bringing up to date ---- */

/* What has changed since `seen`; the count may wrap. */
static uint8_t bits_since(const struct skr_server *s, uint32_t seen)
{
    uint8_t bits = 0;
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((int32_t)(s->changed[kind] - seen) > 0) {
            bits |= (uint8_t)(1u << kind);
        }
    }
    return bits;
}

/* `feeds` are those of the connection that `news` belongs to; NULL: it belongs to a session. */
static void bring_up_to_date(const struct skr_server *s, struct skr_subscriptions *news, struct skr_listen *feeds)
{
    if (news->seen == s->swaps) {
        return;
    }
    uint8_t bits = bits_since(s, news->seen);
    news->seen = s->swaps;
    news->due |= bits & news->wants;
    for (unsigned i = 0; feeds != NULL && i < SKR_LISTENS; i++) {
        feeds[i].due |= bits & feeds[i].wants;
    }
    skri_subscription_look(news, s->fs, s->device);
    news->pending = true;
}

struct skr_subscriptions *skri_notify_legacy(struct skr_call *call)
{
    struct skr_subscriptions *news = &call->legacy->news;
    bring_up_to_date(call->srv, news, call->legacy == &call->conn->legacy ? call->conn->feeds : NULL);
    return news;
}

struct skr_subscriptions *skri_notify_feeds(struct skr_call *call)
{
    bring_up_to_date(call->srv, &call->conn->legacy.news, call->conn->feeds);
    return &call->conn->legacy.news;
}

uint8_t skri_notify_kinds(const struct skr_server *s)
{
    static const enum skr_feature features[] = {SKR_SKILLS, SKR_RESOURCES, SKR_TOOLS, SKR_HAS_PROMPTS};
    uint8_t bits = 0;
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        bits |= (uint8_t)(s->backend->has(s->fs, s->device, features[kind]) << kind);
    }
    return s->can_swap ? bits : bits & (uint8_t)s->device->changes;
}

void skri_notify_promise(struct skr_call *call)
{
    struct skr_subscriptions *news = skri_notify_legacy(call);
    skri_subscription_drop_all(news, SKR_OWNER_LEGACY);
    news->wants = skri_notify_kinds(call->srv);
    news->due = 0;
}

/* ---- Feeds ---- */

uint8_t skri_listen_owner(const struct skr_conn *c, const struct skr_listen *feed)
{
    return (uint8_t)(feed - c->feeds);
}

void skri_listen_close(struct skr_conn *c, struct skr_listen *feed)
{
    skri_subscription_drop_all(&c->legacy.news, skri_listen_owner(c, feed));
    feed->id_length = 0; /* its text stays: the last message may still quote it */
    feed->wants = feed->due = 0;
}

struct skr_listen *skri_listen_find(struct skr_conn *c, struct skr_span id)
{
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        struct skr_span known = {c->feeds[i].id, c->feeds[i].id_length};
        if (known.n > 0 && skr_json_same_id(known, id)) {
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
    struct skr_span id = call->answer->envelope.id;
    skri_notify_feeds(call);
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
    if (c->srv->streams >= c->srv->stream_max) {
        return false;
    }
    c->srv->streams++;
    c->streaming = true;
    return true;
}

void skri_notify_close(struct skr_conn *c)
{
    if (c->streaming) {
        c->srv->streams--;
    }
    c->streaming = false;
    memset(c->feeds, 0, sizeof c->feeds);
}

/* The news to be sent on this connection, or NULL. */
static struct skr_subscriptions *news_of(struct skr_conn *c)
{
#if SKR_HTTP
    if (c->wire == SKR_HTTP_1) {
        if (!c->streaming) {
            return NULL;
        }
        if (c->session != 0) {
            struct skr_session *session = &c->srv->sessions[c->session - 1];
            if (session->stream != c->stream) { /* the session has ended, or its client has opened another stream */
                c->finished = true;
                return NULL;
            }
            return &session->legacy.news;
        }
    }
#endif
    return &c->legacy.news;
}

/* ---- The next message ---- */

static void tell(struct skr_conn *c, uint32_t kind, const struct skr_listen *feed)
{
    struct skr_response *a = say(c, render_news);
    SKRI_MAKE(a, notification)->list = kind;
    if (feed != NULL) {
        a->envelope.id.p = feed->id;
        a->envelope.id.n = feed->id_length;
    }
}

static bool tell_list(struct skr_conn *c, uint8_t *due, const struct skr_listen *feed)
{
    for (unsigned kind = 0; kind < SKR_LIST_KINDS; kind++) {
        if ((*due >> kind & 1) != 0) {
            *due &= (uint8_t) ~(1u << kind);
            tell(c, kind, feed);
            return true;
        }
    }
    return false;
}

static bool tell_uri(struct skr_conn *c, struct skr_subscriptions *news)
{
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        struct skr_subscription *it = &news->interests[i];
        if (it->due) {
            it->due = false;
            tell(c, URI_UPDATED, it->owner == SKR_OWNER_LEGACY ? NULL : &c->feeds[it->owner]);
            SKRI_AS(&c->answer, notification)->subscription = it;
            return true;
        }
    }
    return false;
}

static bool tell_next(struct skr_conn *c, struct skr_subscriptions *news)
{
    if (tell_list(c, &news->due, NULL)) {
        return true;
    }
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        if (tell_list(c, &c->feeds[i].due, &c->feeds[i])) {
            return true;
        }
    }
    return tell_uri(c, news);
}

/* Ends the next feed. */
static bool end_next(struct skr_conn *c)
{
    c->finished = c->streaming;
    for (unsigned i = 0; i < SKR_LISTENS; i++) {
        struct skr_listen *feed = &c->feeds[i];
        if (feed->id_length > 0) {
            struct skr_response *a = say(c, NULL);
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
    struct skr_subscriptions *news = news_of(c);
    if (news == NULL) {
        return false;
    }
    if (c->ending) {
        return end_next(c);
    }
    bring_up_to_date(c->srv, news, c->session == 0 ? c->feeds : NULL);
    if (news->pending) {
        if (tell_next(c, news)) {
            return true;
        }
        news->pending = false;
    }
    if (c->comment) {
        c->comment = false;
        say(c, render_comment);
        return true;
    }
    return false;
}

void skr_conn_keep_alive(struct skr_conn *c)
{
    c->comment = c->streaming;
#if SKR_HTTP
    if (c->session != 0) { /* an open stream keeps its session from being the one idle longest */
        c->srv->sessions[c->session - 1].last_used = c->srv->requests;
    }
#endif
}

void skr_conn_end(struct skr_conn *c)
{
    c->ending = true;
}

#endif
