/* relay_response.c -- responses of a device: which request they belong to, and whether they can be trusted.
 *
 * In reliable mode nothing is damaged. On a plain line a flipped bit in a text goes unnoticed. So a read is repeated
 * until two responses agree, unless its content has the digest that the device gave for it. A tool is never called
 * twice for that; its response is accepted if it is valid JSON. */
#include "relay_response.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "console.h"
#include "inflate_file.h"
#include "interim.h"
#include "json_edit.h"
#include "requests.h"
#include "routing.h"
#include "subscription/notify.h"
#include "subscriptions.h"
#include "text/json.h"
#include "timer.h"
#include "tool_check.h"
#include "validator.h"

static void fail_request(struct bridge_request *q, const char *why)
{
    bridge_interim_end(q);
    int n = snprintf(q->small, sizeof q->small,
                     "{\"code\":-32603,\"message\":\"%s\",\"data\":{\"device\":\"%s\",\"retry\":%s}}", why,
                     q->relay->transport->label, q->repeatable ? "true" : "false");
    bridge_request_end(q, -32603, n);
}

/* True if the request also goes to the next device, so this response is not the last. */
static bool route_to_next(struct bridge_request *q)
{
    struct bridge_relay *next = bridge_routing_merge(q);

    if (next != NULL) {
        bridge_relay_queue(next, q, host_clock_ms());
        bridge_timer_in(0);
    }
    return next != NULL;
}

/* Requests that wait for one of the bridge's own fail with it. */
void bridge_relay_fail(struct bridge_request *q, const char *why)
{
    fail_request(q, why);
    if (!q->own && route_to_next(q)) {
        return;
    }
    BRIDGE_EACH_REQUEST(o, q->relay)
    {
        if (q->own && o->state == BRIDGE_REQUEST_HELD) {
            fail_request(o, why);
        }
    }
}

void bridge_relay_give_up(struct bridge_relay *r, struct bridge_request *q, const char *why)
{
    r->in_flight--;
    if (q->state == BRIDGE_REQUEST_DROPPED) {
        bridge_request_release(q);
    } else {
        bridge_relay_fail(q, why);
    }
}

void bridge_relay_retry(struct bridge_relay *r, struct bridge_request *q, const char *why)
{
    r->in_flight--;
    if (q->tries >= TRANSPORT_TRIES) {
        bridge_relay_fail(q, why);
        return;
    }
    q->state = BRIDGE_REQUEST_QUEUED;
    q->since_ms = host_clock_ms();
}

/* ---- Valid responses ---- */

/* Moves the value from the transport's buffer to one where it can wait for its client. */
static void keep_value(struct bridge_relay *r, struct bridge_request *q)
{
    if (q->value_n <= sizeof q->small) {
        memcpy(q->small, q->value, q->value_n);
        q->value = q->small;
        return;
    }
    for (unsigned i = 0; i < BRIDGE_LARGES; i++) {
        if (r->transport->in == r->larges[i]) {
            r->large_used[i] = true;
            q->large = (int)i;
        }
    }
    bridge_relay_take_buffer(r);
}

/* A free large buffer, other than the one that receives; -1 if there is none. */
static int spare_buffer(const struct bridge_relay *r)
{
    for (int i = 0; i < BRIDGE_LARGES; i++) {
        if (!r->large_used[i] && r->transport->in != r->larges[i]) {
            return i;
        }
    }
    return -1;
}

bool bridge_relay_recall(struct bridge_relay *r, struct bridge_request *q,
                         size_t (*find)(struct bridge_catalogue *k, const struct bridge_subject *s, char *to,
                                        size_t room))
{
    int buffer = spare_buffer(r);

    q->failed = false;
    q->value = q->small;
    q->value_n = find(&r->catalogue, &q->subject, q->small, sizeof q->small);
    if (q->value_n == 0 && q->subject.kind != BRIDGE_SUBJECT_OTHER && buffer >= 0) {
        q->value = r->larges[buffer];
        q->value_n = find(&r->catalogue, &q->subject, q->value, TRANSPORT_LARGE);
        q->large = q->value_n > 0 ? buffer : -1;
        r->large_used[buffer] = q->value_n > 0;
    }
    return q->value_n > 0;
}

