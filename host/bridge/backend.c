/* backend.c -- the seam between the core and the devices.
 *
 * Clients of the bridge are served by the core: its framings, HTTP sessions, header checks, batches, subscriptions
 * and timeouts. Only the method table differs: almost every method is forwarded to the device, as a job that ends when
 * the device has responded; and the result of the job is the device's response, with the client's id. The struct skr_backend
 * connects both. */
#include "backend.h"

#include <string.h>

#include "client_requests.h"
#include "clock.h"
#include "handler/job.h"
#include "handler/tool_call.h"
#include "interim.h"
#include "json_edit.h"
#include "mcp/method.h"
#include "mcp/session.h"
#include "relay_response.h"
#include "requests.h"
#include "response/backend.h"
#include "response/version.h"
#include "routing.h"
#include "store/store.h"
#include "subscription/notify.h"
#include "subscription/subscription.h"
#include "subscriptions.h"
#include "timer.h"
#include "tool_check.h"
#include "validator.h"
#include "wire/http_types.h"

static struct bridge_relay *devices;
static size_t device_count;
static uint32_t poll_ms; /* how long an HTTP client waits before its stream is closed; 0 keeps it open */

/* ---- Requests ---- */

static bool is_initialize(const struct skr_call *call)
{
    return !call->modern && skr_json_equals(&call->json, call->method, "initialize");
}

/* A client sends initialize: over HTTP that begins a session. */
static void begin_legacy(struct skr_call *call)
{
    struct skr_span wanted = {NULL, 0};
    int token = skr_json_get(&call->json, call->params, "protocolVersion");
    uint8_t version = SKR_V_NONE;

    if (skr_json_is_string(&call->json, token)) {
        wanted = skr_json_inside(&call->json, token);
        version = skri_version_find(wanted);
    }
    if (version == SKR_V_NONE || version == SKR_V_2026_07_28) {
        version = SKR_NEWEST_LEGACY;
    }
    if (call->conn->wire == SKR_HTTP_1) {
        struct skr_legacy legacy = {.version = version};
        uint16_t session = skri_session_new(call->srv, legacy);
        call->conn->http.session_new = session;
        call->legacy = &call->srv->sessions[session - 1].legacy;
    }
    call->legacy->version = version;
    skri_notify_promise(call);
}

/* The first of these members that the object has twice; empty if it has none. */
static struct skr_span duplicate_member(const struct skr_json *json, int object, const struct skr_span *names,
                                        unsigned count)
{
    unsigned seen = 0;
    int key = skr_json_is_object(json, object) ? skr_json_first(json, object) : -1;

    for (; key >= 0; key = skr_json_after(json, object, key)) {
        unsigned i = 0;
        while (i < count && !skr_json_equals_span(json, key, names[i])) {
            i++;
        }
        if (i < count && (seen >> i & 1) != 0) {
            return names[i];
        }
        seen |= 1u << i;
    }
    return NOTHING;
}

/* Of two members with one name the bridge takes the last, as the core does, but a device may take the first. The checks here,
 * of rights, of the device and of repeatability, would then be about another request. */
static struct skr_span ambiguous_member(const struct skr_call *call)
{
    static const struct skr_span members[] = {{"jsonrpc", 7}, {"id", 2}, {"method", 6}, {"params", 6}};
    static const struct skr_span arguments = {"arguments", 9};
    struct skr_span twice = duplicate_member(&call->json, 0, members, sizeof members / sizeof members[0]);

    if (twice.n == 0) {
        twice = duplicate_member(&call->json, call->params, skri_params, SKR_PARAM_COUNT);
    }
    return twice.n > 0 ? twice : duplicate_member(&call->json, call->params, &arguments, 1);
}

/* Starts a job, in the first call of its handler, in which the request is still there. */
static int request_start(struct skr_call *call)
{
    struct bridge_request *q = bridge_request_of(call->job->call.tool);
    struct skr_span message = skr_json_raw(&call->json, 0);

    q->modern = call->modern;
    q->limited = q->forbidden = false;
    struct skr_span twice = ambiguous_member(call);
    if (twice.n > 0) {
        q->large = -1;
        bridge_request_refuse(q, -32600, "duplicate member: ", twice);
        return 0;
    }
    q->text_n = host_json_compact(q->text, message);
    bridge_validator_disown(q);
    if (is_initialize(call)) {
        begin_legacy(call);
        if (bridge_client_remember(call->legacy, (struct skr_span){q->text, q->text_n}) < 0) {
            q->large = -1;
            call->legacy->version = SKR_V_NONE; /* its requests would count as another client's */
            bridge_request_refuse(q, -32600, "initialize has more bytes than BRIDGE_HANDSHAKE_MAX", SPAN(""));
            return 0;
        }
    }
    q->client = call->modern ? -1 : bridge_client_find(call->legacy);
    q->polled = false;
    if (!call->modern && skr_json_equals(&call->json, call->method, "logging/setLevel")) {
        bridge_client_set_level(q->client, (struct skr_span){q->text, q->text_n});
    }
    struct bridge_relay *device = bridge_routing_route(q);
    if (device != NULL && bridge_tool_check_hold(q, device, call)) {
        bridge_tool_check_go_on(q);
    } else if (device != NULL) {
        bridge_relay_submit(device, q, host_clock_ms());
        bridge_timer_in(0);
    }
    return q->state == BRIDGE_REQUEST_DONE ? 0 : SKR_PENDING;
}

