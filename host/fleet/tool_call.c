/* tool_call.c -- call_tool: calls a tool of one device, or of many, some in parallel; or reads a resource in the same way.
 *
 * The core calls tool_call_tool until the job has ended. begin_target checks the rights to each device, promises a line of the audit
 * log, and submits the request (requests.h); on_response ends the target with its outcome (tool_result.h). */
#include <stdio.h>
#include <string.h>

#include "builds.h"
#include "clock.h"
#include "counters.h"
#include "interim.h"
#include "job_slots.h"
#include "text/span.h"
#include "tool_check.h"
#include "tool_result.h"
#include "tools.h"

/* ---- The end of a target ---- */

/* A result that requires input, and ends the client's request: the client sends another with its input. */
static const struct fleet_summary input_required = {"asked", ""};
static const struct fleet_summary no_input = {
    "failed",
    "the device requires input, and this call cannot request it; call it alone, from a client that supports elicitation"};
static const struct fleet_summary bad_input = {"failed",
                                               "the client's response to the device is an error, or too large"};
static const struct fleet_summary no_right = {"refused", "read-only token; the tool is not read-only; nothing was run"};
static const struct fleet_summary no_tool = {"refused",
                                             "the device has no tool of this name; find_tools finds those it has"};
static const struct fleet_summary no_device = {"refused", "there is no device of this name; list_devices lists them"};
static const struct fleet_summary no_log = {
    "refused", "the audit log cannot be written, and no call goes unrecorded; nothing was run"};
static const struct fleet_summary busy = {"refused", "too many requests are pending; nothing was run; try again later"};
static const struct fleet_summary cancelled = {"cancelled", ""};

/* Gives the row of a target's device back to the registry. */
static struct fleet_device *release_target(struct fleet_target *target)
{
    struct fleet_slot *s = target->slot;
    struct fleet_device *d = &fleet_registry.devices[target->device];

    s->latest = target->device;
    s->done++;
    target->device = FLEET_NO_DEVICE;
    d->pins--;
    return d;
}

static uint32_t elapsed_ms(const struct fleet_target *target)
{
    return (uint32_t)(host_clock_ms() - target->slot->since_ms) - target->begun_ms;
}

/* Ends a target that was begun: its line of the audit log is promised. */
static void end_target(struct fleet_target *target, struct fleet_summary summary, enum fleet_outcome outcome,
                       struct skr_span value)
{
    const struct fleet_device *d = release_target(target);

    fleet_result_settle(target->slot, skr_span_of(d->id), summary, outcome, value, elapsed_ms(target), true);
}

static void refuse_target(struct fleet_target *target, struct fleet_summary why)
{
    end_target(target, why, FLEET_OUTCOME_REFUSED, NOTHING);
}

static void on_response(void *owner, enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_target *target = owner;
    struct fleet_slot *s = target->slot;
    struct fleet_summary summary = fleet_summary_of(outcome, value);

    s->pending--;
    if (outcome == FLEET_OUTCOME_RESULT && fleet_interim_is_input_required(value)) {
        if (s->offered && fleet_interim_request_input(s, value)) {
            return; /* the client's turn */
        }
        s->input_required = s->offered && s->modern;
        summary = s->input_required ? input_required : no_input;
        outcome = s->input_required ? outcome : FLEET_OUTCOME_REFUSED;
        value = s->input_required ? value : NOTHING;
    }
    fleet_counters.calls[outcome]++;
    fleet_counters.failed += outcome == FLEET_OUTCOME_RESULT && strcmp(summary.name, "failed") == 0;
    fleet_counters.denied += outcome == FLEET_OUTCOME_DENIED;
    end_target(target, summary, outcome, value);
}

/* ---- The start of a target ---- */

/* The build of a device; NULL while its lists have not been read. */
static const struct fleet_build *ready_build(const struct fleet_device *d)
{
    const struct fleet_build *b = d->build != FLEET_NO_BUILD ? &fleet_builds.at[d->build] : NULL;

    return b != NULL && b->state == FLEET_BUILD_READY ? b : NULL;
}