void bridge_relay_finish(struct bridge_relay *r, struct bridge_request *q)
{
    if (q->own) {
        bridge_tool_check_listed(q);
        return;
    }
    if (q->subject.has_capabilities && r->promises && !q->failed && q->value == q->small) {
        q->value_n = bridge_catalogue_promise(&r->catalogue, q->small, q->value_n, sizeof q->small);
    }
    if (route_to_next(q)) {
        return;
    }
    bridge_routing_result(q);
    q->state = BRIDGE_REQUEST_DONE;
}

/* ---- Noisy lines ---- */

static uint32_t response_checksum(struct skr_span s)
{
    uint32_t crc = SKR_CRC_START;

    for (size_t i = 0; i < s.n; i++) {
        crc = skr_crc_add(crc, (uint8_t)s.p[i]);
    }
    return crc;
}

/* True if at least `wanted` earlier responses were the same. */
static bool response_agrees(struct bridge_request *q, struct skr_span response, unsigned wanted)
{
    uint32_t sum = response_checksum(response);

    for (unsigned i = 0; i < q->vote_count; i++) {
        wanted -= wanted > 0 && q->votes[i] == sum;
    }
    if (q->vote_count < TRANSPORT_TRIES) {
        q->votes[q->vote_count++] = sum;
    }
    return wanted == 0;
}

/* On a line that was noisy two responses are not enough: losing either of two equal letters gives the same wrong
 * text, and different damage to a request easily leads to the same error. */
static bool is_trusted(struct bridge_relay *r, struct bridge_request *q, struct skr_span response, bool error,
                       bool proven)
{
    bool doubtful = r->transport->state == TRANSPORT_PLAIN && !r->trusted && q->repeatable && !proven;

    return !doubtful || response_agrees(q, response, !r->noisy ? 1 : error ? 3 : 2);
}

/* Inflates a compressed file. False if that fails; the request has then been retried or failed. */
static bool inflate_response(struct bridge_relay *r, struct bridge_request *q, struct skr_span *message)
{
    static const char why[] = "The compressed file that the device sent cannot be inflated";

    if (q->subject.kind == BRIDGE_SUBJECT_FILE) {
        message->n = bridge_inflate_file_expand(r->transport->in, message->n, r->transport->in_size);
    }
    if (message->n > 0) {
        return true;
    }
    if (r->transport->state == TRANSPORT_PLAIN) {
        r->noisy = true;
        bridge_relay_retry(r, q, why);
    } else {
        r->in_flight--;
        bridge_relay_fail(q, why);
    }
    return false;
}

/* The device has sent the validator of its response. If the stored response has the same, it is used; otherwise the response
 * itself is requested. */
static void take_validator(struct bridge_relay *r, struct bridge_request *q, struct skr_span validator)
{
    bool kept = bridge_relay_recall(r, q, bridge_catalogue_kept);
    struct skr_span response = {q->value, q->value_n};

    if (!kept || !bridge_validator_fits(q, validator, response)) {
        bridge_request_give_back(q);
        bridge_catalogue_drop(&r->catalogue, &q->subject);
        q->validator_failed = true;
        bridge_relay_retry(r, q, "The device sends a validator instead of its response");
        return;
    }
    bridge_catalogue_confirm(&r->catalogue, &q->subject, response);
    r->in_flight--;
    bridge_interim_end(q);
    if (q->first) {
        r->initialized = q->client;
    }
    bridge_relay_finish(r, q);
}

/* Completes the request with a response that is trusted. */
static void accept_response(struct bridge_relay *r, struct bridge_request *q, struct skr_span result,
                            struct skr_span error)
{
    struct skr_span response = result.p != NULL ? result : error;

    r->in_flight--;
    bridge_interim_pass_on(q);
    bridge_interim_end(q);
    q->failed = result.p == NULL;
    q->code = q->failed ? host_json_int(skr_scan_get(error, "code")) : 0;
    q->value = (char *)(uintptr_t)response.p;
    q->value_n = response.n;
    keep_value(r, q);
    if (q->first && !q->failed) {
        r->initialized = q->client;
    }
    bridge_relay_finish(r, q);
}