/* The handler that the core calls for every request. */
static int request_run(struct skr_call *call)
{
    struct bridge_request *q = bridge_request_of(call->job->call.tool);

    if (q->state == BRIDGE_REQUEST_FREE) {
        return request_start(call);
    }
    if (skr_cancelled(call)) {
        bridge_relay_cancel(q->relay, q);
        return 0;
    }
    if (q->state == BRIDGE_REQUEST_HELD) {
        bridge_tool_check_go_on(q);
    }
    if (q->client_request_count > 0) {
        bridge_interim_reply(q, call);
        bridge_timer_in(0);
    }
    if (poll_ms > 0 && skr_job_ms(call) >= poll_ms && !q->polled && q->state == BRIDGE_REQUEST_SENT) {
        q->polled = true;
        (void)skr_close_stream(call, BRIDGE_COME_BACK_MS); /* if the client supports it */
    }
    return q->state == BRIDGE_REQUEST_DONE ? 0 : SKR_PENDING;
}

static void call_forward(struct skr_call *call)
{
    struct skr_tool_call it = {.tool = NULL};
    struct bridge_request *q = bridge_requests_spare();

    if (q == NULL) {
        skri_tool_call_refuse(call, &it, SKR_BUSY, BRIDGE_TOO_MANY);
        return;
    }
    q->own = 0;
    it.tool = bridge_request_tool(q);
    call->tool = it.tool;
    skri_job_start(call, &it);
}

/* ---- Responses ---- */

/* The HTTP status depends on the kind of error, and on the era (5.2). */
static uint16_t status_of(const struct bridge_request *q)
{
    if (!q->failed || !q->modern) {
        return 200;
    }
    switch (q->code) {
    case -32601: return 404;
    case -32700:
    case -32600:
    case -32020:
    case -32021:
    case -32022: return 400;
    default: return 200;
    }
}

static bool response_render(struct skr_response *a, bool failed, struct skr_span value)
{
    if (a->step++ > 0) {
        return false;
    }
    skri_push_start(a);
    skri_push_text(a, "{\"jsonrpc\":\"2.0\",\"id\":");
    skri_push(a, SKR_RAW, a->envelope.id);
    skri_push_text(a, failed ? ",\"error\":" : ",\"result\":");
    skri_push(a, SKR_RAW, value);
    skri_push_text(a, "}");
    skri_push_end(a);
    return true;
}

static bool render_forwarded(struct skr_response *a)
{
    const struct bridge_request *q = &bridge_requests[SKRI_AS(a, forwarded)->request];

    return response_render(a, q->failed, (struct skr_span){q->value, q->value_n});
}

static bool render_busy(struct skr_response *a)
{
    return response_render(a, true, SPAN("{\"code\":-32603,\"message\":\"" BRIDGE_TOO_MANY "\"}"));
}

/* True if a tool has reported a failure. Reads, which may be long, are not searched. */
static bool is_error_result(const struct bridge_request *q)
{
    struct skr_span flag = {NULL, 0};

    if (!q->failed && !q->repeatable) {
        flag = skr_scan_get((struct skr_span){q->value, q->value_n}, "isError");
    }
    return flag.p != NULL && *flag.p == 't';
}

static void result_respond(struct skr_response *a, const struct skr_tool_call *it, struct skr_output *out)
{
    const struct bridge_request *q = it->tool != NULL ? bridge_request_of(it->tool) : NULL;

    (void)out;
    skri_response_result(a, NULL);
    a->render = q != NULL && q->state == BRIDGE_REQUEST_DONE ? render_forwarded : render_busy;
    if (q != NULL && q->state == BRIDGE_REQUEST_DONE) {
        SKRI_MAKE(a, forwarded)->request = (uint32_t)(q - bridge_requests);
        a->envelope.status = q->forbidden ? 403 : status_of(q);
        a->envelope.error = q->forbidden ? SKR_NO_RIGHT : a->envelope.error;
        a->envelope.code = q->code; /* this and the next are for the log of requests */
        a->outcome.failed = is_error_result(q);
    }
}

/* ---- Methods ---- */

static void call_ping(struct skr_call *call)
{
    skri_response_result(call->response, NULL);
}

static void want_changes(void)
{
    for (size_t i = 0; i < device_count; i++) {
        devices[i].wants_changes = true;
    }
    bridge_timer_in(0);
}

static void call_listen(struct skr_call *call)
{
    want_changes();
    skri_listen(call);
}

/* resources/subscribe and resources/unsubscribe. Kept here, because initialize makes the device drop its
 * subscriptions; the device decides whether the resource exists. */
