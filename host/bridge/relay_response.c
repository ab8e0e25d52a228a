/* relay_answer.c -- answers from a device: which request they belong to, and whether they can be trusted.
 *
 * In reliable mode what arrives is what was sent. On a plain line a flipped bit in a text goes unnoticed, so a read
 * is repeated until two answers agree, unless its content has the digest that the device gave for it. A tool is never
 * run twice for that; its answer is accepted if it is valid JSON. */
#include "relay_response.h"

#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "subscription/notify.h"
#include "clock.h"
#include "console.h"
#include "tool_check.h"
#include "validator.h"
#include "routing.h"
#include "json_edit.h"
#include "inflate_file.h"
#include "interim.h"
#include "subscriptions.h"
#include "requests.h"
#include "timer.h"

static void fail_request(struct bridge_request *q, const char *why)
{
    bridge_interim_end(q);
    int n = snprintf(q->small, sizeof q->small,
                     "{\"code\":-32603,\"message\":\"%s\",\"data\":{\"device\":\"%s\",\"retry\":%s}}", why,
                     q->relay->transport->label, q->repeatable ? "true" : "false");
    bridge_request_end(q, -32603, n);
}

/* True if the next device is asked as well, so this answer is not the last. */
static bool route_to_next(struct bridge_request *q)
{
    struct bridge_relay *next = bridge_routing_introduce(q);
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

/* ---- A good answer ---- */

/* The value is in the cable's buffer: moves it to where it can wait for its client. */
static void keep(struct bridge_relay *r, struct bridge_request *q)
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

/* A free large buffer, other than the one being received into; -1: none. */
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
    int place = spare_buffer(r);
    q->failed = false;
    q->value = q->small;
    q->value_n = find(&r->catalogue, &q->subject, q->small, sizeof q->small);
    if (q->value_n == 0 && q->subject.kind != BRIDGE_SUBJECT_OTHER && place >= 0) {
        q->value = r->larges[place];
        q->value_n = find(&r->catalogue, &q->subject, q->value, TRANSPORT_LARGE);
        q->large = q->value_n > 0 ? place : -1;
        r->large_used[place] = q->value_n > 0;
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

/* ---- Doubt ---- */

static uint32_t checksum(struct skr_span s)
{
    uint32_t crc = SKR_CRC_START;
    for (size_t i = 0; i < s.n; i++) {
        crc = skr_crc_add(crc, (uint8_t)s.p[i]);
    }
    return crc;
}

/* True when at least `wanted` earlier answers were the same. */
static bool agrees(struct bridge_request *q, struct skr_span answer, unsigned wanted)
{
    uint32_t sum = checksum(answer);
    for (unsigned i = 0; i < q->vote_count; i++) {
        wanted -= wanted > 0 && q->votes[i] == sum;
    }
    if (q->vote_count < TRANSPORT_TRIES) {
        q->votes[q->vote_count++] = sum;
    }
    return wanted == 0;
}

/* On a line that has shown noise two answers are not enough: losing either of two equal letters gives the same wrong
 * text, and different damage to a request easily leads to the same error. */
static bool is_trusted(struct bridge_relay *r, struct bridge_request *q, struct skr_span answer, bool error,
                       bool proven)
{
    bool doubtful = r->transport->state == TRANSPORT_PLAIN && !r->trusted && q->repeatable && !proven;
    return !doubtful || agrees(q, answer, !r->noisy ? 1 : error ? 3 : 2);
}

/* Expands a file that came compressed. False if that fails; the request has then been retried or failed. */
static bool expand(struct bridge_relay *r, struct bridge_request *q, struct skr_span *message)
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

/* The device has sent the mark of its answer. If it is that of the stored answer, that is the answer; otherwise the
 * answer itself is requested. */
static void take_validator(struct bridge_relay *r, struct bridge_request *q, struct skr_span mark)
{
    bool kept = bridge_relay_recall(r, q, bridge_catalogue_kept);
    struct skr_span answer = {q->value, q->value_n};
    if (!kept || !bridge_validator_fits(q, mark, answer)) {
        bridge_request_give_back(q);
        bridge_catalogue_drop(&r->catalogue, &q->subject);
        q->validator_failed = true;
        bridge_relay_retry(r, q, "The device sends a mark instead of its answer");
        return;
    }
    bridge_catalogue_confirm(&r->catalogue, &q->subject, answer);
    r->in_flight--;
    bridge_interim_end(q);
    if (q->first) {
        r->initialized = q->client;
    }
    bridge_relay_finish(r, q);
}

static void take_response(struct bridge_relay *r, struct bridge_request *q, struct skr_span message)
{
    struct skr_span mark = bridge_validator_in(q, skr_scan_get(message, "result"));
    if (mark.p != NULL) {
        take_validator(r, q, mark);
        return;
    }
    if (!expand(r, q, &message)) {
        return;
    }
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    struct skr_span answer = result.p != NULL ? result : error;
    enum bridge_result_verdict verdict = BRIDGE_RESULT_FINE;
    if (answer.p == NULL && !q->repeatable) {
        r->in_flight--;
        bridge_relay_fail(q, "The answer has neither result nor error; whether it was done is not known");
        return;
    }
    if (answer.p == NULL) {
        bridge_relay_retry(r, q, "The device answers, but with neither result nor error");
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
    if (!is_trusted(r, q, answer, result.p == NULL, verdict == BRIDGE_RESULT_PROVEN)) {
        r->noisy |= q->vote_count > 1;
        bridge_relay_retry(r, q, "The answers of the device do not agree; the line is too noisy");
        return;
    }
    if (q->subject.kind != BRIDGE_SUBJECT_FILE && result.p != NULL) {
        (void)bridge_catalogue_result(&r->catalogue, &q->subject, result);
    }
    r->in_flight--;
    bridge_interim_pass_on(q);
    bridge_interim_end(q);
    q->failed = result.p == NULL;
    q->code = q->failed ? host_json_int(skr_scan_get(error, "code")) : 0;
    q->value = (char *)(uintptr_t)answer.p;
    q->value_n = answer.n;
    keep(r, q);
    if (q->first && !q->failed) {
        r->initialized = q->client;
    }
    bridge_relay_finish(r, q);
}

/* Something arrived that answers nothing. On a plain line it may be a damaged answer; or, if `refused`, the device
 * could not read a line, and does not say which. So what must not be done twice is sent again only if it can have
 * been no other line. Requests that wait for their client's reply are not affected. */
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
            bridge_relay_retry(r, q, "The answer was damaged each time; the line is too noisy");
        } else {
            r->in_flight--;
            bridge_relay_fail(q, refused
                                     ? "The line was noisy while this was under way; whether it was done is not known"
                                     : "The answer was damaged on the line; whether it was done is not known");
        }
    }
    r->initializing = -1;
    if (!refused) {
        transport_end_line(r->transport);
    }
}

