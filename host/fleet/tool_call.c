/* tool_call.c -- call_tool: a tool of a device, or of many, some at once; or a resource, read likewise. */
#include <stdio.h>
#include <string.h>

#include "builds.h"
#include "clock.h"
#include "counters.h"
#include "interim.h"
#include "tool_check.h"
#include "job_slots.h"
#include "text/span.h"
#include "tool_result.h"
#include "tools.h"

/* ---- Outcomes ---- */

/* A result that asks something is none yet. */
static const struct fleet_outcome asked = {"asked", ""};
static const struct fleet_outcome cannot_ask = {
    "failed",
    "the device asks something first, and in this call nobody can be asked; call it alone, from a client that can be"};
static const struct fleet_outcome bad_reply = {"failed", "what the device asked was not answered, or with too much"};
static const struct fleet_outcome no_right = {"refused",
                                            "this token may only look, and the tool does more; nothing was run"};
static const struct fleet_outcome no_tool = {"refused",
                                           "the device has no tool of this name; find_tools finds those it has"};
static const struct fleet_outcome no_device = {"refused", "there is no device of this name; list_devices lists them"};
static const struct fleet_outcome no_record = {
    "refused", "the record of calls cannot be written, and no call goes unrecorded; nothing was run"};
static const struct fleet_outcome busy = {"refused", "too many requests are under way; nothing was run; try again later"};

/* A device of the call is through with it: its row is the registry's again. */
static struct fleet_device *let_go(struct fleet_slot *s, uint32_t item)
{
    struct fleet_device *d = &fleet_registry.devices[s->devices[item]];
    s->latest = s->devices[item];
    s->devices[item] = FLEET_NO_DEVICE;
    s->done++;
    d->pins--;
    return d;
}

/* A device of the call is through with it after it was begun. */
static void end_item(struct fleet_slot *s, uint32_t item, struct fleet_outcome how, enum fleet_fate fate,
                     struct skr_span value)
{
    const struct fleet_device *d = let_go(s, item);
    uint32_t ms = (uint32_t)(host_clock_ms() - s->since_ms) - s->begun_ms[item];
    fleet_result_settle(s, skr_span_of(d->id), how, fate, value, ms, true);
}

static void answered(uint32_t owner, uint32_t item, enum fleet_fate fate, struct skr_span value)
{
    struct fleet_slot *s = &fleet_slots_of_jobs[owner];
    struct fleet_outcome how = fleet_outcome_of(fate, value);
    s->under_way--;
    if (fate == FLEET_FATE_RESULT && fleet_interim_is_question(value)) {
        if (s->offered && fleet_interim_ask(s, value)) {
            return; /* the agent's turn */
        }
        s->asked = s->offered && s->modern;
        how = s->asked ? asked : cannot_ask;
        fate = s->asked ? fate : FLEET_FATE_REFUSED;
        value = s->asked ? value : NOTHING;
    }
    fleet_counters.calls[fate]++;
    fleet_counters.failed += fate == FLEET_FATE_RESULT && strcmp(how.name, "failed") == 0;
    fleet_counters.denied += fate == FLEET_FATE_DENIED;
    end_item(s, item, how, fate, value);
}

/* ---- Beginning ---- */

/* Does the build of this device not have the tool? Somebody else may have described it. */
static bool seems_to_lack(const struct fleet_slot *s, const struct fleet_device *d)
{
    const struct fleet_build *b = d->build != FLEET_NO_BUILD ? &fleet_builds.at[d->build] : NULL;
    bool known = b != NULL && b->state == FLEET_BUILD_KNOWN && !b->cut;
    return known && !s->reads && fleet_build_tool(b, s->tool) == NULL;
}

/* May this be sent to this device? Everybody who sees it may read. */
static bool may_send(uint32_t owner, uint32_t item)
{
    const struct fleet_slot *s = &fleet_slots_of_jobs[owner];
    const struct fleet_device *d = &fleet_registry.devices[s->devices[item]];
    return s->reads ? fleet_rights_see(&s->whom, d) : fleet_rights_call(&s->whom, d, s->tool);
}

/* A call that may ask the agent: one of 2026-07-28, to one device that knows that era. */
static struct skr_span offers_to(const struct fleet_slot *s, const struct fleet_device *d)
{
    bool modern = d->build != FLEET_NO_BUILD && fleet_builds.at[d->build].modern;
    return s->one && modern && !s->reads && s->offers_n > strlen("{}") ? (struct skr_span){s->offers, s->offers_n}
                                                                       : NOTHING;
}