static void take_response(struct bridge_relay *r, struct bridge_request *q, struct skr_span message)
{
    struct skr_span validator = bridge_validator_in(q, skr_scan_get(message, "result"));

    if (validator.p != NULL) {
        take_validator(r, q, validator);
        return;
    }
    if (!inflate_response(r, q, &message)) {
        return;
    }
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    struct skr_span response = result.p != NULL ? result : error;
    enum bridge_result_verdict verdict = BRIDGE_RESULT_FINE;
    if (response.p == NULL && !q->repeatable) {
        r->in_flight--;
        bridge_relay_fail(q, "The response has neither result nor error; the device may have executed the request");
        return;
    }
    if (response.p == NULL) {
        bridge_relay_retry(r, q, "The response of the device has neither result nor error");
        return;
    }
    if (q->subject.kind == BRIDGE_SUBJECT_FILE && result.p != NULL) {
        verdict = bridge_catalogue_result(&r->catalogue, &q->subject, result);
    }
    if (verdict == BRIDGE_RESULT_DAMAGED && r->transport->state == TRANSPORT_PLAIN) {
        r->noisy = true;
        bridge_relay_retry(r, q, "The content does not match the digest the device gave for it; the line may be noisy");
        return;
    }
    if (verdict == BRIDGE_RESULT_DAMAGED) {
        host_log("%s: a file does not match the digest the device gave for it", r->transport->path);
    }
    if (!is_trusted(r, q, response, result.p == NULL, verdict == BRIDGE_RESULT_PROVEN)) {
        r->noisy |= q->vote_count > 1;
        bridge_relay_retry(r, q, "The responses of the device differ; the line is too noisy");
        return;
    }
    if (q->subject.kind != BRIDGE_SUBJECT_FILE && result.p != NULL) {
        (void)bridge_catalogue_result(&r->catalogue, &q->subject, result);
    }
    accept_response(r, q, result, error);
}

/* A message without an id arrived. On a plain line it may be a damaged response; or, if `refused`, the device could not read a
 * line, and does not report which one. So a request that must not be executed twice is sent again only if no other line is
 * possible. Requests that wait for their client's response are not affected. */
static void on_damage(struct bridge_relay *r, bool refused)
{
    if (r->transport->state != TRANSPORT_PLAIN) {
        return;
    }
    bool last = refused && r->read + 1 == r->transport->sent; /* it is the line sent last */
    r->noisy = true;
    r->read += last;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (q->state != BRIDGE_REQUEST_SENT || q->client_request_count > 0) {
            continue;
        }
        if (q->repeatable || (last && q->line == r->transport->sent)) {
            bridge_relay_retry(r, q, "The response was damaged each time; the line is too noisy");
        } else {
            r->in_flight--;
            bridge_relay_fail(
                q, refused ? "The line was noisy during this request; the device may have executed it"
                           : "The response was damaged on the line; the device may have executed the request");
        }
    }
    r->initializing = -1;
    if (!refused) {
        transport_end_line(r->transport);
    }
}

/* Bytes at the start of a response that are searched for its id. */
#define HEAD 128

/* Fails the request whose response did not fit. False if its beginning does not contain the id of a pending request. */
static bool on_too_long(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (!bridge_request_is_sent(q) || memmem(r->transport->in, HEAD, q->wire_id, BRIDGE_WIRE_ID) == NULL) {
            continue;
        }
        q->repeatable = false; /* it would be too long again */
        bridge_relay_give_up(r, q, "The response has more bytes than TRANSPORT_LARGE");
        return true;
    }
    return false;
}

/* The device ends the bridge's subscription, or refuses it. */
static void on_subscription_end(struct bridge_relay *r, bool refused)
{
    r->subscription_id[0] = '\0';
    r->is_subscribed = !refused || r->lists_only;
    r->lists_only |= refused;
}

