/* relay_answer.c -- answers of a device: whose they are, and whether they can be believed.
 *
 * In reliable mode what arrives is what was sent. On a plain line a flipped bit in the middle
 * of a text looks like any other text, and the device cannot help: so a read is asked until
 * two answers agree, unless its content has the digest that was told for it. A tool is never
 * run twice for that; its answer is taken as it comes if it is JSON at all. */
#include "relay_answer.h"

#include <stdio.h>
#include <string.h>

#include "text/json.h"
#include "news/notify.h"
#include "../posix/clock.h"
#include "../posix/say.h"
#include "front.h"
#include "headers.h"
#include "mark.h"
#include "names.h"
#include "scan.h"
#include "stored.h"
#include "talk.h"
#include "watch.h"
#include "requests.h"
#include "wake.h"

static void fail_one(struct skr_request *q, const char *why)
{
    skr_talk_end(q);
    int n = snprintf(q->small, sizeof q->small,
                     "{\"code\":-32603,\"message\":\"%s\",\"data\":{\"device\":\"%s\",\"retry\":%s}}", why,
                     q->relay->cable.label, q->repeatable ? "true" : "false");
    q->value = q->small;
    q->value_n = (size_t)n;
    q->failed = true;
    q->code = -32603;
    q->state = SKR_REQUEST_DONE;
}

/* True when its answer is not the last: the next device is asked as well. */
static bool ask_next(struct skr_request *q)
{
    struct skr_relay *next = skr_names_introduce(q);
    if (next != NULL) {
        skr_relay_queue(next, q, skr_clock_ms());
        skr_wake_in(0);
    }
    return next != NULL;
}

/* What waits for a request of the bridge's own fails with it. */
void skr_relay_fail(struct skr_request *q, const char *why)
{
    fail_one(q, why);
    if (!q->own && ask_next(q)) {
        return;
    }
    for (struct skr_request *o = skr_requests; q->own && o < skr_requests + SKR_BRIDGE_REQUESTS; o++) {
        if (o->relay == q->relay && o->state == SKR_REQUEST_HELD) {
            fail_one(o, why);
        }
    }
}

void skr_relay_refuse(struct skr_request *q, int code, const char *why, struct skr_span what)
{
    int n = snprintf(q->small, sizeof q->small, "{\"code\":%d,\"message\":\"%s%.*s\"}", code, why,
                     (int)(what.n < SKR_BRIDGE_QUOTED ? what.n : 0), what.p);
    q->value = q->small;
    q->value_n = (size_t)n;
    q->failed = true;
    q->code = code;
    q->state = SKR_REQUEST_DONE;
}

void skr_relay_retry(struct skr_relay *r, struct skr_request *q, const char *why)
{
    r->in_flight--;
    if (q->tries >= SKR_BRIDGE_TRIES) {
        skr_relay_fail(q, why);
        return;
    }
    q->state = SKR_REQUEST_QUEUED;
    q->since_ms = skr_clock_ms();
}

/* ---- A good answer ---- */

/* The value lies in the cable's buffer: keeps it where it can wait for its client. */
static void keep(struct skr_relay *r, struct skr_request *q)
{
    if (q->value_n <= sizeof q->small) {
        memcpy(q->small, q->value, q->value_n);
        q->value = q->small;
        return;
    }
    for (unsigned i = 0; i < SKR_BRIDGE_LARGES; i++) {
        if (r->cable.in == r->larges[i]) {
            r->large_used[i] = true;
            q->large = (int)i;
        }
    }
    skr_relay_take_place(r);
}

/* A large place that no message is being received into; -1: none. */
static int spare_place(const struct skr_relay *r)
{
    for (int i = 0; i < SKR_BRIDGE_LARGES; i++) {
        if (!r->large_used[i] && r->cable.in != r->larges[i]) {
            return i;
        }
    }
    return -1;
}

bool skr_relay_recall(struct skr_relay *r, struct skr_request *q,
                      size_t (*find)(struct skr_know *k, const struct skr_subject *s, char *to, size_t room))
{
    int place = spare_place(r);
    q->failed = false;
    q->value = q->small;
    q->value_n = find(&r->know, &q->subject, q->small, sizeof q->small);
    if (q->value_n == 0 && q->subject.kind != SKR_SUBJECT_OTHER && place >= 0) {
        q->value = r->larges[place];
        q->value_n = find(&r->know, &q->subject, q->value, SKR_BRIDGE_LARGE);
        q->large = q->value_n > 0 ? place : -1;
        r->large_used[place] = q->value_n > 0;
    }
    return q->value_n > 0;
}

