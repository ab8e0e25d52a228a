/* requests.c -- see requests.h.
 *
 * (1) A place that is taken is in the chain of exactly one device, in the order of arrival.
 * (2) device->under_way counts the places of its chain that are SENT and no greeting.
 * (3) While device->handshake is SENT, exactly one place of its chain is a greeting that is SENT. */
#include "requests.h"

#include "uplink.h"
#include "counts.h"
#include "message.h"
#include "say.h"
#include "text.h"
#include "text/assert.h"
#include "text/json_scan.h"
#include "text/span.h"

enum request_state {
    REQUEST_FREE,
    REQUEST_WAITS, /* for the device, its greeting or its turn */
    REQUEST_SENT,
};

struct request {
    uint8_t state;  /* enum request_state */
    bool greeting;  /* initialize, of the fleet itself */
    uint16_t next;  /* in the chain of its device, or of free places */
    uint16_t round; /* how often the place was taken: part of the id, so that a late answer finds nobody */
    uint64_t due_ms;
    struct skr_order order;
};

static struct request requests[SKR_FLEET_REQUESTS];
static uint16_t free_place, opened;
static uint32_t taken;
static void (*on_twins)(uint32_t device, uint64_t now_ms);

void skr_requests_on_twins(void (*tell)(uint32_t device, uint64_t now_ms))
{
    on_twins = tell;
}

uint32_t skr_requests_count(void)
{
    return taken;
}

static struct skr_fleet_device *device_of(const struct request *q)
{
    return &skr_registry.devices[q->order.device];
}

/* ---- Places ---- */

static struct request *take_place(uint32_t device)
{
    uint16_t at = opened < SKR_FLEET_REQUESTS ? opened : free_place;
    if (taken == SKR_FLEET_REQUESTS) {
        return NULL;
    }
    if (opened < SKR_FLEET_REQUESTS) {
        opened++;
    } else {
        free_place = requests[at].next;
    }
    struct skr_fleet_device *d = &skr_registry.devices[device];
    uint16_t *end = &d->first;
    while (*end != SKR_NO_REQUEST) {
        end = &requests[*end].next;
    }
    *end = at;
    struct request *q = &requests[at];
    *q = (struct request){.state = REQUEST_WAITS, .next = SKR_NO_REQUEST, .round = (uint16_t)(q->round + 1)};
    q->order.device = device;
    taken++;
    return q;
}

/* Takes it out of its device's chain. */
static void release(struct request *q)
{
    struct skr_fleet_device *d = device_of(q);
    uint16_t at = (uint16_t)(q - requests), *link = &d->first;
    while (*link != at) {
        SKR_ASSERT(*link != SKR_NO_REQUEST); /* (1) */
        link = &requests[*link].next;
    }
    *link = q->next;
    d->under_way = (uint16_t)(d->under_way - (q->state == REQUEST_SENT && !q->greeting));
    q->state = REQUEST_FREE;
    q->next = free_place;
    free_place = at;
    taken--;
}

/* The order is over: the place is free before its owner is told, who may order more. */
static void end(struct request *q, enum skr_fate fate, struct skr_span value)
{
    struct skr_order order = q->order;
    release(q);
    if (order.answered != NULL) {
        order.answered(order.owner, order.item, fate, value);
    }
}

/* ---- Sending ---- */

static uint32_t id_of(const struct request *q)
{
    return (uint32_t)(q - requests) * 65536u + q->round;
}

/* False while the broker has no room: it stays where it is. Otherwise it is sent, or over. */
static bool send_request(struct request *q, uint64_t now_ms)
{
    struct skr_fleet_device *d = device_of(q);
    if (q->order.may != NULL && !q->order.may(q->order.owner, q->order.item)) {
        end(q, SKR_FATE_DENIED, NOTHING);
        return true;
    }
    struct skr_span message = skr_message_request(id_of(q), &q->order);
    switch (message.p == NULL ? SKR_MQTT_TOO_LARGE
            : q->greeting     ? skr_uplink_greet(d, message)
                              : skr_uplink_send(d, message)) {
    case SKR_MQTT_FULL: return false;
    case SKR_MQTT_AWAY: end(q, SKR_FATE_OFFLINE, NOTHING); return true;
    case SKR_MQTT_TOO_LARGE:
        end(q, SKR_FATE_ERROR,
            SPAN("{\"code\":-32603,\"message\":\"The request has more bytes than the broker takes\"}"));
        return true;
    default:
        q->state = REQUEST_SENT;
        q->due_ms = now_ms + q->order.answer_ms;
        d->under_way = (uint16_t)(d->under_way + !q->greeting);
        skr_counts.sent++;
        return true;
    }
}

