/* relay.c -- see relay.h. Which request is sent next, and what happens to those under way. */
#include "relay.h"

#include <stdio.h>
#include <string.h>

#include "news/notify.h"
#include "../posix/clock.h"
#include "../posix/say.h"
#include "mark.h"
#include "relay_answer.h"
#include "scan.h"
#include "talk.h"
#include "watch.h"
#include "requests.h"

/* ---- Requests ---- */

/* Methods that only read. Others may do something, such as pump a liquid. */
static bool is_repeatable(struct skr_span method)
{
    static const char *const reads[] = {"initialize",
                                        "server/discover",
                                        "skills/list",
                                        "skills/get",
                                        "skills/read",
                                        "skills/read_reference",
                                        "tools/list",
                                        "prompts/list",
                                        "prompts/get",
                                        "resources/list",
                                        "resources/templates/list",
                                        "resources/directory/read",
                                        "resources/read",
                                        "completion/complete",
                                        "tasks/get",
                                        "tasks/list",
                                        "logging/setLevel",
                                        "resources/subscribe",
                                        "resources/unsubscribe",
                                        NULL};
    return skr_scan_is_any(method, reads);
}

/* Ids on the line differ in many bits, so that noise does not turn one into another. */
static void next_id(struct skr_relay *r, char id[12])
{
    (void)snprintf(id, 12, "\"%08lx\"", (unsigned long)(++r->counter * 2654435761u & 0xFFFFFFFFu));
}

void skr_relay_queue(struct skr_relay *r, struct skr_request *q, uint64_t now_ms)
{
    static uint32_t order;
    q->relay = r;
    q->state = SKR_REQUEST_QUEUED;
    q->order = ++order;
    q->since_ms = now_ms;
    q->tries = q->vote_count = 0;
    q->mark_failed = false;
    q->large = -1;
    skr_talk_begin(q);
    struct skr_span message = {q->text, q->text_n}, method = skri_scan_get(message, "method");
    q->first = !q->modern && skri_scan_is(method, "initialize");
    q->repeatable = is_repeatable(method);
    skr_know_subject(&q->subject, message, skr_client_handshake(q->client));
    if (q->first && r->shaken == q->client) {
        r->shaken = -1; /* its content may differ this time */
    }
}

void skr_relay_submit(struct skr_relay *r, struct skr_request *q, uint64_t now_ms)
{
    skr_relay_queue(r, q, now_ms);
    skr_relay_turn(r, now_ms);
}

static void send_request(struct skr_relay *r, struct skr_request *q, uint64_t now_ms)
{
    skr_mark_ready(q);
    const char *behind = q->id.p + q->id.n;
    struct skr_span head = {q->text, (size_t)(q->id.p - q->text)};
    struct skr_span tail = {behind, (size_t)(q->text + q->text_n - behind)};
    next_id(r, q->wire_id);
    if (q->token > 0) {
        memcpy(q->text + q->token, q->wire_id, SKR_WIRE_ID);
    }
    if (r->in_flight == 0 && q->tries == 0) {
        r->asked_ms = now_ms;
    }
    q->state = SKR_REQUEST_SENT;
    q->since_ms = now_ms;
    q->tries++;
    q->nudged = q->taken = false;
    q->line = r->cable.sent + 1;
    r->in_flight++;
    skr_cable_send(&r->cable, head, (struct skr_span){q->wire_id, strlen(q->wire_id)}, tail);
}

void skr_relay_cancel(struct skr_relay *r, struct skr_request *q)
{
    char text[160];
    skr_talk_end(q);
    if (q->state == SKR_REQUEST_SENT) {
        q->state = SKR_REQUEST_DROPPED;
        q->since_ms = skr_clock_ms();
        if (!q->repeatable && skr_cable_can_send(&r->cable)) { /* a read is over before this could arrive */
            int n =
                snprintf(text, sizeof text,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}",
                         q->wire_id);
            skr_cable_send(&r->cable, (struct skr_span){text, (size_t)n}, (struct skr_span){"", 0},
                           (struct skr_span){"", 0});
            if (skr_cable_is_checked(&r->cable)) { /* no answer follows; one already under way is ignored */
                r->in_flight--;
                skr_request_release(q);
            }
        }
    } else {
        skr_request_release(q);
    }
}