void skr_relay_finish(struct skr_relay *r, struct skr_request *q)
{
    if (q->own) {
        skr_headers_listed(q);
        return;
    }
    if (q->subject.tells_capabilities && r->promises && !q->failed && q->value == q->small) {
        q->value_n = skr_know_promise(&r->know, q->small, q->value_n, sizeof q->small);
    }
    if (ask_next(q)) {
        return;
    }
    skr_names_result(q);
    q->state = SKR_REQUEST_DONE;
}

/* ---- Doubt ---- */

static uint32_t sum_of(struct skr_span s)
{
    uint32_t crc = SKR_CRC_START;
    for (size_t i = 0; i < s.n; i++) {
        crc = skr_crc_add(crc, (uint8_t)s.p[i]);
    }
    return crc;
}

/* True when so many answers before were the same. */
static bool agrees(struct skr_request *q, struct skr_span answer, unsigned wanted)
{
    uint32_t sum = sum_of(answer);
    for (unsigned i = 0; i < q->vote_count; i++) {
        wanted -= wanted > 0 && q->votes[i] == sum;
    }
    if (q->vote_count < SKR_BRIDGE_TRIES) {
        q->votes[q->vote_count++] = sum;
    }
    return wanted == 0;
}

/* On a line that has shown noise two answers are not enough: to drop the one or the other of
 * two equal letters comes to the same. And different damage to a question easily leads to
 * the same error. */
static bool is_believed(struct skr_relay *r, struct skr_request *q, struct skr_span answer, bool error, bool proven)
{
    bool doubtful = r->cable.state == SKR_CABLE_PLAIN && !r->trusted && q->repeatable && !proven;
    return !doubtful || agrees(q, answer, !r->noisy ? 1 : error ? 3 : 2);
}

/* A file that came as it lies in the image becomes a plain one. False when it cannot, and what follows has been done. */
static bool expand(struct skr_relay *r, struct skr_request *q, struct skr_span *message)
{
    static const char why[] = "The compressed file that the device sent cannot be inflated";
    if (q->subject.kind == SKR_SUBJECT_FILE) {
        message->n = skr_stored_expand(r->cable.in, message->n, r->cable.in_size);
    }
    if (message->n > 0) {
        return true;
    }
    if (r->cable.state == SKR_CABLE_PLAIN) {
        r->noisy = true;
        skr_relay_retry(r, q, why);
    } else {
        r->in_flight--;
        skr_relay_fail(q, why);
    }
    return false;
}

/* The device says what the mark of its answer is: that of what was kept, or the answer itself is asked for. */
static void take_mark(struct skr_relay *r, struct skr_request *q, struct skr_span mark)
{
    bool kept = skr_relay_recall(r, q, skr_know_kept);
    struct skr_span answer = {q->value, q->value_n};
    if (!kept || !skr_mark_fits(q, mark, answer)) {
        skr_request_give_back(q);
        skr_know_drop(&r->know, &q->subject);
        q->mark_failed = true;
        skr_relay_retry(r, q, "The device has no answer but a mark");
        return;
    }
    skr_know_confirm(&r->know, &q->subject, answer);
    r->in_flight--;
    skr_talk_end(q);
    if (q->first) {
        r->shaken = q->client;
    }
    skr_relay_finish(r, q);
}

