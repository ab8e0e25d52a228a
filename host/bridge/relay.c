/* relay.c -- see relay.h. Which request is sent next, and what happens to those under way. */
#include "relay.h"

#include <stdio.h>
#include <string.h>

#include "subscription/notify.h"
#include "clock.h"
#include "tool_check.h"
#include "validator.h"
#include "relay_response.h"
#include "console.h"
#include "json_edit.h"
#include "interim.h"
#include "subscriptions.h"
#include "requests.h"
#include "timer.h"

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
    return bridge_json_is_any(method, reads);
}

/* Ids on the line differ in many bits, so that noise does not turn one into another. */
static void next_id(struct bridge_relay *r, char id[12])
{
    (void)snprintf(id, 12, "\"%08lx\"", (unsigned long)(++r->counter * 2654435761u & 0xFFFFFFFFu));
}

void bridge_relay_queue(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    static uint32_t order;
    q->relay = r;
    q->state = BRIDGE_REQUEST_QUEUED;
    q->order = ++order;
    q->since_ms = now_ms;
    q->tries = q->vote_count = 0;
    q->mark_failed = false;
    q->large = -1;
    bridge_interim_begin(q);
    struct skr_span message = {q->text, q->text_n}, method = skr_scan_get(message, "method");
    q->first = !q->modern && skr_scan_is(method, "initialize");
    q->repeatable = is_repeatable(method);
    bridge_catalogue_subject(&q->subject, message, bridge_client_handshake(q->client));
    q->subject.tells_tools &= q->modern || q->own > 0; /* older revisions leave annotations out */
    if (q->first && r->shaken == q->client) {
        r->shaken = -1; /* its content may differ this time */
    }
}

void bridge_relay_submit(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    bridge_relay_queue(r, q, now_ms);
    bridge_relay_turn(r, now_ms);
}

static void send_request(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    bridge_validator_ready(q);
    const char *behind = q->id.p + q->id.n;
    struct skr_span head = {q->text, (size_t)(q->id.p - q->text)};
    struct skr_span tail = {behind, (size_t)(q->text + q->text_n - behind)};
    next_id(r, q->wire_id);
    if (q->token > 0) {
        memcpy(q->text + q->token, q->wire_id, BRIDGE_WIRE_ID);
    }
    if (r->in_flight == 0 && q->tries == 0) {
        r->asked_ms = now_ms;
    }
    if (q->first) {
        r->shaken = -1; /* from now on the device takes what comes for this client's; who it is, the answer says */
    }
    q->state = BRIDGE_REQUEST_SENT;
    q->since_ms = now_ms;
    q->tries++;
    q->nudged = q->taken = false;
    q->line = r->way->sent + 1;
    r->in_flight++;
    bridge_transport_send(r->way, head, (struct skr_span){q->wire_id, strlen(q->wire_id)}, tail);
}

/* ---- The next ones ---- */

static struct bridge_request *oldest_queued(struct bridge_relay *r)
{
    struct bridge_request *oldest = NULL;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_QUEUED && (oldest == NULL || (int32_t)(q->order - oldest->order) < 0)) {
            oldest = q;
        }
    }
    return oldest;
}

/* Repeats a request of a client. */
static void say_again(struct bridge_relay *r, struct skr_span all, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(all, "id");
    const char *behind = id.p + id.n;
    next_id(r, r->shake_id);
    r->shake_ms = now_ms;
    r->shake_line = r->way->sent + 1;
    bridge_transport_send(r->way, (struct skr_span){all.p, (size_t)(id.p - all.p)},
                 (struct skr_span){r->shake_id, strlen(r->shake_id)},
                 (struct skr_span){behind, (size_t)(all.p + all.n - behind)});
}

static void shake(struct bridge_relay *r, int client, uint64_t now_ms)
{
    if (r->shake_tries == 0) {
        r->asked_ms = now_ms;
    }
    r->shaking = client;
    r->shake_step = BRIDGE_HANDSHAKE_HAND;
    r->shake_tries++;
    say_again(r, bridge_client_handshake(client), now_ms);
}

/* Subscribes to changed lists and resources; when more resources are wanted, the previous subscription is cancelled
 * first. Not in plain mode, where nothing unsolicited may arrive while a request is under way. */
