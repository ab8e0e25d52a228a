/* requests.c -- see requests.h: requests to devices, and the handshake before them. */
#include "requests.h"

#include "counters.h"
#include "json_text.h"
#include "message.h"
#include "request_table.h"
#include "text/span.h"
#include "uplink.h"

static void (*on_duplicate)(uint32_t device, uint64_t now_ms);

void fleet_requests_on_duplicate(void (*notify)(uint32_t device, uint64_t now_ms))
{
    on_duplicate = notify;
}

uint32_t fleet_requests_count(void)
{
    return fleet_table.taken;
}

/* ---- Sending ---- */

/* False while the broker has no room: the request stays. Otherwise it is sent, or has ended. */
static bool send_row(struct fleet_row *row, uint64_t now_ms)
{
    struct fleet_device *d = fleet_row_device(row);
    const struct fleet_request *request = &row->request;

    if (request->may != NULL && !request->may(request->owner)) {
        fleet_row_end(row, FLEET_OUTCOME_DENIED, NOTHING);
        return true;
    }
    struct skr_span message = fleet_message_request(fleet_row_id(row), request);
    switch (message.p == NULL ? MQTT_TOO_LARGE
            : row->initialize ? fleet_uplink_initialize(d, message)
                              : fleet_uplink_send(d, message)) {
    case MQTT_FULL: return false;
    case MQTT_AWAY: fleet_row_end(row, FLEET_OUTCOME_OFFLINE, NOTHING); return true;
    case MQTT_TOO_LARGE:
        fleet_row_end(row, FLEET_OUTCOME_ERROR,
                      SPAN("{\"code\":-32603,\"message\":\"The request has more bytes than the broker takes\"}"));
        return true;
    default:
        row->state = FLEET_ROW_SENT;
        row->due_ms = now_ms + request->response_ms;
        d->sent = (uint16_t)(d->sent + !row->initialize);
        fleet_counters.sent++;
        return true;
    }
}

/* Sends initialize. False: there is no room for it now. */
static bool send_initialize(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];
    struct fleet_row *row = fleet_uplink_has_room(d) ? fleet_row_take(device) : NULL;

    if (row == NULL) {
        return false;
    }
    row->initialize = true;
    row->request.method = "initialize";
    row->request.params = SPAN(FLEET_INITIALIZE);
    row->request.response_ms = FLEET_INITIALIZE_MS;
    d->initialize_id = fleet_row_id(row);
    if (!d->subscribed) {
        d->subscribed = true;
        fleet_uplink_subscribe(d, true);
    }
    if (!send_row(row, now_ms)) {
        fleet_row_release(row);
        return false;
    }
    d->handshake = row->state == FLEET_ROW_SENT ? FLEET_HAND_SENT : FLEET_HAND_NONE;
    return d->handshake == FLEET_HAND_SENT;
}

/* The end of the handshake. False when the broker has no room for it. */
static bool send_initialized(struct fleet_device *d)
{
    struct skr_span initialized = SPAN("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    bool sent = fleet_uplink_send(d, initialized) != MQTT_FULL;

    d->handshake = sent ? FLEET_HAND_DONE : d->handshake;
    return sent;
}

bool fleet_requests_send(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    if (d->presence != FLEET_PRESENT || d->first == FLEET_NO_REQUEST || d->doubt == FLEET_DOUBT_DUPLICATE ||
        !fleet_uplink_is_up()) {
        return true;
    }
    if (!fleet_uplink_has_room(d) || (d->handshake == FLEET_HAND_ACCEPTED && !send_initialized(d))) {
        return false;
    }
    if (d->handshake != FLEET_HAND_DONE) {
        return d->handshake == FLEET_HAND_SENT || send_initialize(device, now_ms);
    }
    for (uint16_t at = d->first; at != FLEET_NO_REQUEST && d->sent < FLEET_PER_DEVICE;) {
        struct fleet_row *row = &fleet_table.rows[at];
        at = row->next;
        if (row->state == FLEET_ROW_WAITS) {
            if (!send_row(row, now_ms)) {
                return false;
            }
            at = row->state == FLEET_ROW_SENT ? at : d->first; /* its owner may have submitted more */
        }
    }
    return true;
}

static void request_cancel(const struct fleet_row *row)
{
    (void)fleet_uplink_send(fleet_row_device(row), fleet_message_cancel(fleet_row_id(row)));
}

/* ---- Submission ---- */

/* Why nothing can be sent to the device; FLEET_OUTCOME_RESULT: it can. */
static enum fleet_outcome device_obstacle(uint32_t device, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];

    switch (d->presence) {
    case FLEET_REFUSED: return FLEET_OUTCOME_REFUSED;
    case FLEET_AWAY: return FLEET_OUTCOME_AWAY;
    case FLEET_SILENT: return now_ms - d->tried_ms < FLEET_SILENT_MS ? FLEET_OUTCOME_SILENT : FLEET_OUTCOME_RESULT;
    default: return fleet_uplink_is_up() ? FLEET_OUTCOME_RESULT : FLEET_OUTCOME_OFFLINE;
    }
}