/* Whether the build of this device lacks the tool. Another device may have described the build. */
static bool build_lacks_tool(const struct fleet_slot *s, const struct fleet_device *d)
{
    const struct fleet_build *b = ready_build(d);

    return b != NULL && !b->truncated && !s->reads && fleet_build_tool(b, s->tool) == NULL;
}

/* Every client that sees a device may read its resources. */
static bool may_send(const void *owner)
{
    const struct fleet_target *target = owner;
    const struct fleet_slot *s = target->slot;
    const struct fleet_device *d = &fleet_registry.devices[target->device];

    return s->reads ? fleet_rights_see(&s->client, d) : fleet_rights_call(&s->client, d, s->tool);
}

/* Whether the device may request input, if it serves 2026-07-28: in a tool call to one device. */
static bool may_request_input(const struct fleet_slot *s)
{
    return s->single && !s->reads && s->capabilities_n > strlen("{}");
}

/* Whether the device serves 2026-07-28 is not known, so it cannot be offered what the client can do. */
static bool era_is_missing(const struct fleet_slot *s, const struct fleet_device *d)
{
    return may_request_input(s) && ready_build(d) == NULL && d->era == FLEET_ERA_UNKNOWN;
}

/* The client's capabilities, if the device may request input. */
static struct skr_span capabilities_for(const struct fleet_slot *s, const struct fleet_device *d)
{
    const struct fleet_build *b = ready_build(d);
    bool offered = may_request_input(s) && (b != NULL ? b->modern : d->era == FLEET_ERA_MODERN);

    return offered ? (struct skr_span){s->capabilities, s->capabilities_n} : NOTHING;
}

/* Sends the call. False: no room now. */
static bool send_call(struct fleet_target *target, uint64_t now_ms)
{
    struct fleet_slot *s = target->slot;
    struct fleet_request request = {
        .device = target->device,
        .method = s->reads ? "resources/read" : "tools/call",
        .params = {s->params + s->tool.n, s->params_n},
        .runs = !s->reads,
        .wait_ms = s->wait_ms,
        .response_ms = fleet_response_ms,
        .capabilities = capabilities_for(s, &fleet_registry.devices[target->device]),
        .progress = s->single && s->job->messages.token.n > 0 ? fleet_interim_progress : NULL,
        .may = may_send,
        .done = on_response,
        .owner = target,
    };

    s->offered = request.capabilities.p != NULL;
    s->pending++;
    bool taken = fleet_request_submit(&request, now_ms);
    s->pending -= !taken;
    return taken;
}

static void on_tool_check(void *owner, enum fleet_tool_kind kind, enum fleet_outcome outcome)
{
    struct fleet_target *target = owner;

    target->slot->pending--;
    if (kind == FLEET_TOOL_UNKNOWN) {
        fleet_counters.calls[outcome]++;
        end_target(target, fleet_summary_of(outcome, NOTHING), outcome, NOTHING);
    } else if (kind == FLEET_TOOL_MISSING) {
        refuse_target(target, no_tool);
    } else if (!may_send(target)) {
        fleet_counters.denied++;
        refuse_target(target, no_right);
    } else if (!send_call(target, host_clock_ms())) {
        refuse_target(target, busy);
    }
}

/* Reads the device's own description of the tool first. False: no room now. */
static bool check_tool(struct fleet_target *target, uint64_t now_ms)
{
    struct fleet_slot *s = target->slot;
    struct fleet_tool_check check = {.device = target->device,
                                     .tool = s->tool,
                                     .versions = era_is_missing(s, &fleet_registry.devices[target->device]),
                                     .wait_ms = s->wait_ms,
                                     .done = on_tool_check,
                                     .owner = target};

    s->pending++;
    bool taken = fleet_tool_check_begin(&check, now_ms);
    s->pending -= !taken;
    return taken;
}