static void take_answer(struct skr_relay *r, struct skr_request *q, struct skr_span message)
{
    struct skr_span mark = skr_mark_in(q, skri_scan_get(message, "result"));
    if (mark.p != NULL) {
        take_mark(r, q, mark);
        return;
    }
    if (!expand(r, q, &message)) {
        return;
    }
    struct skr_span result = skri_scan_get(message, "result"), error = skri_scan_get(message, "error");
    struct skr_span answer = result.p != NULL ? result : error;
    enum skr_verdict_of_result verdict = SKR_RESULT_FINE;
    if (answer.p == NULL && !q->repeatable) {
        r->in_flight--;
        skr_relay_fail(q, "The answer has neither result nor error; whether it was done is not known");
        return;
    }
    if (answer.p == NULL) {
        skr_relay_retry(r, q, "The device answers, but with neither result nor error");
        return;
    }
    if (q->subject.kind == SKR_SUBJECT_FILE && result.p != NULL) {
        verdict = skr_know_result(&r->know, &q->subject, result);
    }
    if (verdict == SKR_RESULT_DAMAGED && r->cable.state == SKR_CABLE_PLAIN) {
        r->noisy = true;
        skr_relay_retry(r, q, "The content does not have the digest the device told for it; the line may be noisy");
        return;
    }
    if (verdict == SKR_RESULT_DAMAGED) {
        skr_say("%s: a file does not have the digest the device told for it", r->cable.path);
    }
    if (!is_believed(r, q, answer, result.p == NULL, verdict == SKR_RESULT_PROVEN)) {
        r->noisy |= q->vote_count > 1;
        skr_relay_retry(r, q, "The answers of the device do not agree; the line is too noisy");
        return;
    }
    if (q->subject.kind != SKR_SUBJECT_FILE && result.p != NULL) {
        (void)skr_know_result(&r->know, &q->subject, result);
    }
    r->in_flight--;
    skr_talk_end(q);
    q->failed = result.p == NULL;
    q->code = q->failed ? skr_scan_int(skri_scan_get(error, "code")) : 0;
    q->value = (char *)(uintptr_t)answer.p;
    q->value_n = answer.n;
    keep(r, q);
    if (q->first && !q->failed) {
        r->shaken = q->client;
    }
    skr_relay_finish(r, q);
}

/* Something came that is no answer to anything. On a plain line it may have been meant as one; or, `refused`, the device
 * could not read what was sent. That is one line, and it does not say which. So what may not be done twice is sent again
 * only if there is no other line that it could be. What waits for its client's answer is not waited for here. */
static void on_damage(struct skr_relay *r, bool refused)
{
    if (r->cable.state != SKR_CABLE_PLAIN) {
        return;
    }
    bool last = refused && r->read + 1 == r->cable.sent; /* it is the one that was sent last */
    r->noisy = true;
    r->read += last;
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        if (q->relay != r || q->state != SKR_REQUEST_SENT || q->asked_count > 0) {
            continue;
        }
        if (q->repeatable || (last && q->line == r->cable.sent)) {
            skr_relay_retry(r, q, "The answer was damaged each time; the line is too noisy");
        } else {
            r->in_flight--;
            skr_relay_fail(q, refused ? "The line was noisy while this was under way; whether it was done is not known"
                                      : "The answer was damaged on the line; whether it was done is not known");
        }
    }
    r->shaking = -1;
    if (!refused) {
        skr_cable_end_line(&r->cable);
    }
}

/* Bytes at the beginning of an answer in which its id is looked for. */
#define HEAD 128

/* Of a message that did not fit there is only the beginning. False when it does not say whose it was. */
static bool on_too_long(struct skr_relay *r)
{
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        bool waits = q->relay == r && (q->state == SKR_REQUEST_SENT || q->state == SKR_REQUEST_DROPPED);
        if (!waits || memmem(r->cable.in, HEAD, q->wire_id, SKR_WIRE_ID) == NULL) {
            continue;
        }
        r->in_flight--;
        if (q->state == SKR_REQUEST_DROPPED) {
            skr_request_release(q);
        } else {
            q->repeatable = false; /* it would be as long again */
            skr_relay_fail(q, "The answer has more bytes than SKR_BRIDGE_LARGE");
        }
        return true;
    }
    return false;
}

/* The device ends what the bridge has asked to hear of, or refuses it. */
static void on_news_end(struct skr_relay *r, bool refused)
{
    r->news_id[0] = '\0';
    r->has_news = !refused || r->few_news;
    r->few_news |= refused;
}

/* Which lists a notification says have changed, enum skr_news_bit. Skills are resources, and the bridge asks to hear of
 * those alone. */