bool fleet_request_submit(const struct fleet_request *request, uint64_t now_ms)
{
    enum fleet_outcome why = device_obstacle(request->device, now_ms);
    bool temporary = why == FLEET_OUTCOME_AWAY || why == FLEET_OUTCOME_OFFLINE || why == FLEET_OUTCOME_SILENT;
    bool waits = request->wait_ms > 0 && temporary;

    if (why != FLEET_OUTCOME_RESULT && !waits) {
        request->done(request->owner, why, NOTHING);
        return true;
    }
    if (fleet_table.taken + 1 >= FLEET_REQUESTS) { /* the last row is for an initialize */
        return false;
    }
    struct fleet_row *row = fleet_row_take(request->device);
    row->request = *request;
    row->due_ms = now_ms + (waits ? request->wait_ms : FLEET_RESPONSE_MS);
    if (fleet_row_device(row)->presence == FLEET_SILENT && why == FLEET_OUTCOME_RESULT) {
        fleet_registry_set(request->device, FLEET_PRESENT, now_ms); /* one more attempt */
    }
    (void)fleet_requests_send(request->device, now_ms);
    return true;
}

void fleet_requests_forget(const void *owner)
{
    for (struct fleet_row *row = fleet_table.rows; row < fleet_table.rows + fleet_table.opened; row++) {
        if (row->state != FLEET_ROW_FREE && !row->initialize && row->request.owner == owner) {
            if (row->state == FLEET_ROW_SENT && row->request.runs) {
                request_cancel(row);
            }
            fleet_row_release(row);
        }
    }
}

/* ---- Is the device there, and only once? ---- */

void fleet_requests_silent(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    d->tried_ms = now_ms;
    d->silences = (uint8_t)(d->silences + (d->silences < FLEET_SILENT_TIMES));
    d->doubt = FLEET_DOUBT_NONE;
    fleet_registry_set(device, FLEET_SILENT, now_ms);
    fleet_requests_device_down(device, FLEET_OUTCOME_SILENT);
}

void fleet_requests_initialized(struct fleet_row *row, bool accepted, uint64_t now_ms)
{
    uint32_t device = row->request.device;
    struct fleet_device *d = fleet_row_device(row);

    fleet_row_release(row);
    d->handshake = accepted ? FLEET_HAND_ACCEPTED : FLEET_HAND_NONE;
    if (!accepted) {
        fleet_requests_silent(device, now_ms);
        return;
    }
    d->silences = 0;
    if (d->presence == FLEET_SILENT) {
        fleet_registry_set(device, FLEET_PRESENT, now_ms);
    }
    if (d->doubt == FLEET_DOUBT_DUPLICATE) {
        d->settled_ms = now_ms + FLEET_DUPLICATE_MS;
    } else {
        d->doubt = FLEET_DOUBT_NONE;
        (void)fleet_requests_send(device, now_ms);
    }
}

void fleet_requests_check_duplicate(uint32_t device, struct skr_span id, uint64_t now_ms)
{
    const struct fleet_device *d = &fleet_registry.devices[device];

    if (d->doubt == FLEET_DOUBT_DUPLICATE && d->settled_ms != 0 && fleet_json_value(id) == d->initialize_id) {
        on_duplicate(device, now_ms);
    }
}

/* No second device has responded to initialize in time. */
static void settle_duplicate(struct fleet_device *d, uint64_t now_ms)
{
    if (d->settled_ms != 0 && now_ms >= d->settled_ms) {
        d->settled_ms = 0;
        d->doubt = FLEET_DOUBT_NONE;
    }
}

/* The device has responded to ping. `request_expire` handles one that has not. */
static void on_ping(void *owner, enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_device *d = owner;

    (void)value;
    d->pinged = false;
    if (outcome <= FLEET_OUTCOME_ERROR && d->doubt == FLEET_DOUBT_PRESENT) {
        d->doubt = FLEET_DOUBT_NONE;
    }
}