/* ---- The next ones ---- */

static struct skr_request *oldest_queued(struct skr_relay *r)
{
    struct skr_request *oldest = NULL;
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_QUEUED && (oldest == NULL || (int32_t)(q->order - oldest->order) < 0)) {
            oldest = q;
        }
    }
    return oldest;
}

/* Repeats a request of a client. */
static void say_again(struct skr_relay *r, struct skr_span all, uint64_t now_ms)
{
    struct skr_span id = skri_scan_get(all, "id");
    const char *behind = id.p + id.n;
    next_id(r, r->shake_id);
    r->shake_ms = now_ms;
    r->shake_line = r->cable.sent + 1;
    skr_cable_send(&r->cable, (struct skr_span){all.p, (size_t)(id.p - all.p)},
                   (struct skr_span){r->shake_id, strlen(r->shake_id)},
                   (struct skr_span){behind, (size_t)(all.p + all.n - behind)});
}

static void shake(struct skr_relay *r, int client, uint64_t now_ms)
{
    if (r->shake_tries == 0) {
        r->asked_ms = now_ms;
    }
    r->shaking = client;
    r->shake_step = SKR_SHAKE_HAND;
    r->shake_tries++;
    say_again(r, skr_client_handshake(client), now_ms);
}

/* Subscribes to changed lists and resources; when more resources are wanted, the previous subscription is cancelled
 * first. Not in plain mode, where nothing unsolicited may arrive while a request is under way. */
static void ask_for_news(struct skr_relay *r)
{
    char text[SKR_BRIDGE_WATCHED * SKR_BRIDGE_WATCH_URI], uris[sizeof text - 512];
    bool wanted = r->wants_news || r->cable.state == SKR_CABLE_SHARED; /* only that bridge sees the device change */
    if (!wanted || (r->has_news && r->watches == skr_watch_count()) || !skr_cable_is_checked(&r->cable) ||
        !skr_cable_can_send(&r->cable)) {
        return;
    }
    bool taken_back = r->news_id[0] != '\0';
    r->has_news = !taken_back;
    r->watches = skr_watch_count();
    int n;
    if (taken_back) {
        n = snprintf(text, sizeof text,
                     "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%s}}",
                     r->news_id);
        r->news_id[0] = '\0';
    } else {
        next_id(r, r->news_id); /* no request of a client has this id */
        n = snprintf(
            text, sizeof text,
            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
            "\"toolsListChanged\":true,\"promptsListChanged\":true,\"resourcesListChanged\":true,"
            "\"resourceSubscriptions\":[%.*s]},\"_meta\":{"
            "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
            r->news_id, r->few_news ? 0 : (int)skr_watch_list(uris, sizeof uris), uris);
    }
    skr_cable_send(&r->cable, (struct skr_span){text, (size_t)n}, (struct skr_span){"", 0}, (struct skr_span){"", 0});
}

static void answer_from_cache(struct skr_relay *r)
{
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state != SKR_REQUEST_QUEUED || q->tries > 0) {
            continue;
        }
        if (skr_relay_recall(r, q, skr_know_answer)) {
            skr_relay_finish(r, q);
        }
    }
}

/* Requests that wait for the device, not for their client's reply to a question. */
static unsigned busy(const struct skr_relay *r)
{
    unsigned count = r->in_flight;
    SKR_EACH_REQUEST(q, r)
    {
        count -= q->state == SKR_REQUEST_SENT && q->asked_count > 0;
    }
    return count;
}

static void send_next(struct skr_relay *r, uint64_t now_ms)
{
    unsigned limit = skr_cable_is_checked(&r->cable) ? SKR_BRIDGE_IN_FLIGHT : 1;
    struct skr_request *q;
    while (skr_cable_can_send(&r->cable) && skr_talk_send(r)) {
    }
    ask_for_news(r);
    if (r->shaking >= 0 && r->shake_step == SKR_SHAKE_LEVEL_DUE && skr_cable_can_send(&r->cable)) {
        r->shake_step = SKR_SHAKE_LEVEL;
        say_again(r, skr_client_level(r->shaking), now_ms);
    }
    if (r->cable.state == SKR_CABLE_PLAIN ||
        r->cable.state == SKR_CABLE_RELIABLE) { /* another bridge has the same cache */
        answer_from_cache(r);
    }
    while (r->shaking < 0 && busy(r) < limit && skr_cable_can_send(&r->cable) && (q = oldest_queued(r)) != NULL) {
        if (q->client >= 0 && !q->first && r->shaken != q->client) {
            if (r->in_flight == 0) { /* requests under way belong to another client */
                shake(r, q->client, now_ms);
            }
            return;
        }
        if ((q->first && r->in_flight > 0) || skr_talk_waits(q)) {
            return;
        }
        send_request(r, q, now_ms);
    }
}