/* Begins the next target. False: no room now. */
static bool begin_target(struct fleet_slot *s, uint64_t now_ms)
{
    struct fleet_target *target = &s->targets[s->begun];
    const struct fleet_device *d = &fleet_registry.devices[target->device];
    struct fleet_audit_entry entry = fleet_result_entry(s, skr_span_of(d->id), "", 0);

    target->begun_ms = (uint32_t)(now_ms - s->since_ms);
    s->begun++;
    if (!fleet_audit_promise(&entry)) {
        (void)release_target(target);
        fleet_result_put(s, skr_span_of(d->id), no_log, FLEET_OUTCOME_REFUSED, NOTHING);
        return true;
    }
    bool lacks = build_lacks_tool(s, d);
    if (lacks && d->presence != FLEET_PRESENT && s->wait_ms == 0) { /* it cannot be checked */
        refuse_target(target, no_tool);
        return true;
    }
    bool check = lacks || !may_send(target) || era_is_missing(s, d);
    bool taken = check ? check_tool(target, now_ms) : send_call(target, now_ms);
    if (!taken) {
        fleet_audit_release();
        s->begun--;
    }
    return taken;
}

/* Begins as many targets as may be pending. */
static void begin_targets(struct fleet_slot *s, uint64_t now_ms)
{
    while (s->begun < s->count && s->pending < s->parallel && begin_target(s, now_ms)) {
    }
}

/* ---- The devices of a call ---- */

static bool is_pattern(struct skr_span name)
{
    return memchr(name.p, '*', name.n) != NULL || memchr(name.p, '?', name.n) != NULL;
}

/* Adds a device, unless it is one of the first `distinct` targets. False when there are too many. */
static bool add_device(struct fleet_slot *s, uint32_t device, uint32_t distinct)
{
    for (uint32_t i = 0; i < distinct; i++) {
        if (s->targets[i].device == device) {
            return true;
        }
    }
    if (s->count == FLEET_GROUP) {
        return false;
    }
    s->targets[s->count++] = (struct fleet_target){s, device, 0};
    fleet_registry.devices[device].pins++;
    return true;
}

static bool add_matching(struct fleet_slot *s, struct skr_span pattern)
{
    const struct fleet_registry *r = &fleet_registry;
    uint32_t before = s->count; /* the devices of one pattern differ from each other */
    bool all = true;

    for (uint32_t i = 0; all && i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (d->presence == FLEET_PRESENT && fleet_rights_see(&s->client, d) &&
            fleet_glob(pattern, skr_span_of(d->id)) && !build_lacks_tool(s, d)) {
            all = add_device(s, r->order[i], before);
        }
    }
    return all;
}

static bool add_named(struct fleet_slot *s, struct skr_span name)
{
    if (!s->single && is_pattern(name)) {
        return add_matching(s, name);
    }
    uint32_t device = fleet_registry_find(name);
    if (device == FLEET_NO_DEVICE || !fleet_rights_see(&s->client, &fleet_registry.devices[device])) {
        fleet_result_settle(s, name, no_device, FLEET_OUTCOME_REFUSED, NOTHING, 0, false);
        return true;
    }
    return add_device(s, device, s->count);
}

/* ---- The job ---- */

/* The decoded name comes first, for the audit log and the checks; the params follow it. */
static bool write_params(struct fleet_slot *s, const struct tool_call_tool_args *args)
{
    struct fleet_json t = {s->params, 0, sizeof s->params, false};
    struct skr_span arguments = args->has_arguments ? args->arguments : SPAN("{}");
    struct skr_span name = s->reads ? args->resource : args->tool;

    fleet_json_span(&t, name);
    s->tool = (struct skr_span){s->params, name.n};
    fleet_json_put(&t, s->reads ? "\"uri\":" : "\"name\":");
    fleet_json_string(&t, name);
    if (!s->reads) {
        fleet_json_put(&t, ",\"arguments\":");
        fleet_json_span(&t, arguments);
    }
    s->params_n = s->arguments_n = t.n - s->tool.n;
    romfs_sha256_of(arguments.p, arguments.n, s->arguments);
    return !t.over;
}