/* Bytes at the start of an answer that are searched for its id. */
#define HEAD 128

/* Only the beginning of a message that did not fit is there. False if it does not contain an id under way. */
static bool on_too_long(struct bridge_relay *r)
{
    BRIDGE_EACH_REQUEST(q, r)
    {
        if (!bridge_request_is_sent(q) || memmem(r->transport->in, HEAD, q->wire_id, BRIDGE_WIRE_ID) == NULL) {
            continue;
        }
        r->in_flight--;
        if (q->state == BRIDGE_REQUEST_DROPPED) {
            bridge_request_release(q);
        } else {
            q->repeatable = false; /* it would be too long again */
            bridge_relay_fail(q, "The answer has more bytes than TRANSPORT_LARGE");
        }
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

/* The lists that a notification says have changed (enum skr_list_bit). Skills are resources, and the bridge
 * subscribes only to those. */
static unsigned changed_lists(struct skr_span method)
{
    static const struct {
        const char *method;
        unsigned kinds;
    } known[] = {
        {"notifications/tools/list_changed", SKR_CHANGED_TOOLS},
        {"notifications/prompts/list_changed", SKR_CHANGED_PROMPTS},
        {"notifications/resources/list_changed", SKR_CHANGED_RESOURCES | SKR_CHANGED_SKILLS},
        {"notifications/skills/list_changed", SKR_CHANGED_SKILLS},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (skr_scan_is(method, known[i].method)) {
            return known[i].kinds;
        }
    }
    return 0;
}

static void on_notification(struct bridge_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_span meta = skr_scan_get(params, "_meta");
    if (r->subscription_id[0] != '\0' && skr_scan_get(meta, "io.modelcontextprotocol/subscriptionId").p == NULL) {
        return; /* meant for the client of the handshake, which is told through the bridge's subscription */
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

/* The answer to a repeated initialize. A device that refuses it now also refused it the first time, unless the line
 * damaged it. */
static void on_handshake(struct bridge_relay *r, bool accepted)
{
    int client = r->initializing;
    bool done = r->initialize_step == BRIDGE_HANDSHAKE_LEVEL || accepted;
    if (done && r->initialize_step == BRIDGE_HANDSHAKE_HAND && bridge_client_level(client).n > 0) {
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
