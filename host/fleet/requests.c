/* requests.c -- see requests.h.
 *
 * (1) A place that is taken is in the chain of exactly one device, in the order of arrival.
 * (2) device->under_way counts the places of its chain that are SENT and no greeting.
 * (3) While device->handshake is SENT, exactly one place of its chain is a greeting that is SENT. */
#include "requests.h"

#include "uplink.h"
#include "counters.h"
#include "message.h"
#include "console.h"
#include "json_text.h"
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
    struct fleet_order order;
};

static struct request requests[FLEET_REQUESTS];
static uint16_t free_place, opened;
static uint32_t taken;
static void (*on_twins)(uint32_t device, uint64_t now_ms);

void fleet_requests_on_twins(void (*tell)(uint32_t device, uint64_t now_ms))
{
    on_twins = tell;
}

uint32_t fleet_requests_count(void)
{
    return taken;
}

static struct fleet_device *device_of(const struct request *q)
{
    return &fleet_registry.devices[q->order.device];
}

/* ---- Places ---- */

static struct request *take_place(uint32_t device)
{
    uint16_t at = opened < FLEET_REQUESTS ? opened : free_place;
    if (taken == FLEET_REQUESTS) {
        return NULL;
    }
    if (opened < FLEET_REQUESTS) {
        opened++;
    } else {
        free_place = requests[at].next;
    }
    struct fleet_device *d = &fleet_registry.devices[device];
    uint16_t *end = &d->first;
    while (*end != FLEET_NO_REQUEST) {
        end = &requests[*end].next;
    }
    *end = at;
    struct request *q = &requests[at];
    *q = (struct request){.state = REQUEST_WAITS, .next = FLEET_NO_REQUEST, .round = (uint16_t)(q->round + 1)};
    q->order.device = device;
    taken++;
    return q;
}