static int calls_start(struct skr_call *call, struct fleet_slot *s, const struct tool_call_tool_args *args)
{
    bool all = true;

    if (fleet_interim_wants_plan(call)) { /* a device that does not know plans would run the tool */
        return skr_fail(call, "cannot plan: a fleet passes on no plans; plan at the device itself; nothing was done");
    }
    if (args->has_device == args->has_devices) {
        return skr_fail(call, "give either device or devices");
    }
    if (args->has_tool == args->has_resource) {
        return skr_fail(call, "give either tool or resource");
    }
    if (args->has_arguments && args->has_resource) {
        return skr_refuse(call, SPAN("arguments"), "are for tools; a resource has none");
    }
    if (args->has_arguments && *args->arguments.p != '{') {
        return skr_refuse(call, SPAN("arguments"), "must be an object");
    }
    s->reads = args->has_resource;
    s->single = args->has_device;
    if (!write_params(s, args) || (s->single && !fleet_interim_begin(call, s))) {
        return skr_fail(call, "the arguments have more bytes than FLEET_MESSAGE");
    }
    s->parallel = (uint32_t)args->at_once;
    s->wait_ms = (uint32_t)args->wait_ms;
    if (s->single) {
        (void)add_named(s, args->device);
        return SKR_PENDING;
    }
    fleet_json_put(&s->text, "{\"results\":[");
    for (size_t i = 0; all && i < args->devices.count; i++) {
        all = add_named(s, args->devices.item[i]);
    }
    if (!all) {
        for (uint32_t i = 0; i < s->count; i++) {
            (void)release_target(&s->targets[i]);
        }
        skr_fail(call, "more devices than one call may have; at most ");
        skr_put_int(call, FLEET_GROUP);
        return 0;
    }
    return SKR_PENDING;
}

static int calls_finish(struct skr_call *call, struct fleet_slot *s)
{
    if (s->single) {
        return s->text.over ? skr_fail(call, "the result has more bytes than FLEET_RESULT") : 0;
    }
    fleet_json_put(&s->text, "]");
    fleet_json_count(&s->text, false, "devices", s->count);
    if (s->left_out > 0) {
        fleet_json_count(&s->text, false, "left_out", s->left_out);
    }
    fleet_json_put(&s->text, "}");
    return fleet_slot_structured(call, s);
}

/* The client has cancelled the call: pending requests are cancelled, and the rest is not begun. */
static void cancel_targets(struct fleet_slot *s)
{
    for (struct fleet_target *target = s->targets; target < s->targets + s->count; target++) {
        bool begun = target < s->targets + s->begun;
        if (target->device == FLEET_NO_DEVICE) {
            continue;
        }
        if (begun) {
            fleet_requests_forget(target);
            fleet_tool_check_forget(target);
        }
        uint32_t ms = begun ? elapsed_ms(target) : 0;
        const struct fleet_device *d = release_target(target);
        fleet_result_settle(s, skr_span_of(d->id), cancelled, FLEET_OUTCOME_LOST, NOTHING, ms, begun);
    }
}

/* The client has responded to a request for input. False while more responses are to come. */
static bool take_input(struct skr_call *call, struct fleet_slot *s)
{
    switch (fleet_interim_take_response(call, s)) {
    case FLEET_INPUT_OPEN: return false;
    case FLEET_INPUT_COMPLETE:
        fleet_audit_release();
        s->begun = 0;
        return true;
    default: refuse_target(&s->targets[0], bad_input); return true;
    }
}

/* Counts the devices that have ended, and names the last of them. */
static void send_progress(struct skr_call *call, const struct fleet_slot *s)
{
    char last[FLEET_ID + 16];

    if (!s->single) {
        bool any = s->latest != FLEET_NO_DEVICE;
        (void)snprintf(last, sizeof last, "%s: %s", any ? fleet_registry.devices[s->latest].id : "", s->latest_outcome);
        skr_progress(call, (int32_t)s->done, (int32_t)s->count, any ? last : NULL);
    }
}

int tool_call_tool(struct skr_call *call, const struct tool_call_tool_args *args)
{
    struct fleet_slot *s = args != NULL ? fleet_slot_begin(call) : fleet_slot_of(call);

    if (args != NULL && calls_start(call, s, args) != SKR_PENDING) {
        return 0;
    }
    if (skr_cancelled(call)) {
        cancel_targets(s);
        return 0;
    }
    if (s->awaits_client && !take_input(call, s)) {
        return SKR_PENDING;
    }
    begin_targets(s, host_clock_ms());
    if (s->done < s->count) {
        send_progress(call, s);
        return SKR_PENDING;
    }
    return calls_finish(call, s);
}
