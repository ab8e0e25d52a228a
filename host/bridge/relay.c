/* relay.c -- see relay.h. The queue of requests, and the events of pending ones. */
#include "relay.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "console.h"
#include "interim.h"
#include "json_edit.h"
#include "relay_response.h"
#include "requests.h"
#include "subscription/notify.h"
#include "subscriptions.h"
#include "timer.h"
#include "tool_check.h"
#include "validator.h"

/* ---- Requests ---- */

/* Methods that only read. Others may do something, such as pump a liquid. */
static bool is_repeatable(struct skr_span method)
{
    /* clang-format off */
    static const char *const reads[] = {
        "initialize", "server/discover", "skills/list", "skills/get", "skills/read", "skills/read_reference", "tools/list",
        "prompts/list", "prompts/get", "resources/list", "resources/templates/list", "resources/directory/read",
        "resources/read", "completion/complete", "tasks/get", "tasks/list", "logging/setLevel", "resources/subscribe",
        "resources/unsubscribe", NULL};

    /* clang-format on */
    return host_json_is_any(method, reads);
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
    q->validator_failed = false;
    q->large = -1;
    bridge_interim_begin(q);
    struct skr_span message = {q->text, q->text_n}, method = skr_scan_get(message, "method");
    q->first = !q->modern && skr_scan_is(method, "initialize");
    q->repeatable = is_repeatable(method);
    bridge_catalogue_subject(&q->subject, message, bridge_client_handshake(q->client));
    q->subject.has_tools &= q->modern || q->own > 0; /* older revisions leave annotations out */
    if (q->first && r->initialized == q->client) {
        r->initialized = -1; /* its content may differ this time */
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
    const char *rest = q->id.p + q->id.n;
    struct skr_span head = {q->text, (size_t)(q->id.p - q->text)};
    struct skr_span tail = {rest, (size_t)(q->text + q->text_n - rest)};
    next_id(r, q->wire_id);
    if (q->token > 0) {
        memcpy(q->text + q->token, q->wire_id, BRIDGE_WIRE_ID);
    }
    if (r->in_flight == 0 && q->tries == 0) {
        r->idle_sent_ms = now_ms;
    }
    if (q->first) {
        r->initialized = -1; /* from now on the device has this client's session, if its response is a result */
    }
    q->state = BRIDGE_REQUEST_SENT;
    q->since_ms = now_ms;
    q->tries++;
    q->nudged = q->taken = false;
    q->line = r->transport->sent + 1;
    r->in_flight++;
    transport_send(r->transport, head, (struct skr_span){q->wire_id, strlen(q->wire_id)}, tail);
}

/* ---- The queue ---- */

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
static void repeat_request(struct bridge_relay *r, struct skr_span all, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(all, "id");
    const char *rest = id.p + id.n;

    next_id(r, r->initialize_id);
    r->initialize_ms = now_ms;
    r->initialize_line = r->transport->sent + 1;
    transport_send(r->transport, (struct skr_span){all.p, (size_t)(id.p - all.p)},
                   (struct skr_span){r->initialize_id, strlen(r->initialize_id)},
                   (struct skr_span){rest, (size_t)(all.p + all.n - rest)});
}

static void repeat_initialize(struct bridge_relay *r, int client, uint64_t now_ms)
{
    if (r->initialize_tries == 0) {
        r->idle_sent_ms = now_ms;
    }
    r->initializing = client;
    r->initialize_step = BRIDGE_HANDSHAKE_INITIALIZE;
    r->initialize_tries++;
    repeat_request(r, bridge_client_handshake(client), now_ms);
}

/* Subscribes to changed lists and resources; when more resources are wanted, the previous subscription is cancelled
 * first. Not in plain mode, where no notification may arrive while a request is pending. */
static void subscribe_to_device(struct bridge_relay *r)
{
    char text[BRIDGE_SUBSCRIPTIONS * BRIDGE_SUBSCRIPTION_URI], uris[sizeof text - 512];
    /* only the other bridge detects changes of its device; and one on a network may change without disconnecting */
    bool wanted = r->wants_changes || r->transport->state == TRANSPORT_SHARED || (r->promises && !r->transport->steady);

    if (!wanted || (r->is_subscribed && r->subscribed_count == bridge_subscription_count()) ||
        !transport_is_checked(r->transport) || !transport_can_send(r->transport)) {
        return;
    }
    bool taken_back = r->subscription_id[0] != '\0';
    r->is_subscribed = !taken_back;
    r->subscribed_count = bridge_subscription_count();
    if (taken_back) {
        (void)transport_cancel(r->transport, r->subscription_id); /* it can send */
        r->subscription_id[0] = '\0';
        return;
    }
    next_id(r, r->subscription_id); /* no request of a client has this id */
    r->subscription_open = false;
    int n =
        snprintf(text, sizeof text,
                 "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"subscriptions/listen\",\"params\":{\"notifications\":{"
                 "\"toolsListChanged\":true,\"promptsListChanged\":true,\"resourcesListChanged\":true,"
                 "\"resourceSubscriptions\":[%.*s]},\"_meta\":{"
                 "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                 "\"io.modelcontextprotocol/clientCapabilities\":{}}}}",
                 r->subscription_id, r->lists_only ? 0 : (int)bridge_subscription_list(uris, sizeof uris), uris);
    transport_send_text(r->transport, (struct skr_span){text, (size_t)n});
}

/* True while the device would notify the bridge of changes. */
static bool is_subscription_open(const struct bridge_relay *r)
{
    return r->subscription_open && r->subscription_id[0] != '\0';
}

static void respond_from_cache(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_QUEUED || q->tries > 0 || (q->first && r->initializing == q->client)) {
            continue;
        }
        if (bridge_relay_recall(r, q, bridge_catalogue_response)) {
            if (q->first && r->initialized == q->client) {
                r->initialized = -1; /* the device has not received this one, but perhaps an older one of its client */
            }
            bridge_relay_finish(r, q);
        }
    }
}