static void ask_for_news(struct bridge_relay *r)
{
    char text[BRIDGE_WATCHED * BRIDGE_WATCH_URI], uris[sizeof text - 512];
    /* only the other bridge sees its device change; and one on a network may change without going away */
    bool wanted = r->wants_news || r->way->state == BRIDGE_TRANSPORT_SHARED || (r->promises && !r->way->steady);
    if (!wanted || (r->has_news && r->watches == bridge_subscription_count()) || !bridge_transport_is_checked(r->way) ||
        !bridge_transport_can_send(r->way)) {
        return;
    }
    bool taken_back = r->news_id[0] != '\0';
    r->has_news = !taken_back;
    r->watches = bridge_subscription_count();
    if (taken_back) {
        (void)bridge_transport_cancel(r->way, r->news_id); /* it can send */
        r->news_id[0] = '\0';
        return;
    }
    next_id(r, r->news_id); /* no request of a client has this id */
    r->news_open = false;
    int n =
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
                 "\"toolsListChanged\":true,\"promptsListChanged\":true,\"resourcesListChanged\":true,"
                 "\"resourceSubscriptions\":[%.*s]},\"_meta\":{"
                 "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                 "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
                 r->news_id, r->few_news ? 0 : (int)bridge_subscription_list(uris, sizeof uris), uris);
    bridge_transport_send(r->way, (struct skr_span){text, (size_t)n}, (struct skr_span){"", 0}, (struct skr_span){"", 0});
}

/* True while the device would say that something has changed. */
static bool hears_news(const struct bridge_relay *r)
{
    return r->news_open && r->news_id[0] != '\0';
}

static void answer_from_cache(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_QUEUED || q->tries > 0 || (q->first && r->shaking == q->client)) {
            continue;
        }
        if (bridge_relay_recall(r, q, bridge_catalogue_answer)) {
            if (q->first && r->shaken == q->client) {
                r->shaken = -1; /* the device has not seen this one, but perhaps an older one of its client */
            }
            bridge_relay_finish(r, q);
        }
    }
}

/* Requests that wait for the device, not for their client's reply to a question. */
static unsigned busy(const struct bridge_relay *r)
{
    unsigned count = r->in_flight;
    BRIDGE_EACH_REQUEST(q, r)
    {
        count -= q->state == BRIDGE_REQUEST_SENT && q->asked_count > 0;
    }
    return count;
}

static void send_next(struct bridge_relay *r, uint64_t now_ms)
{
    unsigned limit = bridge_transport_is_checked(r->way) ? r->way->most : 1;
    struct bridge_request *q;
    while (bridge_transport_can_send(r->way) && bridge_interim_send(r)) {
    }
    bridge_relay_send_cancellations(r);
    ask_for_news(r);
    if (r->shaking >= 0 && r->shake_step == BRIDGE_HANDSHAKE_LEVEL_DUE && bridge_transport_can_send(r->way)) {
        r->shake_step = BRIDGE_HANDSHAKE_LEVEL;
        say_again(r, bridge_client_level(r->shaking), now_ms);
    }
    if (bridge_transport_is_own(r->way) && (r->way->steady || hears_news(r))) { /* another bridge has the same cache */
        answer_from_cache(r);
    }
    while (r->shaking < 0 && busy(r) < limit && bridge_transport_can_send(r->way) && (q = oldest_queued(r)) != NULL) {
        if (q->client >= 0 && !q->first && r->shaken != q->client) {
            if (r->in_flight == 0) { /* requests under way belong to another client */
                shake(r, q->client, now_ms);
            }
            return;
        }
        if ((q->first && r->in_flight > 0) || bridge_interim_waits(q)) {
            return;
        }
        if (!bridge_tool_check_allow(q)) { /* while it waited the device was replaced, or its tools have changed */
            q->state = BRIDGE_REQUEST_HELD;
            bridge_timer_in(0);
            continue;
        }
        send_request(r, q, now_ms);
    }
}

/* ---- Up and down ---- */

static void on_up(void *owner)
{
    struct bridge_relay *r = owner;
    bool has = r->way->has_identity;
    bool same =
        has && r->way->steady && r->had_identity && memcmp(r->identity, r->way->identity, sizeof r->identity) == 0;
    bridge_catalogue_reset(&r->know, has ? r->way->identity : NULL);
    if (r->was_up && !same) {
        if (has && r->way->steady) {
            host_log("%s: its image or firmware has changed", r->way->path);
        }
        r->on_change(SKR_CHANGED_SKILLS | SKR_CHANGED_RESOURCES | SKR_CHANGED_TOOLS | SKR_CHANGED_PROMPTS);
    }
    r->was_up = true;
    r->had_identity = has;
    if (has) {
        memcpy(r->identity, r->way->identity, sizeof r->identity);
    }
    r->shaken = r->shaking = -1;
    r->shake_tries = 0;
    r->read = r->way->ping_open ? UINT32_MAX : 0; /* one line more is under way than was counted */
    r->has_news = r->few_news = false;
    r->news_id[0] = '\0';
}