/* Takes it out of its device's chain. */
static void release(struct request *q)
{
    struct fleet_device *d = device_of(q);
    uint16_t at = (uint16_t)(q - requests), *link = &d->first;
    while (*link != at) {
        SKR_ASSERT(*link != FLEET_NO_REQUEST); /* (1) */
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
static void end(struct request *q, enum fleet_fate fate, struct skr_span value)
{
    struct fleet_order order = q->order;
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
    struct fleet_device *d = device_of(q);
    if (q->order.may != NULL && !q->order.may(q->order.owner, q->order.item)) {
        end(q, FLEET_FATE_DENIED, NOTHING);
        return true;
    }
    struct skr_span message = fleet_message_request(id_of(q), &q->order);
    switch (message.p == NULL ? MQTT_TOO_LARGE
            : q->greeting     ? fleet_uplink_greet(d, message)
                              : fleet_uplink_send(d, message)) {
    case MQTT_FULL: return false;
    case MQTT_AWAY: end(q, FLEET_FATE_OFFLINE, NOTHING); return true;
    case MQTT_TOO_LARGE:
        end(q, FLEET_FATE_ERROR,
            SPAN("{\"code\":-32603,\"message\":\"The request has more bytes than the broker takes\"}"));
        return true;
    default:
        q->state = REQUEST_SENT;
        q->due_ms = now_ms + q->order.answer_ms;
        d->under_way = (uint16_t)(d->under_way + !q->greeting);
        fleet_counters.sent++;
        return true;
    }
}

/* Greets the device. False: there is no room for it now. */
static bool greet(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    struct request *q = fleet_uplink_has_room(d) ? take_place(device) : NULL;
    if (q == NULL) {
        return false;
    }
    q->greeting = true;
    q->order.method = "initialize";
    q->order.params = SPAN(FLEET_GREETING);
    q->order.answer_ms = FLEET_HELLO_MS;
    d->greeting = id_of(q);
    if (!d->heard) {
        d->heard = true;
        fleet_uplink_hear(d, true);
    }
    if (!send_request(q, now_ms)) {
        release(q);
        return false;
    }
    d->handshake = q->state == REQUEST_SENT ? FLEET_HAND_SENT : FLEET_HAND_NONE;
    return d->handshake == FLEET_HAND_SENT;
}

/* The greeting's second half. False when the broker has no room for it. */
static bool introduce(struct fleet_device *d)
{
    struct skr_span initialized = SPAN("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    bool sent = fleet_uplink_send(d, initialized) != MQTT_FULL;
    d->handshake = sent ? FLEET_HAND_DONE : d->handshake;
    return sent;
}

/* Sends what may be sent now. False when the broker has no room for more. */
static bool go_on(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    if (d->presence != FLEET_PRESENT || d->first == FLEET_NO_REQUEST || d->doubt == FLEET_DOUBT_TWIN ||
        !fleet_uplink_is_up()) {
        return true;
    }
    if (!fleet_uplink_has_room(d)) {
        return false;
    }
    if (d->handshake == FLEET_HAND_HEARD && !introduce(d)) {
        return false;
    }
    if (d->handshake != FLEET_HAND_DONE) {
        return d->handshake == FLEET_HAND_SENT || greet(device, now_ms);
    }
    for (uint16_t at = d->first; at != FLEET_NO_REQUEST && d->under_way < FLEET_PER_DEVICE;) {
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

/* Why it cannot be sent; FLEET_FATE_RESULT: it can. */
static enum fleet_fate obstacle(uint32_t device, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];
    switch (d->presence) {
    case FLEET_REFUSED: return FLEET_FATE_REFUSED;
    case FLEET_AWAY: return FLEET_FATE_AWAY;
    case FLEET_SILENT: return now_ms - d->tried_ms < FLEET_SILENT_MS ? FLEET_FATE_SILENT : FLEET_FATE_RESULT;
    default: return fleet_uplink_is_up() ? FLEET_FATE_RESULT : FLEET_FATE_OFFLINE;
    }
}

bool fleet_request_take(const struct fleet_order *order, uint64_t now_ms)
{
    enum fleet_fate why = obstacle(order->device, now_ms);
    bool waits =
        order->wait_ms > 0 && (why == FLEET_FATE_AWAY || why == FLEET_FATE_OFFLINE || why == FLEET_FATE_SILENT);
    if (why != FLEET_FATE_RESULT && !waits) {
        order->answered(order->owner, order->item, why, NOTHING);
        return true;
    }
    if (taken + 1 >= FLEET_REQUESTS) { /* the last place is for a greeting */
        return false;
    }
    struct request *q = take_place(order->device);
    q->order = *order;
    q->due_ms = now_ms + (waits ? order->wait_ms : FLEET_RESPONSE_MS);
    if (device_of(q)->presence == FLEET_SILENT && why == FLEET_FATE_RESULT) {
        fleet_registry_set(order->device, FLEET_PRESENT, now_ms); /* one more chance */
    }
    (void)go_on(order->device, now_ms);
    return true;
}

/* The device has answered a ping. A device that did not was found out by expire. */
static void ponged(uint32_t owner, uint32_t item, enum fleet_fate fate, struct skr_span value)
{
    struct fleet_device *d = &fleet_registry.devices[owner];
    (void)item, (void)value;
    d->pinged = false;
    if (fate <= FLEET_FATE_ERROR && d->doubt == FLEET_DOUBT_THERE) {
        d->doubt = FLEET_DOUBT_NONE;
    }
}

bool fleet_requests_probe(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    if (d->handshake == FLEET_HAND_SENT || d->pinged || d->sure_ms != 0) {
        return true; /* that will tell */
    }
    if (taken >= FLEET_PROBES) {
        return false;
    }
    if (d->doubt == FLEET_DOUBT_TWIN && d->under_way > 0) {
        return true; /* another greeting might end what is under way; turn comes back */
    }
    if (d->doubt == FLEET_DOUBT_TWIN || d->handshake == FLEET_HAND_NONE) {
        return greet(device, now_ms);
    }
    struct fleet_order ping = {device, "ping", .params = {"", 0}, .answered = ponged, .owner = device};
    ping.answer_ms = FLEET_HELLO_MS;
    d->pinged = fleet_uplink_has_room(d) && fleet_request_take(&ping, now_ms);
    return d->pinged;
}

static void cancel(const struct request *q)
{
    (void)fleet_uplink_send(device_of(q), fleet_message_cancel(id_of(q)));
}

void fleet_requests_forget(fleet_response_fn *answered, uint32_t owner)
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
    uint64_t number = fleet_json_value(id);
    struct request *q = number / 65536u < opened ? &requests[number / 65536u] : NULL;
    bool ours = q != NULL && q->state == REQUEST_SENT && id_of(q) == number && q->order.device == device;
    return ours ? q : NULL;
}

/* It should be there and does not answer. */
static void fall_silent(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    d->tried_ms = now_ms;
    d->silences = (uint8_t)(d->silences + (d->silences < FLEET_SILENT_TIMES));
    d->doubt = FLEET_DOUBT_NONE;
    fleet_registry_set(device, FLEET_SILENT, now_ms);
    fleet_requests_device_down(device, FLEET_FATE_SILENT);
}

/* The device has answered initialize, or has not. */
static void greeted(struct request *q, bool accepted, uint64_t now_ms)
{
    uint32_t device = q->order.device;
    struct fleet_device *d = device_of(q);
    release(q);
    d->handshake = accepted ? FLEET_HAND_HEARD : FLEET_HAND_NONE;
    if (!accepted) {
        fall_silent(device, now_ms);
        return;
    }
    d->silences = 0;
    if (d->presence == FLEET_SILENT) {
        fleet_registry_set(device, FLEET_PRESENT, now_ms);
    }
    if (d->doubt == FLEET_DOUBT_TWIN) {
        d->sure_ms = now_ms + FLEET_TWIN_MS;
    } else {
        d->doubt = FLEET_DOUBT_NONE;
        (void)go_on(device, now_ms);
    }
}

/* One more message that answers nothing. False: there have been too many. */
static bool is_bearable(uint32_t device, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];
    bool few = fleet_registry_count_stray(device, now_ms);
    if (!few && d->presence != FLEET_SILENT) {
        host_log("%s: sends more than %d messages in a second that answer nothing; it is not heard any longer", d->id,
                 FLEET_STRAYS);
        fall_silent(device, now_ms);
    }
    return few;
}

void fleet_requests_stray(uint32_t device, uint64_t now_ms)
{
    fleet_counters.unexpected++;
    (void)is_bearable(device, now_ms);
}

/* An answer that nobody waits for. A second one to a greeting comes from a second device. */
static void on_stray(uint32_t device, struct skr_span id, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];
    fleet_requests_stray(device, now_ms);
    if (d->doubt == FLEET_DOUBT_TWIN && d->sure_ms != 0 && fleet_json_value(id) == d->greeting) {
        on_twins(device, now_ms);
    }
}

/* How far it is. A device that tells has longer to answer. */
static void on_progress(uint32_t device, struct skr_span params, uint64_t now_ms)
{
    struct request *q = find(device, skr_scan_get(params, "progressToken"));
    if (q == NULL || q->order.progress == NULL) {
        fleet_requests_stray(device, now_ms);
    } else if (is_bearable(device, now_ms)) {
        q->due_ms = now_ms + q->order.answer_ms;
        q->order.progress(q->order.owner, q->order.item, params);
    }
}

/* It has a method: it answers nothing. */
static void on_call(uint32_t device, struct skr_span method, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(message, "id");
    if (id.p != NULL && id.n < 128) {
        if (is_bearable(device, now_ms)) {
            (void)fleet_uplink_send(&fleet_registry.devices[device], fleet_message_reply(id, method));
        }
    } else if (skr_scan_is(method, "notifications/progress")) {
        on_progress(device, skr_scan_get(message, "params"), now_ms);
    } else {
        fleet_requests_stray(device, now_ms);
    }
}

void fleet_requests_message(uint32_t device, struct skr_span message, uint64_t now_ms)
{
    struct skr_span id = skr_scan_get(message, "id"), method = skr_scan_get(message, "method");
    struct skr_span result = skr_scan_get(message, "result"), error = skr_scan_get(message, "error");
    struct request *q = result.p != NULL || error.p != NULL ? find(device, id) : NULL;
    if (method.p != NULL) {
        on_call(device, method, message, now_ms);
    } else if (q == NULL) {
        on_stray(device, id, now_ms);
    } else if (q->greeting) {
        greeted(q, result.p != NULL, now_ms);
    } else {
        end(q, result.p != NULL ? FLEET_FATE_RESULT : FLEET_FATE_ERROR, result.p != NULL ? result : error);
        (void)go_on(device, now_ms);
    }
}

/* ---- Up and down ---- */

void fleet_requests_device_up(uint32_t device, uint64_t now_ms)
{
    (void)go_on(device, now_ms);
}

void fleet_requests_device_down(uint32_t device, enum fleet_fate fate)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    d->handshake = FLEET_HAND_NONE;
    d->sure_ms = 0;
    if (d->heard) {
        d->heard = false;
        fleet_uplink_hear(d, false);
    }
    for (uint16_t at = d->first, next; at != FLEET_NO_REQUEST; at = next) {
        struct request *q = &requests[at];
        next = q->next;
        if (q->greeting) {
            release(q);
        } else if (q->state == REQUEST_SENT) {
            end(q, FLEET_FATE_BREAK, NOTHING);
            next = d->first; /* an owner may have ordered more */
        } else if (q->order.wait_ms == 0 || fate == FLEET_FATE_REFUSED) {
            end(q, fate, NOTHING);
            next = d->first;
        }
    }
}