/* Sends the call. False: no room now. */
static bool send_call(struct fleet_slot *s, uint32_t item, uint64_t now_ms)
{
    uint32_t device = s->devices[item];
    struct fleet_order order = {
        .device = device,
        .method = s->reads ? "resources/read" : "tools/call",
        .params = {s->params + s->tool.n, s->params_n},
        .runs = !s->reads,
        .wait_ms = s->wait_ms,
        .answer_ms = fleet_slots_response_ms,
        .offers = offers_to(s, &fleet_registry.devices[device]),
        .progress = s->one && s->job->messages.token.n > 0 ? fleet_interim_progress : NULL,
        .may = may_send,
        .answered = answered,
        .owner = (uint32_t)(s - fleet_slots_of_jobs),
        .item = item,
    };
    s->offered = order.offers.p != NULL;
    s->under_way++;
    bool taken = fleet_request_take(&order, now_ms);
    s->under_way -= !taken;
    return taken;
}

/* The device has told whether it has the tool, and whether that only looks. */
static void told(uint32_t owner, uint32_t item, enum fleet_tool_check_tool what, enum fleet_fate fate)
{
    struct fleet_slot *s = &fleet_slots_of_jobs[owner];
    s->under_way--;
    if (what == FLEET_OWN_UNKNOWN) {
        fleet_counters.calls[fate]++;
        end_item(s, item, fleet_outcome_of(fate, NOTHING), fate, NOTHING);
    } else if (what == FLEET_OWN_MISSING) {
        end_item(s, item, no_tool, FLEET_FATE_REFUSED, NOTHING);
    } else if (!may_send(owner, item)) {
        fleet_counters.denied++;
        end_item(s, item, no_right, FLEET_FATE_REFUSED, NOTHING);
    } else if (!send_call(s, item, host_clock_ms())) {
        end_item(s, item, busy, FLEET_FATE_REFUSED, NOTHING);
    }
}

/* Asks the device itself. False: no room now. */
static bool ask_first(struct fleet_slot *s, uint32_t item, uint64_t now_ms)
{
    struct fleet_tool_check_question question = {.device = s->devices[item],
                                        .tool = s->tool,
                                        .wait_ms = s->wait_ms,
                                        .told = told,
                                        .owner = (uint32_t)(s - fleet_slots_of_jobs),
                                        .item = item};
    s->under_way++;
    bool taken = fleet_tool_check_ask(&question, now_ms);
    s->under_way -= !taken;
    return taken;
}

/* The next device of the call. False: no room now. */
static bool begin_one(struct fleet_slot *s, uint64_t now_ms)
{
    uint32_t item = s->begun;
    const struct fleet_device *d = &fleet_registry.devices[s->devices[item]];
    struct fleet_audit_entry line = fleet_result_line(s, skr_span_of(d->id), "", 0);
    s->begun_ms[item] = (uint32_t)(now_ms - s->since_ms);
    s->begun++;
    if (!fleet_audit_promise(&line)) {
        (void)let_go(s, item);
        fleet_result_put(s, skr_span_of(d->id), no_record, FLEET_FATE_REFUSED, NOTHING);
        return true;
    }
    bool lacks = seems_to_lack(s, d), ask = lacks || !may_send((uint32_t)(s - fleet_slots_of_jobs), item);
    if (lacks && d->presence != FLEET_PRESENT && s->wait_ms == 0) { /* it cannot be asked */
        end_item(s, item, no_tool, FLEET_FATE_REFUSED, NOTHING);
        return true;
    }
    bool taken = ask ? ask_first(s, item, now_ms) : send_call(s, item, now_ms);
    if (!taken) {
        fleet_audit_release();
        s->begun--;
    }
    return taken;
}

/* Begins with as many devices as may be under way. */
static void begin_more(struct fleet_slot *s, uint64_t now_ms)
{
    while (s->begun < s->count && s->under_way < s->at_once && begin_one(s, now_ms)) {
    }
}

static bool is_pattern(struct skr_span name)
{
    return memchr(name.p, '*', name.n) != NULL || memchr(name.p, '?', name.n) != NULL;
}

/* Adds a device, unless it is among them already. False when there are too many. */
static bool add_device(struct fleet_slot *s, uint32_t device)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->devices[i] == device) {
            return true;
        }
    }
    if (s->count == FLEET_GROUP) {
        return false;
    }
    s->devices[s->count++] = device;
    fleet_registry.devices[device].pins++;
    return true;
}

static bool add_matching(struct fleet_slot *s, struct skr_span pattern)
{
    const struct fleet_registry *r = &fleet_registry;
    uint32_t from = s->count;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (d->presence != FLEET_PRESENT || !fleet_rights_see(&s->whom, d) || !fleet_glob(pattern, skr_span_of(d->id)) ||
            seems_to_lack(s, d)) {
            continue;
        }
        if (from == 0) { /* no need to look whether it is there: names differ */
            if (s->count == FLEET_GROUP) {
                return false;
            }
            s->devices[s->count++] = r->order[i];
            fleet_registry.devices[r->order[i]].pins++;
        } else if (!add_device(s, r->order[i])) {
            return false;
        }
    }
    return true;
}