/* Greets the device. False: there is no room for it now. */
static bool greet(uint32_t device, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    struct request *q = skr_uplink_has_room(d) ? take_place(device) : NULL;
    if (q == NULL) {
        return false;
    }
    q->greeting = true;
    q->order.method = "initialize";
    q->order.params = SPAN(SKR_FLEET_GREETING);
    q->order.answer_ms = SKR_FLEET_HELLO_MS;
    d->greeting = id_of(q);
    if (!d->heard) {
        d->heard = true;
        skr_uplink_hear(d, true);
    }
    if (!send_request(q, now_ms)) {
        release(q);
        return false;
    }
    d->handshake = q->state == REQUEST_SENT ? SKR_HAND_SENT : SKR_HAND_NONE;
    return d->handshake == SKR_HAND_SENT;
}

/* The greeting's second half. False when the broker has no room for it. */
static bool introduce(struct skr_fleet_device *d)
{
    struct skr_span initialized = SPAN("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    bool sent = skr_uplink_send(d, initialized) != SKR_MQTT_FULL;
    d->handshake = sent ? SKR_HAND_DONE : d->handshake;
    return sent;
}

/* Sends what may be sent now. False when the broker has no room for more. */
static bool go_on(uint32_t device, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    if (d->presence != SKR_PRESENT || d->first == SKR_NO_REQUEST || d->doubt == SKR_DOUBT_TWIN || !skr_uplink_is_up()) {
        return true;
    }
    if (!skr_uplink_has_room(d)) {
        return false;
    }
    if (d->handshake == SKR_HAND_HEARD && !introduce(d)) {
        return false;
    }
    if (d->handshake != SKR_HAND_DONE) {
        return d->handshake == SKR_HAND_SENT || greet(device, now_ms);
    }
    for (uint16_t at = d->first; at != SKR_NO_REQUEST && d->under_way < SKR_FLEET_PER_DEVICE;) {
        struct request *q = &requests[at];
        at = q->next;
        if (q->state == REQUEST_WAITS) {
            if (!send_request(q, now_ms)) {
                return false;
            }
            at = q->state == REQUEST_SENT ? at : d->first; /* its owner may have ordered more */
        }
    }
    return true;
}

/* ---- Orders ---- */

/* Why it cannot be sent; SKR_FATE_RESULT: it can. */
static enum skr_fate obstacle(uint32_t device, uint64_t now_ms)
{
    const struct skr_fleet_device *d = &skr_registry.devices[device];
    switch (d->presence) {
    case SKR_REFUSED: return SKR_FATE_REFUSED;
    case SKR_AWAY: return SKR_FATE_AWAY;
    case SKR_SILENT: return now_ms - d->tried_ms < SKR_FLEET_SILENT_MS ? SKR_FATE_SILENT : SKR_FATE_RESULT;
    default: return skr_uplink_is_up() ? SKR_FATE_RESULT : SKR_FATE_OFFLINE;
    }
}

bool skr_request_take(const struct skr_order *order, uint64_t now_ms)
{
    enum skr_fate why = obstacle(order->device, now_ms);
    bool waits = order->wait_ms > 0 && (why == SKR_FATE_AWAY || why == SKR_FATE_OFFLINE || why == SKR_FATE_SILENT);
    if (why != SKR_FATE_RESULT && !waits) {
        order->answered(order->owner, order->item, why, NOTHING);
        return true;
    }
    if (taken + 1 >= SKR_FLEET_REQUESTS) { /* the last place is for a greeting */
        return false;
    }
    struct request *q = take_place(order->device);
    q->order = *order;
    q->due_ms = now_ms + (waits ? order->wait_ms : SKR_FLEET_ANSWER_MS);
    if (device_of(q)->presence == SKR_SILENT && why == SKR_FATE_RESULT) {
        skr_registry_set(order->device, SKR_PRESENT, now_ms); /* one more chance */
    }
    (void)go_on(order->device, now_ms);
    return true;
}

/* The device has answered a ping. A device that did not was found out by expire. */
static void ponged(uint32_t owner, uint32_t item, enum skr_fate fate, struct skr_span value)
{
    struct skr_fleet_device *d = &skr_registry.devices[owner];
    (void)item, (void)value;
    d->pinged = false;
    if (fate <= SKR_FATE_ERROR && d->doubt == SKR_DOUBT_THERE) {
        d->doubt = SKR_DOUBT_NONE;
    }
}

bool skr_requests_probe(uint32_t device, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    if (d->handshake == SKR_HAND_SENT || d->pinged || d->sure_ms != 0) {
        return true; /* that will tell */
    }
    if (taken >= SKR_FLEET_PROBES) {
        return false;
    }
    if (d->doubt == SKR_DOUBT_TWIN && d->under_way > 0) {
        return true; /* another greeting might end what is under way; turn comes back */
    }
    if (d->doubt == SKR_DOUBT_TWIN || d->handshake == SKR_HAND_NONE) {
        return greet(device, now_ms);
    }
    struct skr_order ping = {device, "ping", .params = {"", 0}, .answered = ponged, .owner = device};
    ping.answer_ms = SKR_FLEET_HELLO_MS;
    d->pinged = skr_uplink_has_room(d) && skr_request_take(&ping, now_ms);
    return d->pinged;
}

static void cancel(const struct request *q)
{
    (void)skr_uplink_send(device_of(q), skr_message_cancel(id_of(q)));
}

void skr_requests_forget(skr_answered_fn *answered, uint32_t owner)
{
    for (struct request *q = requests; q < requests + opened; q++) {
        if (q->state != REQUEST_FREE && q->order.answered == answered && q->order.owner == owner) {
            if (q->state == REQUEST_SENT && q->order.runs) {
                cancel(q);
            }
            release(q);
        }
    }
}

/* ---- Answers ---- */

static struct request *find(uint32_t device, struct skr_span id)
{
    uint64_t number = skr_text_value(id);
    struct request *q = number / 65536u < opened ? &requests[number / 65536u] : NULL;
    bool ours = q != NULL && q->state == REQUEST_SENT && id_of(q) == number && q->order.device == device;
    return ours ? q : NULL;
}

/* It should be there and does not answer. */
static void fall_silent(uint32_t device, uint64_t now_ms)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    d->tried_ms = now_ms;
    d->silences = (uint8_t)(d->silences + (d->silences < SKR_FLEET_SILENT_TIMES));
    d->doubt = SKR_DOUBT_NONE;
    skr_registry_set(device, SKR_SILENT, now_ms);
    skr_requests_device_down(device, SKR_FATE_SILENT);
}