bool fleet_requests_probe(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    if (d->handshake == FLEET_HAND_SENT || d->pinged || d->settled_ms != 0) {
        return true; /* a probe is pending */
    }
    if (fleet_table.taken >= FLEET_PROBES) {
        return false;
    }
    if (d->doubt == FLEET_DOUBT_DUPLICATE && d->sent > 0) {
        return true; /* another initialize might end pending requests; presence.c comes back */
    }
    if (d->doubt == FLEET_DOUBT_DUPLICATE || d->handshake == FLEET_HAND_NONE) {
        return send_initialize(device, now_ms);
    }
    struct fleet_request ping = {.device = device,
                                 .method = "ping",
                                 .params = {"", 0},
                                 .response_ms = FLEET_INITIALIZE_MS,
                                 .done = on_ping,
                                 .owner = d};
    d->pinged = fleet_uplink_has_room(d) && fleet_request_submit(&ping, now_ms);
    return d->pinged;
}

/* ---- Up and down ---- */

void fleet_requests_device_up(uint32_t device, uint64_t now_ms)
{
    (void)fleet_requests_send(device, now_ms);
}

void fleet_requests_device_down(uint32_t device, enum fleet_outcome outcome)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    d->handshake = FLEET_HAND_NONE;
    d->settled_ms = 0;
    if (d->subscribed) {
        d->subscribed = false;
        fleet_uplink_subscribe(d, false);
    }
    for (uint16_t at = d->first, next; at != FLEET_NO_REQUEST; at = next) {
        struct fleet_row *row = &fleet_table.rows[at];
        bool sent = row->state == FLEET_ROW_SENT;
        next = row->next;
        if (row->initialize) {
            fleet_row_release(row);
        } else if (sent || row->request.wait_ms == 0 || outcome == FLEET_OUTCOME_REFUSED) {
            fleet_row_end(row, sent ? FLEET_OUTCOME_LOST : outcome, NOTHING);
            next = d->first; /* its owner may have submitted more */
        }
    }
}

void fleet_requests_broker_down(void)
{
    for (struct fleet_row *row = fleet_table.rows; row < fleet_table.rows + fleet_table.opened; row++) {
        if (row->state != FLEET_ROW_FREE) {
            fleet_requests_device_down(row->request.device, FLEET_OUTCOME_OFFLINE);
        }
    }
    for (uint32_t i = 0; i < fleet_registry.count; i++) {
        struct fleet_device *d = &fleet_registry.devices[fleet_registry.order[i]];
        d->handshake = FLEET_HAND_NONE;
        d->subscribed = false;
    }
}

/* ---- Time ---- */

static void request_expire(struct fleet_row *row, uint64_t now_ms)
{
    uint32_t device = row->request.device;

    if (row->initialize) {
        fleet_requests_initialized(row, false, now_ms);
    } else if (row->state == FLEET_ROW_SENT && row->request.done == on_ping) {
        fleet_row_end(row, FLEET_OUTCOME_LATE, NOTHING);
        fleet_requests_silent(device, now_ms);
    } else if (row->state == FLEET_ROW_SENT) {
        struct fleet_device *d = fleet_row_device(row);
        d->doubt = d->doubt == FLEET_DOUBT_NONE ? FLEET_DOUBT_PRESENT : d->doubt;
        request_cancel(row);
        fleet_row_end(row, FLEET_OUTCOME_LATE, NOTHING);
        (void)fleet_requests_send(device, now_ms);
    } else {
        enum fleet_outcome why = device_obstacle(device, now_ms);
        fleet_row_end(row, why != FLEET_OUTCOME_RESULT ? why : FLEET_OUTCOME_SILENT, NOTHING);
    }
}

uint32_t fleet_requests_turn(uint64_t now_ms)
{
    static uint16_t from; /* so that none is always the last */
    uint16_t opened = fleet_table.opened;
    uint64_t next = now_ms + 1000;

    for (uint16_t i = 0; i < opened; i++) {
        struct fleet_row *row = &fleet_table.rows[(from + i) % opened];
        if (row->state == FLEET_ROW_FREE) {
            continue;
        }
        settle_duplicate(fleet_row_device(row), now_ms);
        if (row->due_ms <= now_ms) {
            request_expire(row, now_ms);
            continue;
        }
        next = row->due_ms < next ? row->due_ms : next;
        if (row->state == FLEET_ROW_WAITS) {
            (void)fleet_requests_send(row->request.device, now_ms);
        }
    }
    from = (uint16_t)(opened > 0 ? (from + 1) % opened : 0);
    return (uint32_t)(next - now_ms);
}