void fleet_requests_broker_down(void)
{
    for (struct request *q = requests; q < requests + opened; q++) {
        if (q->state != REQUEST_FREE) {
            fleet_requests_device_down(q->order.device, FLEET_FATE_OFFLINE);
        }
    }
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        fleet_registry.devices[fleet_registry.order[i]].handshake = FLEET_HAND_NONE;
        fleet_registry.devices[fleet_registry.order[i]].heard = false;
    }
}

/* ---- Time ---- */

static void expire(struct request *q, uint64_t now_ms)
{
    uint32_t device = q->order.device;
    if (q->greeting) {
        greeted(q, false, now_ms);
    } else if (q->state == REQUEST_SENT && q->order.answered == ponged) {
        end(q, FLEET_FATE_LATE, NOTHING);
        fall_silent(device, now_ms);
    } else if (q->state == REQUEST_SENT) {
        struct fleet_device *d = device_of(q);
        d->doubt = d->doubt == FLEET_DOUBT_NONE ? FLEET_DOUBT_THERE : d->doubt;
        cancel(q);
        end(q, FLEET_FATE_LATE, NOTHING);
        (void)go_on(device, now_ms);
    } else {
        enum fleet_fate why = obstacle(device, now_ms);
        end(q, why != FLEET_FATE_RESULT ? why : FLEET_FATE_SILENT, NOTHING);
    }
}

/* Nobody else has answered its greeting in time: there is one of it. */
static void check_twin(struct request *q, uint64_t now_ms)
{
    struct fleet_device *d = device_of(q);
    if (d->sure_ms != 0 && now_ms >= d->sure_ms) {
        d->sure_ms = 0;
        d->doubt = FLEET_DOUBT_NONE;
    }
}

uint32_t fleet_requests_turn(uint64_t now_ms)
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