/* The device has answered initialize, or has not. */
static void greeted(struct request *q, bool accepted, uint64_t now_ms)
{
    uint32_t device = q->order.device;
    struct skr_fleet_device *d = device_of(q);
    release(q);
    d->handshake = accepted ? SKR_HAND_HEARD : SKR_HAND_NONE;
    if (!accepted) {
        fall_silent(device, now_ms);
        return;
    }
    d->silences = 0;
    if (d->presence == SKR_SILENT) {
        skr_registry_set(device, SKR_PRESENT, now_ms);
    }
    if (d->doubt == SKR_DOUBT_TWIN) {
        d->sure_ms = now_ms + SKR_FLEET_TWIN_MS;
    } else {
        d->doubt = SKR_DOUBT_NONE;
        (void)go_on(device, now_ms);
    }
}

/* One more message that answers nothing. False: there have been too many. */
static bool is_bearable(uint32_t device, uint64_t now_ms)
{
    const struct skr_fleet_device *d = &skr_registry.devices[device];
    bool few = skr_registry_count_stray(device, now_ms);
    if (!few && d->presence != SKR_SILENT) {
        skr_say("%s: sends more than %d messages in a second that answer nothing; it is not heard any longer", d->id,
                SKR_FLEET_STRAYS);
        fall_silent(device, now_ms);
    }
    return few;
}

void skr_requests_stray(uint32_t device, uint64_t now_ms)
{
    skr_counts.strays++;
    (void)is_bearable(device, now_ms);
}

/* An answer that nobody waits for. A second one to a greeting comes from a second device. */
static void on_stray(uint32_t device, struct skr_span id, uint64_t now_ms)
{
    const struct skr_fleet_device *d = &skr_registry.devices[device];
    skr_requests_stray(device, now_ms);
    if (d->doubt == SKR_DOUBT_TWIN && d->sure_ms != 0 && skr_text_value(id) == d->greeting) {
        on_twins(device, now_ms);
    }
}

/* How far it is. A device that tells has longer to answer. */
static void on_progress(uint32_t device, struct skr_span params, uint64_t now_ms)
{
    struct request *q = find(device, skri_scan_get(params, "progressToken"));
    if (q == NULL || q->order.progress == NULL) {
        skr_requests_stray(device, now_ms);
    } else if (is_bearable(device, now_ms)) {
        q->due_ms = now_ms + q->order.answer_ms;
        q->order.progress(q->order.owner, q->order.item, params);
    }
}