/* ---- Up and down ---- */

static void on_up(void *owner)
{
    struct skr_relay *r = owner;
    bool has = r->cable.has_identity;
    bool same = has && r->had_identity && memcmp(r->identity, r->cable.identity, sizeof r->identity) == 0;
    skr_know_reset(&r->know, has ? r->cable.identity : NULL);
    if (r->was_up && !same) {
        if (has) {
            skr_say("%s: its image or firmware has changed", r->cable.path);
        }
        r->on_change(SKR_NEWS_SKILLS | SKR_NEWS_RESOURCES | SKR_NEWS_TOOLS | SKR_NEWS_PROMPTS);
    }
    r->was_up = true;
    r->had_identity = has;
    if (has) {
        memcpy(r->identity, r->cable.identity, sizeof r->identity);
    }
    r->shaken = r->shaking = -1;
    r->shake_tries = 0;
    r->read = r->cable.ping_open ? UINT32_MAX : 0; /* one line more is under way than was counted */
    r->has_news = r->few_news = false;
    r->news_id[0] = '\0';
}

static void on_down(void *owner)
{
    struct skr_relay *r = owner;
    uint64_t heard_ms = r->cable.heard_ms;
    r->shaken = r->shaking = -1;
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state == SKR_REQUEST_SENT && q->repeatable && q->tries < SKR_BRIDGE_TRIES) {
            q->state = SKR_REQUEST_QUEUED; /* keeps its place in the queue */
        }
        if (q->state == SKR_REQUEST_QUEUED) { /* it has waited since the device was last heard */
            q->since_ms = heard_ms > q->since_ms ? heard_ms : q->since_ms;
        } else if (q->state == SKR_REQUEST_DROPPED) {
            skr_request_release(q);
        } else if (q->state == SKR_REQUEST_SENT) {
            skr_relay_fail(q, q->repeatable
                                  ? "The device went away each time this was requested"
                                  : "The device went away while this was under way; whether it was done is not known");
        }
    }
    r->in_flight = 0;
}

/* ---- Time ---- */

/* Plain mode, and nothing has arrived for a while: the request or the answer was lost. */
static void check_plain(struct skr_relay *r, struct skr_request *q, uint64_t now_ms)
{
    uint64_t quiet_since = r->cable.heard_ms > q->since_ms ? r->cable.heard_ms : q->since_ms;
    uint64_t line_ms = (q->text_n + 64) * 10000u / (r->cable.at_baud + 1);
    if (r->cable.state != SKR_CABLE_PLAIN || !skr_waited(now_ms, quiet_since, SKR_BRIDGE_READ_MS + line_ms)) {
        return;
    }
    if (!q->nudged) {
        q->nudged = true; /* if the line end was lost, here it is; and what comes next is on a new line */
        skr_cable_end_line(&r->cable);
        q->since_ms = now_ms;
    } else if (q->repeatable) {
        r->noisy = true;
        skr_relay_retry(r, q, "The device does not answer; the line may be noisy");
    }
}

/* While there is no buffer for an answer, the device is waiting for us, not we for it. */
static void hold_time(struct skr_relay *r, uint64_t now_ms)
{
    r->shake_ms = r->asked_ms = now_ms;
    SKR_EACH_REQUEST(q, r)
    {
        if (skr_request_is_sent(q)) {
            q->since_ms = now_ms;
        }
    }
}

/* True if the device may be busy with a request that is more than a read. In reliable mode it has acknowledged it. */
static bool may_be_busy(struct skr_relay *r)
{
    bool reliable = r->cable.state == SKR_CABLE_RELIABLE;
    bool all_taken = reliable && skr_cable_can_send(&r->cable) && skr_frame_unsent(&r->cable.frame) == 0;
    bool busy = false;
    SKR_EACH_REQUEST(q, r)
    {
        q->taken |= all_taken;
        busy |= skr_request_is_sent(q) && !q->repeatable && (q->taken || !reliable);
    }
    return busy;
}