/* The changed lists of a notification (enum skr_list_bit). Skills are resources, and the bridge subscribes only to those. */
static unsigned changed_lists(struct skr_span method)
{
    static const struct {
        const char *method;
        unsigned kinds;
    } notifications[] = {
        {"notifications/tools/list_changed", SKR_CHANGED_TOOLS},
        {"notifications/prompts/list_changed", SKR_CHANGED_PROMPTS},
        {"notifications/resources/list_changed", SKR_CHANGED_RESOURCES | SKR_CHANGED_SKILLS},
        {"notifications/skills/list_changed", SKR_CHANGED_SKILLS},
    };

    for (size_t i = 0; i < sizeof notifications / sizeof notifications[0]; i++) {
        if (skr_scan_is(method, notifications[i].method)) {
            return notifications[i].kinds;
        }
    }
    return 0;
}

static void on_notification(struct bridge_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_span meta = skr_scan_get(params, "_meta");

    if (r->subscription_id[0] != '\0' && skr_scan_get(meta, "io.modelcontextprotocol/subscriptionId").p == NULL) {
        return; /* meant for the client of the session, which is notified through the bridge's subscription */
    }
    if (skr_scan_is(method, "notifications/resources/updated")) {
        if (bridge_subscription_changed(skr_scan_inside(skr_scan_get(params, "uri")))) {
            skr_server_notify(&bridge_server, SKR_CHANGES_CONTENT);
        }
        return;
    }
    r->subscription_open |= skr_scan_is(method, "notifications/subscriptions/acknowledged");
    unsigned kinds = changed_lists(method);
    if (kinds != 0) {
        bridge_catalogue_reset(&r->catalogue, NULL);
        r->on_change(kinds);
    }
}

/* Handles the response to a repeated initialize. A device that refuses it also refused it the first time, unless the line
 * damaged it. */
static void on_handshake(struct bridge_relay *r, bool accepted)
{
    int client = r->initializing;
    bool done = r->initialize_step == BRIDGE_HANDSHAKE_LEVEL || accepted;

    if (done && r->initialize_step == BRIDGE_HANDSHAKE_INITIALIZE && bridge_client_level(client).n > 0) {
        r->initialize_step = BRIDGE_HANDSHAKE_LEVEL_DUE;
        return;
    }
    r->initializing = -1;
    r->initialized = done ? client : -1;
    if (!done && r->transport->state == TRANSPORT_PLAIN && r->initialize_tries < TRANSPORT_TRIES) {
        return;
    }
    r->initialize_tries = 0;
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (!done && q->state == BRIDGE_REQUEST_QUEUED && q->client == client && !q->first) {
            bridge_relay_fail(q, "The device has refused the initialize request of this client; initialize again");
        }
    }
}

void bridge_relay_message(void *owner, size_t n)
{
    struct bridge_relay *r = owner;
    struct skr_span message = {r->transport->in, n};

    if (r->transport->in_lost && on_too_long(r)) {
        return;
    }
    if (n == 0 || skr_json_check(message.p, n) != SKR_JSON_OK) {
        on_damage(r, false);
        return;
    }
    message.n =
        host_json_compact(r->transport->in, message); /* in an HTTP event stream a CR would start another line */
    struct skr_span id = skr_scan_get(message, "id"), method = skr_scan_get(message, "method");
    if (method.p != NULL) {
        on_notification(r, method, skr_scan_get(message, "params"));
        bridge_interim_message(r, message, method, id);
        return;
    }
    if (id.p == NULL) { /* perhaps an error: the device could not read a line */
        on_damage(r, skr_scan_get(message, "error").p != NULL && skr_scan_get(message, "result").p == NULL);
        return;
    }
    if (r->initializing >= 0 && bridge_id_is(id, r->initialize_id)) {
        bridge_relay_has_read(r, r->initialize_line);
        on_handshake(r, skr_scan_get(message, "result").p != NULL);
        return;
    }
    if (bridge_id_is(id, r->subscription_id)) {
        on_subscription_end(r, skr_scan_get(message, "error").p != NULL);
        return;
    }
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (bridge_request_is_sent(q) && bridge_id_is(id, q->wire_id)) {
            bridge_relay_has_read(r, q->line);
            if (q->state == BRIDGE_REQUEST_DROPPED) {
                r->in_flight--;
                bridge_request_release(q);
            } else {
                take_response(r, q, message);
            }
            return;
        }
    }
}