/* The number of requests that wait for the device, not for their client's response to an elicitation. */
static unsigned count_waiting(const struct bridge_relay *r)
{
    unsigned count = r->in_flight;

    BRIDGE_EACH_REQUEST(q, r)
    {
        count -= q->state == BRIDGE_REQUEST_SENT && q->client_request_count > 0;
    }
    return count;
}

static void send_next(struct bridge_relay *r, uint64_t now_ms)
{
    unsigned limit = transport_is_checked(r->transport) ? r->transport->most : 1;
    struct bridge_request *q;

    while (transport_can_send(r->transport) && bridge_interim_send(r)) {
    }
    bridge_relay_send_cancellations(r);
    subscribe_to_device(r);
    if (r->initializing >= 0 && r->initialize_step == BRIDGE_HANDSHAKE_LEVEL_DUE && transport_can_send(r->transport)) {
        r->initialize_step = BRIDGE_HANDSHAKE_LEVEL;
        repeat_request(r, bridge_client_level(r->initializing), now_ms);
    }
    if (transport_is_own(r->transport) &&
        (r->transport->steady || is_subscription_open(r))) { /* another bridge has the same cache */
        respond_from_cache(r);
    }
    while (r->initializing < 0 && count_waiting(r) < limit && transport_can_send(r->transport) &&
           (q = oldest_queued(r)) != NULL) {
        if (q->client >= 0 && !q->first && r->initialized != q->client) {
            if (r->in_flight == 0) { /* pending requests belong to another client */
                repeat_initialize(r, q->client, now_ms);
            }
            return;
        }
        if ((q->first && r->in_flight > 0) || bridge_interim_waits(q)) {
            return;
        }
        if (!bridge_tool_check_allow(q)) { /* meanwhile the device was replaced, or its tools have changed */
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
    bool has = r->transport->has_identity;
    bool same = has && r->transport->steady && r->had_identity &&
                memcmp(r->identity, r->transport->identity, sizeof r->identity) == 0;

    bridge_catalogue_reset(&r->catalogue, has ? r->transport->identity : NULL);
    if (r->was_up && !same) {
        if (has && r->transport->steady) {
            host_log("%s: its image or firmware has changed", r->transport->path);
        }
        r->on_change(SKR_CHANGED_SKILLS | SKR_CHANGED_RESOURCES | SKR_CHANGED_TOOLS | SKR_CHANGED_PROMPTS);
    }
    r->was_up = true;
    r->had_identity = has;
    if (has) {
        memcpy(r->identity, r->transport->identity, sizeof r->identity);
    }
    r->initialized = r->initializing = -1;
    r->initialize_tries = 0;
    r->read = r->transport->ping_open ? UINT32_MAX : 0; /* the device has been sent one line more than was counted */
    r->is_subscribed = r->lists_only = false;
    r->subscription_id[0] = '\0';
}

/* One message has failed, but the transport is still up. */
static void on_fate(void *owner, struct skr_span id, enum transport_fate fate)
{
    struct bridge_relay *r = owner;

    if (fate == TRANSPORT_FATE_NO_SESSION) {
        r->initialized = -1;
    }
    if (bridge_id_is(id, r->subscription_id)) {
        r->subscription_id[0] = '\0';
        r->is_subscribed = false;
    } else if (r->initializing >= 0 && bridge_id_is(id, r->initialize_id)) {
        r->initializing = -1;
    }
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (!bridge_request_is_sent(q) || !bridge_id_is(id, q->wire_id)) {
            continue;
        }
        r->in_flight--;
        if (q->state == BRIDGE_REQUEST_DROPPED) {
            bridge_request_release(q);
        } else if (fate == TRANSPORT_FATE_UNKNOWN && (!q->repeatable || q->tries >= TRANSPORT_TRIES)) {
            bridge_relay_fail(q, q->repeatable
                                     ? "The connection broke each time this was requested"
                                     : "The connection broke during this request; the device may have executed it");
        } else {
            bridge_interim_end(q);
            q->state = BRIDGE_REQUEST_QUEUED; /* keeps its place in the queue */
            q->tries -= fate != TRANSPORT_FATE_UNKNOWN && q->tries > 1;
        }
    }
}

static void on_refused(void *owner)
{
    struct bridge_relay *r = owner;

    r->subscription_id[0] = '\0';
    r->is_subscribed = true; /* the device accepts no other subscription */
}

static void on_down(void *owner)
{
    struct bridge_relay *r = owner;
    uint64_t heard_ms = r->transport->heard_ms;

    r->initialized = r->initializing = -1;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state == BRIDGE_REQUEST_SENT && q->repeatable && q->tries < TRANSPORT_TRIES) {
            q->state = BRIDGE_REQUEST_QUEUED; /* keeps its place in the queue */
        }
        if (q->state == BRIDGE_REQUEST_QUEUED) { /* it has waited since the device last sent a byte */
            q->since_ms = heard_ms > q->since_ms ? heard_ms : q->since_ms;
        } else if (q->state == BRIDGE_REQUEST_DROPPED) {
            bridge_request_release(q);
        } else if (q->state == BRIDGE_REQUEST_SENT) {
            bridge_relay_fail(q, q->repeatable
                                     ? "The device disconnected each time this was requested"
                                     : "The device disconnected during this request; it may have executed it");
        }
    }
    r->in_flight = 0;
}