static unsigned changed_lists(struct skr_span method)
{
    static const struct {
        const char *method;
        unsigned kinds;
    } known[] = {
        {"notifications/tools/list_changed", SKR_NEWS_TOOLS},
        {"notifications/prompts/list_changed", SKR_NEWS_PROMPTS},
        {"notifications/resources/list_changed", SKR_NEWS_RESOURCES | SKR_NEWS_SKILLS},
        {"notifications/skills/list_changed", SKR_NEWS_SKILLS},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (skri_scan_is(method, known[i].method)) {
            return known[i].kinds;
        }
    }
    return 0;
}

static void on_notification(struct skr_relay *r, struct skr_span method, struct skr_span params)
{
    struct skr_span meta = skri_scan_get(params, "_meta");
    if (r->news_id[0] != '\0' && skri_scan_get(meta, "io.modelcontextprotocol/subscriptionId").p == NULL) {
        return; /* meant for the client of a handshake, who hears of it by what the bridge has asked for */
    }
    if (skri_scan_is(method, "notifications/resources/updated")) {
        if (skr_watch_changed(skri_scan_inside(skri_scan_get(params, "uri")))) {
            skr_server_notify(&skr_bridge_server, SKR_CHANGES_CONTENT);
        }
        return;
    }
    unsigned kinds = changed_lists(method);
    if (kinds != 0) {
        skr_know_reset(&r->know, NULL);
        r->on_change(kinds);
    }
}

/* What a client said to introduce itself has been said again. A device that refuses it now has refused it then, unless
 * the line damaged it. */
static void on_handshake(struct skr_relay *r, bool accepted)
{
    int client = r->shaking;
    bool done = r->shake_step == SKR_SHAKE_LEVEL || accepted;
    if (done && r->shake_step == SKR_SHAKE_HAND && skr_client_level(client).n > 0) {
        r->shake_step = SKR_SHAKE_LEVEL_DUE;
        return;
    }
    r->shaking = -1;
    r->shaken = done ? client : -1;
    if (!done && r->cable.state == SKR_CABLE_PLAIN && r->shake_tries < SKR_BRIDGE_TRIES) {
        return;
    }
    r->shake_tries = 0;
    for (struct skr_request *q = skr_requests; !done && q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        if (q->relay == r && q->state == SKR_REQUEST_QUEUED && q->client == client && !q->first) {
            skr_relay_fail(q, "The device has refused the initialize request of this client; initialize again");
        }
    }
}

void skr_relay_message(void *owner, size_t n)
{
    struct skr_relay *r = owner;
    struct skr_span message = {r->cable.in, n};
    if (r->cable.in_lost && on_too_long(r)) {
        return;
    }
    if (n == 0 || skri_json_check(message.p, n) != SKR_JSON_OK) {
        on_damage(r, false);
        return;
    }
    message.n = skr_scan_compact(r->cable.in, message); /* in a stream of HTTP a CR would begin another line */
    struct skr_span id = skri_scan_get(message, "id"), method = skri_scan_get(message, "method");
    if (method.p != NULL) {
        on_notification(r, method, skri_scan_get(message, "params"));
        skr_talk_message(r, message, method, id);
        return;
    }
    if (id.p == NULL) { /* an error: the device could not read what was sent */
        on_damage(r, skri_scan_get(message, "error").p != NULL && skri_scan_get(message, "result").p == NULL);
        return;
    }
    if (r->shaking >= 0 && id.n == strlen(r->shake_id) && memcmp(id.p, r->shake_id, id.n) == 0) {
        skr_relay_has_read(r, r->shake_line);
        on_handshake(r, skri_scan_get(message, "result").p != NULL);
        return;
    }
    if (r->news_id[0] != '\0' && id.n == strlen(r->news_id) && memcmp(id.p, r->news_id, id.n) == 0) {
        on_news_end(r, skri_scan_get(message, "error").p != NULL);
        return;
    }
    for (struct skr_request *q = skr_requests; q < skr_requests + SKR_BRIDGE_REQUESTS; q++) {
        bool waits = q->relay == r && (q->state == SKR_REQUEST_SENT || q->state == SKR_REQUEST_DROPPED);
        if (waits && id.n == strlen(q->wire_id) && memcmp(id.p, q->wire_id, id.n) == 0) {
            skr_relay_has_read(r, q->line);
            if (q->state == SKR_REQUEST_DROPPED) {
                r->in_flight--;
                skr_request_release(q);
            } else {
                take_answer(r, q, message);
            }
            return;
        }
    }
}