static bool add_named(struct fleet_slot *s, struct skr_span name)
{
    if (!s->one && is_pattern(name)) {
        return add_matching(s, name);
    }
    uint32_t device = fleet_registry_find(name);
    if (device == FLEET_NO_DEVICE || !fleet_rights_see(&s->whom, &fleet_registry.devices[device])) {
        fleet_result_settle(s, name, no_device, FLEET_FATE_REFUSED, NOTHING, 0, false);
        return true;
    }
    return add_device(s, device);
}

static bool write_params(struct fleet_slot *s, const struct tool_call_tool_args *args)
{
    struct fleet_json t = {s->params, 0, sizeof s->params, false};
    struct skr_span arguments = args->has_arguments ? args->arguments : SPAN("{}");
    struct skr_span name = s->reads ? args->resource : args->tool;
    fleet_json_span(&t, name); /* kept in front, decoded; what is sent begins behind it */
    s->tool = (struct skr_span){s->params, name.n};
    fleet_json_put(&t, s->reads ? "\"uri\":" : "\"name\":");
    fleet_json_string(&t, name);
    if (!s->reads) {
        fleet_json_put(&t, ",\"arguments\":");
        fleet_json_span(&t, arguments);
    }
    s->params_n = s->arguments_n = t.n - s->tool.n;
    sha256_of(arguments.p, arguments.n, s->arguments);
    return !t.over;
}

static int start(struct skr_call *call, struct fleet_slot *s, const struct tool_call_tool_args *args)
{
    bool all = true;
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
    s->one = args->has_device;
    if (!write_params(s, args) || (s->one && !fleet_interim_begin(call, s))) {
        return skr_fail(call, "the arguments have more bytes than FLEET_MESSAGE");
    }
    s->at_once = (uint32_t)args->at_once;
    s->wait_ms = (uint32_t)args->wait_ms;
    if (s->one) {
        (void)add_named(s, args->device);
        return SKR_PENDING;
    }
    fleet_json_put(&s->text, "{\"results\":[");
    for (size_t i = 0; all && i < args->devices.count; i++) {
        all = add_named(s, args->devices.item[i]);
    }
    if (!all) {
        for (uint32_t i = 0; i < s->count; i++) {
            (void)let_go(s, i);
        }
        skr_fail(call, "more devices than one call may have; at most ");
        skr_put_int(call, FLEET_GROUP);
        return 0;
    }
    return SKR_PENDING;
}

static int finish(struct skr_call *call, struct fleet_slot *s)
{
    if (s->one) {
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

/* Nobody wants the result: nothing more is begun, and what is under way is cancelled. */
static void drop(struct fleet_slot *s)
{
    static const struct fleet_outcome cancelled = {"cancelled", ""};
    fleet_requests_forget(answered, (uint32_t)(s - fleet_slots_of_jobs));
    fleet_tool_check_forget(told, (uint32_t)(s - fleet_slots_of_jobs));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->devices[i] != FLEET_NO_DEVICE) {
            bool begun = i < s->begun;
            uint32_t ms = begun ? (uint32_t)(host_clock_ms() - s->since_ms) - s->begun_ms[i] : 0;
            const struct fleet_device *d = let_go(s, i);
            fleet_result_settle(s, skr_span_of(d->id), cancelled, FLEET_FATE_BREAK, NOTHING, ms, begun);
        }
    }
}

/* A reply of the agent has come. False while it is still its turn, or the call is over. */
static bool hear_reply(struct skr_call *call, struct fleet_slot *s)
{
    switch (fleet_interim_reply(call, s)) {
    case FLEET_DIALOGUE_OPEN: return false;
    case FLEET_DIALOGUE_REPLIED:
        fleet_audit_release();
        s->begun = 0;
        return true;
    default: end_item(s, 0, bad_reply, FLEET_FATE_REFUSED, NOTHING); return true;
    }
}

/* How many are through with it, and the last of them. */
static void tell_progress(struct skr_call *call, const struct fleet_slot *s)
{
    char last[FLEET_ID + 16];
    if (!s->one) {
        (void)snprintf(last, sizeof last, "%s: %s",
                       s->latest != FLEET_NO_DEVICE ? fleet_registry.devices[s->latest].id : "", s->latest_how);
        skr_progress(call, (int32_t)s->done, (int32_t)s->count, s->latest != FLEET_NO_DEVICE ? last : NULL);
    }
}

int tool_call_tool(struct skr_call *call, const struct tool_call_tool_args *args)
{
    struct fleet_slot *s = args != NULL ? fleet_slot_begin(call) : fleet_slot_of(call);
    if (args != NULL && start(call, s, args) != SKR_PENDING) {
        return 0;
    }
    if (skr_cancelled(call)) {
        drop(s);
        return 0;
    }
    if (s->asks && !hear_reply(call, s)) {
        return SKR_PENDING;
    }
    begin_more(s, host_clock_ms());
    if (s->done < s->count) {
        tell_progress(call, s);
        return SKR_PENDING;
    }
    return finish(call, s);
}