/* ---- Time ---- */

/* Plain mode, and nothing has arrived for a while: the request or the response was lost. */
static void check_plain(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    uint64_t quiet_since = r->transport->heard_ms > q->since_ms ? r->transport->heard_ms : q->since_ms;
    uint64_t line_ms = (q->text_n + 64) * 10000u / (r->transport->at_baud + 1);

    if (r->transport->state != TRANSPORT_PLAIN || !host_waited(now_ms, quiet_since, BRIDGE_READ_MS + line_ms)) {
        return;
    }
    if (!q->nudged) {
        q->nudged = true; /* in case its newline was lost; and the next message starts a new line */
        transport_end_line(r->transport);
        q->since_ms = now_ms;
    } else if (q->repeatable) {
        r->noisy = true;
        bridge_relay_retry(r, q, "The device does not respond; the line may be noisy");
    }
}

/* A network may lose a connection silently: a read is then sent again on another one. Later tries wait as long as a server
 * may need that is itself a bridge and waits for its device, because each try makes such a server wait from the start. */
static void check_silent(struct bridge_relay *r, struct bridge_request *q, uint64_t now_ms)
{
    uint64_t patience_ms = q->tries == 1 ? BRIDGE_SILENT_MS : TRANSPORT_PROBE_MS;

    if (q->repeatable && host_waited(now_ms, q->since_ms, patience_ms) &&
        transport_give_up(r->transport, (struct skr_span){q->wire_id, strlen(q->wire_id)})) {
        bridge_relay_retry(r, q, "The device did not respond");
    }
}