/* The way is still there, but one message has failed. */
static void on_fate(void *owner, struct skr_span id, enum bridge_fate fate)
{
    struct bridge_relay *r = owner;
    if (fate == BRIDGE_FATE_STRANGER) {
        r->shaken = -1;
    }
    if (bridge_id_is(id, r->news_id)) {
        r->news_id[0] = '\0';
        r->has_news = false;
    } else if (r->shaking >= 0 && bridge_id_is(id, r->shake_id)) {
        r->shaking = -1;
    }
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (!bridge_request_is_sent(q) || !bridge_id_is(id, q->wire_id)) {
            continue;
        }
        r->in_flight--;
        if (q->state == BRIDGE_REQUEST_DROPPED) {
            bridge_request_release(q);
        } else if (fate == BRIDGE_FATE_UNKNOWN && (!q->repeatable || q->tries >= BRIDGE_TRIES)) {
            bridge_relay_fail(q, q->repeatable ? "The connection broke each time this was requested"
                                            : "The connection broke while this was under way; whether it was done is "
                                              "not known");
        } else {
            bridge_interim_end(q);
            q->state = BRIDGE_REQUEST_QUEUED; /* keeps its place in the queue */
            q->tries -= fate != BRIDGE_FATE_UNKNOWN && q->tries > 1;
        }
    }
}

static void on_refused(void *owner)
{
    struct bridge_relay *r = owner;
    r->news_id[0] = '\0';
    r->has_news = true; /* as much as there will be */
}

static void on_down(void *owner)
{
    struct bridge_relay *r = owner;
    uint64_t heard_ms = r->way->heard_ms;
    r->shaken = r->shaking = -1;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_SENT && q->repeatable && q->tries < BRIDGE_TRIES) {
            q->state = BRIDGE_REQUEST_QUEUED; /* keeps its place in the queue */
        }
        if (q->state == BRIDGE_REQUEST_QUEUED) { /* it has waited since the device was last heard */
            q->since_ms = heard_ms > q->since_ms ? heard_ms : q->since_ms;
        } else if (q->state == BRIDGE_REQUEST_DROPPED) {
            bridge_request_release(q);
        } else if (q->state == BRIDGE_REQUEST_SENT) {
            bridge_relay_fail(q, q->repeatable
                                  ? "The device went away each time this was requested"
                                  : "The device went away while this was under way; whether it was done is not known");
        }
    }
    r->in_flight = 0;
}

/* ---- Time ---- */

/* Plain mode, and nothing has arrived for a while: the request or the answer was lost. */
static void check_plain(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    uint64_t quiet_since = r->way->heard_ms > q->since_ms ? r->way->heard_ms : q->since_ms;
    uint64_t line_ms = (q->text_n + 64) * 10000u / (r->way->at_baud + 1);
    if (r->way->state != BRIDGE_TRANSPORT_PLAIN || !bridge_waited(now_ms, quiet_since, BRIDGE_READ_MS + line_ms)) {
        return;
    }
    if (!q->nudged) {
        q->nudged = true; /* if the line end was lost, here it is; and what comes next is on a new line */
        bridge_transport_end_line(r->way);
        q->since_ms = now_ms;
    } else if (q->repeatable) {
        r->noisy = true;
        bridge_relay_retry(r, q, "The device does not answer; the line may be noisy");
    }
}

/* A network may lose a connection without a word. A read is then sent again on another one, each time later. */
static void check_silent(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    uint64_t patience_ms = (uint64_t)BRIDGE_SILENT_MS << (q->tries < 8 ? q->tries - 1 : 8);
    if (q->repeatable && bridge_waited(now_ms, q->since_ms, patience_ms) &&
        bridge_transport_give_up(r->way, (struct skr_span){q->wire_id, strlen(q->wire_id)})) {
        bridge_relay_retry(r, q, "The device did not answer");
    }
}

/* While there is no buffer for an answer, the device is waiting for us, not we for it. */
static void hold_time(struct bridge_relay *r, uint64_t now_ms)
{
    r->shake_ms = r->asked_ms = now_ms;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (bridge_request_is_sent(q)) {
            q->since_ms = now_ms;
        }
    }
}