static void call_subscribe(struct skr_call *call)
{
    int uri = call->given[SKR_PARAM_URI];

    if (skr_json_is_string(&call->json, uri)) {
        struct skr_span inside = skr_json_inside(&call->json, uri);
        if (skr_json_equals(&call->json, call->method, "resources/subscribe")) {
            (void)skri_subscription_add(call, skri_notify_legacy(call), SKR_OWNER_LEGACY, inside);
            want_changes();
        } else {
            skri_subscription_drop(call, skri_notify_legacy(call), SKR_OWNER_LEGACY, inside);
        }
    }
    call_forward(call);
}

/* Methods that the bridge handles itself, or in part. */
static const struct {
    const char *name;
    enum skr_era era;
    void (*handle)(struct skr_call *call);
} own[] = {
    {"subscriptions/listen", SKR_MODERN_ERA, call_listen},
    {"resources/subscribe", SKR_LEGACY_ERA, call_subscribe},
    {"resources/unsubscribe", SKR_LEGACY_ERA, call_subscribe},
    {"ping", SKR_LEGACY_ERA, call_ping},
};

static void backend_handle(struct skr_call *call)
{
    unsigned era = call->modern ? SKR_MODERN_ERA : SKR_LEGACY_ERA;

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (own[i].era == era && skr_json_equals(&call->json, call->method, own[i].name)) {
            own[i].handle(call);
            return;
        }
    }
    call_forward(call);
}

/* A method whose right only the device can decide is not for readers: the bridge does not have the owner of a task, or the
 * effect of a script. */
#define RIGHT_HERE(right) ((unsigned)(right) == (unsigned)SKR_BY_DEVICE ? (unsigned)SKR_MAY_OPERATE : (unsigned)(right))

#define SKR_EVERY_METHOD
#define SKR_METHOD(name, eras, right, feature, name_header, cached, handler)                                           \
    {{name, sizeof(name) - 1}, SKR_BOTH_ERAS, RIGHT_HERE(right), SKR_ALWAYS, name_header, false, backend_handle},
static const struct skr_method rows[] = {
#include "mcp/method_rows.h"
};

/* Any other method: the device decides whether it exists, and its effect is unknown here. */
static const struct skr_method other = {.right = SKR_MAY_OPERATE, .handle = call_forward};

static const struct skr_method *find_method(const struct skr_call *call)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (skr_json_equals_span(&call->json, call->method, rows[i].name)) {
            return &rows[i];
        }
    }
    return &other;
}

/* True if any device has this list. */
static bool has_feature(const struct romfs *fs, const struct skr_device *device, enum skr_feature feature)
{
    static const uint8_t bits[] = {[SKR_SKILLS] = SKR_CHANGED_SKILLS,
                                   [SKR_RESOURCES] = SKR_CHANGED_RESOURCES,
                                   [SKR_TOOLS] = SKR_CHANGED_TOOLS,
                                   [SKR_HAS_PROMPTS] = SKR_CHANGED_PROMPTS,
                                   [SKR_SCRIPTS] = 0};

    (void)fs;
    (void)device;
    for (size_t i = 0; i < device_count; i++) {
        if ((devices[i].catalogue.features & bits[feature]) != 0) {
            return true;
        }
    }
    return false;
}

/* Called only for resources that are subscribed. The device decides whether one exists; with several devices its owner would be
 * unknown. */
static bool find_resource(struct skr_call *call, struct skr_span uri, struct skr_found *found)
{
    (void)call;
    memset(found, 0, sizeof *found);
    found->resource = device_count == 1 ? bridge_subscribe(uri) : NULL;
    return found->resource != NULL;
}

/* ---- The server ---- */

static const struct skr_backend backend = {.method = find_method,
                                           .make_response = result_respond,
                                           .has = has_feature,
                                           .find = find_resource,
                                           .requests = &bridge_client_requests};

void bridge_backend_changed(unsigned kinds)
{
    struct skr_server *s = &bridge_server;

    s->changes.swaps++;
    s->changes.count++;
    for (unsigned i = 0; i < SKR_LIST_KINDS; i++) {
        s->changes.lists[i] = (kinds >> i & 1) != 0 ? s->changes.swaps : s->changes.lists[i];
    }
}

void bridge_backend_init(struct bridge_relay *relays, size_t count, bool changes, uint32_t poll)
{
    static const struct romfs_header no_image;
    struct skr_server *s = &bridge_server;

    devices = relays;
    device_count = count;
    poll_ms = poll;
    bridge_routing_init(relays, count);
    bridge_requests_init(request_run);
    s->device = &bridge_subscription_device;
    s->backend = &backend;
    s->page = SKR_PAGE;
    s->jobs_end = s->jobs;
    s->images[0].image = (const void *)&no_image; /* its texts are empty, but have addresses */
    s->images[0].header = &no_image;
    s->fs = &s->images[0];
    s->changes.can_swap = changes;
    s->streams.max = SKR_STREAMS;
}