/* While there is no buffer for a response, the device waits for the bridge, so no timeout runs. */
static void hold_time(struct bridge_relay *r, uint64_t now_ms)
{
    r->initialize_ms = r->idle_sent_ms = now_ms;
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
    bool all_taken = transport_has_taken_all(r->transport);
    bool busy = false;

    BRIDGE_EACH_REQUEST(q, r)
    {
        q->taken |= all_taken;
        busy |= bridge_request_is_sent(q) && !q->repeatable && q->taken;
    }
    return busy;
}

/* A device that sends nothing, although a request is pending and nothing keeps it from responding, counts as missing:
 * requests wait for it no longer than for one whose port does not exist. */
static void check_life(struct bridge_relay *r, uint64_t now_ms)
{
    bool waiting = r->in_flight > 0 || r->initializing >= 0;

    if (transport_is_own(r->transport) && waiting && !may_be_busy(r) &&
        host_waited(now_ms, r->idle_sent_ms, r->wait_ms) && host_waited(now_ms, r->transport->heard_ms, r->wait_ms)) {
        transport_restart(r->transport, "the device no longer responds");
    }
}

static void check_time(struct bridge_relay *r, uint64_t now_ms)
{
    if (r->transport->in == NULL) {
        hold_time(r, now_ms);
    }
    check_life(r, now_ms);
    BRIDGE_EACH_REQUEST(q, r)
    {
        uint64_t heard_ms =
            r->transport->heard_ms > q->since_ms && r->transport->in_n > 0 ? r->transport->heard_ms : q->since_ms;
        if (q->state == BRIDGE_REQUEST_QUEUED && r->transport->state <= TRANSPORT_PROBING &&
            host_waited(now_ms, q->since_ms, r->wait_ms)) {
            bridge_relay_fail(q, transport_remedy(r->transport));
        } else if (bridge_request_is_sent(q) && q->client_request_count == 0 &&
                   host_waited(now_ms, heard_ms, r->response_ms)) {
            bridge_relay_give_up(
                r, q,
                q->repeatable ? "The device did not respond in time"
                              : "The device did not respond in time; it may have executed the request. For a tool that "
                                "takes longer, start the bridge with a larger --response-timeout");
        } else if (q->state == BRIDGE_REQUEST_SENT && q->client_request_count == 0) {
            check_plain(r, q, now_ms);
            check_silent(r, q, now_ms);
        } else if (q->state == BRIDGE_REQUEST_DROPPED && r->transport->state == TRANSPORT_PLAIN &&
                   host_waited(now_ms, heard_ms, BRIDGE_READ_MS)) { /* likewise */
            r->in_flight--;
            bridge_request_release(q);
        }
    }
    if (r->initializing >= 0 && host_waited(now_ms, r->initialize_ms, BRIDGE_READ_MS * 2) &&
        host_waited(now_ms, r->transport->heard_ms, BRIDGE_READ_MS)) {
        r->initializing = -1;
        transport_end_line(r->transport);
        if (r->initialize_tries > TRANSPORT_TRIES) {
            transport_restart(r->transport, "the device does not respond");
        }
    }
}

/* ---- For the owner ---- */

void bridge_relay_init(struct bridge_relay *r)
{
    r->initialized = r->initializing = -1;
    r->counter = (uint32_t)host_clock_ms(); /* so that late responses to an earlier bridge match no id */
    r->transport->owner = r;
    r->transport->on_up = on_up;
    r->transport->on_down = on_down;
    r->transport->on_message = bridge_relay_message;
    r->transport->on_fate = on_fate;
    r->transport->on_refused = on_refused;
    r->transport->headers = bridge_tool_check_write;
    r->trusted = strstr(r->transport->path, "ttyACM") != NULL; /* USB from end to end */
    bridge_catalogue_reset(&r->catalogue, NULL);
    bridge_relay_take_buffer(r);
}

void bridge_relay_turn(struct bridge_relay *r, uint64_t now_ms)
{
    transport_turn(r->transport, now_ms);
    check_time(r, now_ms);
    send_next(r, now_ms);
}

uint32_t bridge_relay_wait_ms(const struct bridge_relay *r, uint64_t now_ms)
{
    uint32_t wait_ms = transport_wait_ms(r->transport, now_ms);

    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_DONE) {
            return wait_ms < 50 ? wait_ms : 50;
        }
    }
    return wait_ms;
}