/* True if the device may be busy with a request that is more than a read, and has acknowledged it where that is known. */
static bool may_be_busy(struct bridge_relay *r)
{
    bool all_taken = bridge_transport_has_taken_all(r->way);
    bool busy = false;
    BRIDGE_EACH_REQUEST(q, r)
    {
        q->taken |= all_taken;
        busy |= bridge_request_is_sent(q) && !q->repeatable && q->taken;
    }
    return busy;
}

/* A device that sends nothing at all, although it has been asked and nothing keeps it from answering, counts as
 * missing: requests wait for it no longer than for one whose port does not exist. */
static void check_life(struct bridge_relay *r, uint64_t now_ms)
{
    bool waiting = r->in_flight > 0 || r->shaking >= 0;
    if (bridge_transport_is_own(r->way) && waiting && !may_be_busy(r) && bridge_waited(now_ms, r->asked_ms, r->wait_ms) &&
        bridge_waited(now_ms, r->way->heard_ms, r->wait_ms)) {
        bridge_transport_restart(r->way, "the device no longer answers");
    }
}

static void check_time(struct bridge_relay *r, uint64_t now_ms)
{
    if (r->way->in == NULL) {
        hold_time(r, now_ms);
    }
    check_life(r, now_ms);
    BRIDGE_EACH_REQUEST(q, r)
    {
        uint64_t heard_ms = r->way->heard_ms > q->since_ms && r->way->in_n > 0 ? r->way->heard_ms : q->since_ms;
        if (q->state == BRIDGE_REQUEST_QUEUED && r->way->state <= BRIDGE_TRANSPORT_PROBING &&
            bridge_waited(now_ms, q->since_ms, r->wait_ms)) {
            bridge_relay_fail(q, bridge_transport_remedy(r->way));
        } else if (bridge_request_is_sent(q) && q->asked_count == 0 && bridge_waited(now_ms, heard_ms, r->answer_ms)) {
            r->in_flight--;
            if (q->state == BRIDGE_REQUEST_DROPPED) {
                bridge_request_release(q);
            } else {
                bridge_relay_fail(
                    q, q->repeatable
                           ? "The device did not answer in time"
                           : "The device did not answer in time; whether it was done is not known. For a tool that "
                             "takes longer, start the bridge with a larger --answer-ms");
            }
        } else if (q->state == BRIDGE_REQUEST_SENT && q->asked_count == 0) {
            check_plain(r, q, now_ms);
            check_silent(r, q, now_ms);
        } else if (q->state == BRIDGE_REQUEST_DROPPED && r->way->state == BRIDGE_TRANSPORT_PLAIN &&
                   bridge_waited(now_ms, heard_ms, BRIDGE_READ_MS)) { /* likewise */
            r->in_flight--;
            bridge_request_release(q);
        }
    }
    if (r->shaking >= 0 && bridge_waited(now_ms, r->shake_ms, BRIDGE_READ_MS * 2) &&
        bridge_waited(now_ms, r->way->heard_ms, BRIDGE_READ_MS)) {
        r->shaking = -1;
        bridge_transport_end_line(r->way);
        if (r->shake_tries > BRIDGE_TRIES) {
            bridge_transport_restart(r->way, "the device does not answer");
        }
    }
}

/* ---- For the owner ---- */

void bridge_relay_init(struct bridge_relay *r)
{
    r->shaken = r->shaking = -1;
    r->counter = (uint32_t)host_clock_ms(); /* so that late answers to an earlier bridge match no id */
    r->way->owner = r;
    r->way->on_up = on_up;
    r->way->on_down = on_down;
    r->way->on_message = bridge_relay_message;
    r->way->on_fate = on_fate;
    r->way->on_refused = on_refused;
    r->way->headers = bridge_tool_check_write;
    r->trusted = strstr(r->way->path, "ttyACM") != NULL; /* USB all the way */
    bridge_catalogue_reset(&r->know, NULL);
    bridge_relay_take_place(r);
}

void bridge_relay_turn(struct bridge_relay *r, uint64_t now_ms)
{
    bridge_transport_turn(r->way, now_ms);
    check_time(r, now_ms);
    send_next(r, now_ms);
}

uint32_t bridge_relay_wait_ms(const struct bridge_relay *r, uint64_t now_ms)
{
    uint32_t wait_ms = bridge_transport_wait_ms(r->way, now_ms);
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_DONE) {
            return wait_ms < 50 ? wait_ms : 50;
        }
    }
    return wait_ms;
}