/* A device that sends nothing at all, although it has been asked and nothing keeps it from answering, counts as
 * missing: requests wait for it no longer than for one whose port does not exist. */
static void check_life(struct skr_relay *r, uint64_t now_ms)
{
    bool waiting = r->in_flight > 0 || r->shaking >= 0;
    bool own = r->cable.state == SKR_CABLE_PLAIN || r->cable.state == SKR_CABLE_RELIABLE;
    if (own && waiting && !may_be_busy(r) && skr_waited(now_ms, r->asked_ms, r->wait_ms) &&
        skr_waited(now_ms, r->cable.heard_ms, r->wait_ms)) {
        skr_cable_restart(&r->cable, "the device no longer answers");
    }
}

static void check_time(struct skr_relay *r, uint64_t now_ms)
{
    if (r->cable.in == NULL) {
        hold_time(r, now_ms);
    }
    check_life(r, now_ms);
    SKR_EACH_REQUEST(q, r)
    {
        uint64_t heard_ms = r->cable.heard_ms > q->since_ms && r->cable.in_n > 0 ? r->cable.heard_ms : q->since_ms;
        if (q->state == SKR_REQUEST_QUEUED && r->cable.state <= SKR_CABLE_PROBING &&
            skr_waited(now_ms, q->since_ms, r->wait_ms)) {
            skr_relay_fail(q, skr_cable_remedy(&r->cable));
        } else if (skr_request_is_sent(q) && q->asked_count == 0 && skr_waited(now_ms, heard_ms, r->answer_ms)) {
            r->in_flight--;
            if (q->state == SKR_REQUEST_DROPPED) {
                skr_request_release(q);
            } else {
                skr_relay_fail(q, q->repeatable
                                      ? "The device did not answer in time"
                                      : "The device did not answer in time; whether it was done is not known");
            }
        } else if (q->state == SKR_REQUEST_SENT && q->asked_count == 0) {
            check_plain(r, q, now_ms);
        } else if (q->state == SKR_REQUEST_DROPPED && r->cable.state == SKR_CABLE_PLAIN &&
                   skr_waited(now_ms, heard_ms, SKR_BRIDGE_READ_MS)) { /* likewise */
            r->in_flight--;
            skr_request_release(q);
        }
    }
    if (r->shaking >= 0 && skr_waited(now_ms, r->shake_ms, SKR_BRIDGE_READ_MS * 2) &&
        skr_waited(now_ms, r->cable.heard_ms, SKR_BRIDGE_READ_MS)) {
        r->shaking = -1;
        skr_cable_end_line(&r->cable);
        if (r->shake_tries > SKR_BRIDGE_TRIES) {
            skr_cable_restart(&r->cable, "the device does not answer");
        }
    }
}

/* ---- For the owner ---- */

void skr_relay_init(struct skr_relay *r)
{
    r->shaken = r->shaking = -1;
    r->counter = (uint32_t)skr_clock_ms(); /* so that late answers to an earlier bridge match no id */
    r->cable.owner = r;
    r->cable.on_up = on_up;
    r->cable.on_down = on_down;
    r->cable.on_message = skr_relay_message;
    r->trusted = strstr(r->cable.path, "ttyACM") != NULL; /* USB all the way */
    skr_know_reset(&r->know, NULL);
    skr_relay_take_place(r);
    skr_cable_init(&r->cable);
}

void skr_relay_turn(struct skr_relay *r, uint64_t now_ms)
{
    skr_cable_turn(&r->cable, now_ms);
    check_time(r, now_ms);
    send_next(r, now_ms);
}

uint32_t skr_relay_wait_ms(const struct skr_relay *r, uint64_t now_ms)
{
    uint32_t wait_ms = skr_cable_wait_ms(&r->cable, now_ms);
    SKR_EACH_REQUEST(q, r)
    {
        if (q->state != SKR_REQUEST_DONE) {
            return wait_ms < 50 ? wait_ms : 50;
        }
    }
    return wait_ms;
}