/* It has a method: it answers nothing. */
static void on_call(uint32_t device, struct skr_span method, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skri_scan_get(message, "id");
    if (id.p != NULL && id.n < 128) {
        if (is_bearable(device, now_ms)) {
            (void)skr_uplink_send(&skr_registry.devices[device], skr_message_reply(id, method));
        }
    } else if (skri_scan_is(method, "notifications/progress")) {
        on_progress(device, skri_scan_get(message, "params"), now_ms);
    } else {
        skr_requests_stray(device, now_ms);
    }
}

void skr_requests_message(uint32_t device, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skri_scan_get(message, "id"), method = skri_scan_get(message, "method");
    struct skr_span result = skri_scan_get(message, "result"), error = skri_scan_get(message, "error");
    struct request *q = result.p != NULL || error.p != NULL ? find(device, id) : NULL;
    if (method.p != NULL) {
        on_call(device, method, message, now_ms);
    } else if (q == NULL) {
        on_stray(device, id, now_ms);
    } else if (q->greeting) {
        greeted(q, result.p != NULL, now_ms);
    } else {
        end(q, result.p != NULL ? SKR_FATE_RESULT : SKR_FATE_ERROR, result.p != NULL ? result : error);
        (void)go_on(device, now_ms);
    }
}

/* ---- Up and down ---- */

void skr_requests_device_up(uint32_t device, uint64_t now_ms)
{
    (void)go_on(device, now_ms);
}

void skr_requests_device_down(uint32_t device, enum skr_fate fate)
{
    struct skr_fleet_device *d = &skr_registry.devices[device];
    d->handshake = SKR_HAND_NONE;
    d->sure_ms = 0;
    if (d->heard) {
        d->heard = false;
        skr_uplink_hear(d, false);
    }
    for (uint16_t at = d->first, next; at != SKR_NO_REQUEST; at = next) {
        struct request *q = &requests[at];
        next = q->next;
        if (q->greeting) {
            release(q);
        } else if (q->state == REQUEST_SENT) {
            end(q, SKR_FATE_BREAK, NOTHING);
            next = d->first; /* an owner may have ordered more */
        } else if (q->order.wait_ms == 0 || fate == SKR_FATE_REFUSED) {
            end(q, fate, NOTHING);
            next = d->first;
        }
    }
}

void skr_requests_broker_down(void)
{
    for (struct request *q = requests; q < requests + opened; q++) {
        if (q->state != REQUEST_FREE) {
            skr_requests_device_down(q->order.device, SKR_FATE_OFFLINE);
        }
    }
    for (uint32_t i = 0; i < skr_registry.count; i++) {
        skr_registry.devices[skr_registry.order[i]].handshake = SKR_HAND_NONE;
        skr_registry.devices[skr_registry.order[i]].heard = false;
    }
}

/* ---- Time ---- */

static void expire(struct request *q, uint64_t now_ms)
{
    uint32_t device = q->order.device;
    if (q->greeting) {
        greeted(q, false, now_ms);
    } else if (q->state == REQUEST_SENT && q->order.answered == ponged) {
        end(q, SKR_FATE_LATE, NOTHING);
        fall_silent(device, now_ms);
    } else if (q->state == REQUEST_SENT) {
        struct skr_fleet_device *d = device_of(q);
        d->doubt = d->doubt == SKR_DOUBT_NONE ? SKR_DOUBT_THERE : d->doubt;
        cancel(q);
        end(q, SKR_FATE_LATE, NOTHING);
        (void)go_on(device, now_ms);
    } else {
        enum skr_fate why = obstacle(device, now_ms);
        end(q, why != SKR_FATE_RESULT ? why : SKR_FATE_SILENT, NOTHING);
    }
}

/* Nobody else has answered its greeting in time: there is one of it. */
static void check_twin(struct request *q, uint64_t now_ms)
{
    struct skr_fleet_device *d = device_of(q);
    if (d->sure_ms != 0 && now_ms >= d->sure_ms) {
        d->sure_ms = 0;
        d->doubt = SKR_DOUBT_NONE;
    }
}

uint32_t skr_requests_turn(uint64_t now_ms)
{
    static uint16_t from; /* so that none is always the last */
    uint64_t next = now_ms + 1000;
    for (uint16_t i = 0; i < opened; i++) {
        struct request *q = &requests[(from + i) % opened];
        if (q->state == REQUEST_FREE) {
            continue;
        }
        check_twin(q, now_ms);
        if (q->due_ms <= now_ms) {
            expire(q, now_ms);
            continue;
        }
        next = q->due_ms < next ? q->due_ms : next;
        if (q->state == REQUEST_WAITS) {
            (void)go_on(q->order.device, now_ms);
        }
    }
    from = (uint16_t)(opened > 0 ? (from + 1) % opened : 0);
    return (uint32_t)(next - now_ms);
}
