/* tool_call.c -- call_tool: a tool of a device, or of many, some at once; or a resource, read likewise. */
#include <stdio.h>
#include <string.h>

#include "builds.h"
#include "clock.h"
#include "counts.h"
#include "dialogue.h"
#include "own_tools.h"
#include "slots.h"
#include "text/span.h"
#include "call_result.h"
#include "tools.h"

/* ---- Outcomes ---- */

/* A result that asks something is none yet. */
static const struct skr_outcome asked = {"asked", ""};
static const struct skr_outcome cannot_ask = {
    "failed",
    "the device asks something first, and in this call nobody can be asked; call it alone, from a client that can be"};
static const struct skr_outcome bad_reply = {"failed", "what the device asked was not answered, or with too much"};
static const struct skr_outcome no_right = {"refused",
                                            "this token may only look, and the tool does more; nothing was run"};
static const struct skr_outcome no_tool = {"refused",
                                           "the device has no tool of this name; find_tools finds those it has"};
static const struct skr_outcome no_device = {"refused", "there is no device of this name; list_devices lists them"};
static const struct skr_outcome no_record = {
    "refused", "the record of calls cannot be written, and no call goes unrecorded; nothing was run"};
static const struct skr_outcome busy = {"refused", "too many requests are under way; nothing was run; try again later"};

/* A device of the call is through with it: its row is the registry's again. */
static struct skr_fleet_device *let_go(struct skr_slot *s, uint32_t item)
{
    struct skr_fleet_device *d = &skr_registry.devices[s->devices[item]];
    s->latest = s->devices[item];
    s->devices[item] = SKR_NO_DEVICE;
    s->done++;
    d->pins--;
    return d;
}

/* A device of the call is through with it after it was begun. */
static void end_item(struct skr_slot *s, uint32_t item, struct skr_outcome how, enum skr_fate fate,
                     struct skr_span value)
{
    const struct skr_fleet_device *d = let_go(s, item);
    uint32_t ms = (uint32_t)(skr_clock_ms() - s->since_ms) - s->begun_ms[item];
    skr_result_settle(s, skri_span_of(d->id), how, fate, value, ms, true);
}

static void answered(uint32_t owner, uint32_t item, enum skr_fate fate, struct skr_span value)
{
    struct skr_slot *s = &skr_slots_of_jobs[owner];
    struct skr_outcome how = skr_outcome_of(fate, value);
    s->under_way--;
    if (fate == SKR_FATE_RESULT && skr_dialogue_is_question(value)) {
        if (s->offered && skr_dialogue_ask(s, value)) {
            return; /* the agent's turn */
        }
        s->asked = s->offered && s->modern;
        how = s->asked ? asked : cannot_ask;
        fate = s->asked ? fate : SKR_FATE_REFUSED;
        value = s->asked ? value : NOTHING;
    }
    skr_counts.calls[fate]++;
    skr_counts.failed += fate == SKR_FATE_RESULT && strcmp(how.name, "failed") == 0;
    skr_counts.denied += fate == SKR_FATE_DENIED;
    end_item(s, item, how, fate, value);
}

/* ---- Beginning ---- */

/* Does the build of this device not have the tool? Somebody else may have described it. */
static bool seems_to_lack(const struct skr_slot *s, const struct skr_fleet_device *d)
{
    const struct skr_build *b = d->build != SKR_NO_BUILD ? &skr_builds.at[d->build] : NULL;
    bool known = b != NULL && b->state == SKR_BUILD_KNOWN && !b->cut;
    return known && !s->reads && skr_build_tool(b, s->tool) == NULL;
}

/* May this be sent to this device? Everybody who sees it may read. */
static bool may_send(uint32_t owner, uint32_t item)
{
    const struct skr_slot *s = &skr_slots_of_jobs[owner];
    const struct skr_fleet_device *d = &skr_registry.devices[s->devices[item]];
    return s->reads ? skr_rights_see(&s->whom, d) : skr_rights_call(&s->whom, d, s->tool);
}

/* A call that may ask the agent: one of 2026-07-28, to one device that knows that era. */
static struct skr_span offers_to(const struct skr_slot *s, const struct skr_fleet_device *d)
{
    bool modern = d->build != SKR_NO_BUILD && skr_builds.at[d->build].modern;
    return s->one && modern && !s->reads && s->offers_n > strlen("{}") ? (struct skr_span){s->offers, s->offers_n}
                                                                       : NOTHING;
}

/* Sends the call. False: no room now. */
static bool send_call(struct skr_slot *s, uint32_t item, uint64_t now_ms)
{
    uint32_t device = s->devices[item];
    struct skr_order order = {
        .device = device,
        .method = s->reads ? "resources/read" : "tools/call",
        .params = {s->params + s->tool.n, s->params_n},
        .runs = !s->reads,
        .wait_ms = s->wait_ms,
        .answer_ms = skr_slots_answer_ms,
        .offers = offers_to(s, &skr_registry.devices[device]),
        .progress = s->one && s->job->token.n > 0 ? skr_dialogue_progress : NULL,
        .may = may_send,
        .answered = answered,
        .owner = (uint32_t)(s - skr_slots_of_jobs),
        .item = item,
    };
    s->offered = order.offers.p != NULL;
    s->under_way++;
    bool taken = skr_request_take(&order, now_ms);
    s->under_way -= !taken;
    return taken;
}

/* The device has told whether it has the tool, and whether that only looks. */
static void told(uint32_t owner, uint32_t item, enum skr_own_tool what, enum skr_fate fate)
{
    struct skr_slot *s = &skr_slots_of_jobs[owner];
    s->under_way--;
    if (what == SKR_OWN_UNKNOWN) {
        skr_counts.calls[fate]++;
        end_item(s, item, skr_outcome_of(fate, NOTHING), fate, NOTHING);
    } else if (what == SKR_OWN_MISSING) {
        end_item(s, item, no_tool, SKR_FATE_REFUSED, NOTHING);
    } else if (!may_send(owner, item)) {
        skr_counts.denied++;
        end_item(s, item, no_right, SKR_FATE_REFUSED, NOTHING);
    } else if (!send_call(s, item, skr_clock_ms())) {
        end_item(s, item, busy, SKR_FATE_REFUSED, NOTHING);
    }
}

/* Asks the device itself. False: no room now. */
static bool ask_first(struct skr_slot *s, uint32_t item, uint64_t now_ms)
{
    struct skr_own_question question = {.device = s->devices[item],
                                        .tool = s->tool,
                                        .wait_ms = s->wait_ms,
                                        .told = told,
                                        .owner = (uint32_t)(s - skr_slots_of_jobs),
                                        .item = item};
    s->under_way++;
    bool taken = skr_own_ask(&question, now_ms);
    s->under_way -= !taken;
    return taken;
}

/* The next device of the call. False: no room now. */
static bool begin_one(struct skr_slot *s, uint64_t now_ms)
{
    uint32_t item = s->begun;
    const struct skr_fleet_device *d = &skr_registry.devices[s->devices[item]];
    struct skr_recorded line = skr_result_line(s, skri_span_of(d->id), "", 0);
    s->begun_ms[item] = (uint32_t)(now_ms - s->since_ms);
    s->begun++;
    if (!skr_record_promise(&line)) {
        (void)let_go(s, item);
        skr_result_put(s, skri_span_of(d->id), no_record, SKR_FATE_REFUSED, NOTHING);
        return true;
    }
    bool lacks = seems_to_lack(s, d), ask = lacks || !may_send((uint32_t)(s - skr_slots_of_jobs), item);
    if (lacks && d->presence != SKR_PRESENT && s->wait_ms == 0) { /* it cannot be asked */
        end_item(s, item, no_tool, SKR_FATE_REFUSED, NOTHING);
        return true;
    }
    bool taken = ask ? ask_first(s, item, now_ms) : send_call(s, item, now_ms);
    if (!taken) {
        skr_record_release();
        s->begun--;
    }
    return taken;
}

/* Begins with as many devices as may be under way. */
static void begin_more(struct skr_slot *s, uint64_t now_ms)
{
    while (s->begun < s->count && s->under_way < s->at_once && begin_one(s, now_ms)) {
    }
}

static bool is_pattern(struct skr_span name)
{
    return memchr(name.p, '*', name.n) != NULL || memchr(name.p, '?', name.n) != NULL;
}

/* Adds a device, unless it is among them already. False when there are too many. */
static bool add_device(struct skr_slot *s, uint32_t device)
{
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->devices[i] == device) {
            return true;
        }
    }
    if (s->count == SKR_FLEET_GROUP) {
        return false;
    }
    s->devices[s->count++] = device;
    skr_registry.devices[device].pins++;
    return true;
}

static bool add_matching(struct skr_slot *s, struct skr_span pattern)
{
    const struct skr_registry *r = &skr_registry;
    uint32_t from = s->count;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct skr_fleet_device *d = &r->devices[r->order[i]];
        if (d->presence != SKR_PRESENT || !skr_rights_see(&s->whom, d) || !skr_glob(pattern, skri_span_of(d->id)) ||
            seems_to_lack(s, d)) {
            continue;
        }
        if (from == 0) { /* no need to look whether it is there: names differ */
            if (s->count == SKR_FLEET_GROUP) {
                return false;
            }
            s->devices[s->count++] = r->order[i];
            skr_registry.devices[r->order[i]].pins++;
        } else if (!add_device(s, r->order[i])) {
            return false;
        }
    }
    return true;
}

static bool add_named(struct skr_slot *s, struct skr_span name)
{
    if (!s->one && is_pattern(name)) {
        return add_matching(s, name);
    }
    uint32_t device = skr_registry_find(name);
    if (device == SKR_NO_DEVICE || !skr_rights_see(&s->whom, &skr_registry.devices[device])) {
        skr_result_settle(s, name, no_device, SKR_FATE_REFUSED, NOTHING, 0, false);
        return true;
    }
    return add_device(s, device);
}

static bool write_params(struct skr_slot *s, const struct tool_call_tool_args *args)
{
    struct skr_text t = {s->params, 0, sizeof s->params, false};
    struct skr_span arguments = args->has_arguments ? args->arguments : SPAN("{}");
    struct skr_span name = s->reads ? args->resource : args->tool;
    skr_text_span(&t, name); /* kept in front, decoded; what is sent begins behind it */
    s->tool = (struct skr_span){s->params, name.n};
    skr_text_put(&t, s->reads ? "\"uri\":" : "\"name\":");
    skr_text_string(&t, name);
    if (!s->reads) {
        skr_text_put(&t, ",\"arguments\":");
        skr_text_span(&t, arguments);
    }
    s->params_n = s->arguments_n = t.n - s->tool.n;
    sha256_of(arguments.p, arguments.n, s->arguments);
    return !t.over;
}

static int start(struct skr_call *call, struct skr_slot *s, const struct tool_call_tool_args *args)
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
    if (!write_params(s, args) || (s->one && !skr_dialogue_begin(call, s))) {
        return skr_fail(call, "the arguments have more bytes than SKR_FLEET_MESSAGE");
    }
    s->at_once = (uint32_t)args->at_once;
    s->wait_ms = (uint32_t)args->wait_ms;
    if (s->one) {
        (void)add_named(s, args->device);
        return SKR_PENDING;
    }
    skr_text_put(&s->text, "{\"results\":[");
    for (size_t i = 0; all && i < args->devices.count; i++) {
        all = add_named(s, args->devices.item[i]);
    }
    if (!all) {
        for (uint32_t i = 0; i < s->count; i++) {
            (void)let_go(s, i);
        }
        skr_fail(call, "more devices than one call may have; at most ");
        skr_put_int(call, SKR_FLEET_GROUP);
        return 0;
    }
    return SKR_PENDING;
}

static int finish(struct skr_call *call, struct skr_slot *s)
{
    if (s->one) {
        return s->text.over ? skr_fail(call, "the result has more bytes than SKR_FLEET_RESULT") : 0;
    }
    skr_text_put(&s->text, "]");
    skr_text_count(&s->text, false, "devices", s->count);
    if (s->left_out > 0) {
        skr_text_count(&s->text, false, "left_out", s->left_out);
    }
    skr_text_put(&s->text, "}");
    return skr_slot_structured(call, s);
}

/* Nobody wants the result: nothing more is begun, and what is under way is cancelled. */
static void drop(struct skr_slot *s)
{
    static const struct skr_outcome cancelled = {"cancelled", ""};
    skr_requests_forget(answered, (uint32_t)(s - skr_slots_of_jobs));
    skr_own_forget(told, (uint32_t)(s - skr_slots_of_jobs));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->devices[i] != SKR_NO_DEVICE) {
            bool begun = i < s->begun;
            uint32_t ms = begun ? (uint32_t)(skr_clock_ms() - s->since_ms) - s->begun_ms[i] : 0;
            const struct skr_fleet_device *d = let_go(s, i);
            skr_result_settle(s, skri_span_of(d->id), cancelled, SKR_FATE_BREAK, NOTHING, ms, begun);
        }
    }
}

/* A reply of the agent has come. False while it is still its turn, or the call is over. */
static bool hear_reply(struct skr_call *call, struct skr_slot *s)
{
    switch (skr_dialogue_reply(call, s)) {
    case SKR_DIALOGUE_OPEN: return false;
    case SKR_DIALOGUE_REPLIED:
        skr_record_release();
        s->begun = 0;
        return true;
    default: end_item(s, 0, bad_reply, SKR_FATE_REFUSED, NOTHING); return true;
    }
}

/* How many are through with it, and the last of them. */
static void tell_progress(struct skr_call *call, const struct skr_slot *s)
{
    char last[SKR_FLEET_ID + 16];
    if (!s->one) {
        (void)snprintf(last, sizeof last, "%s: %s",
                       s->latest != SKR_NO_DEVICE ? skr_registry.devices[s->latest].id : "", s->latest_how);
        skr_progress(call, (int32_t)s->done, (int32_t)s->count, s->latest != SKR_NO_DEVICE ? last : NULL);
    }
}

int tool_call_tool(struct skr_call *call, const struct tool_call_tool_args *args)
{
    struct skr_slot *s = args != NULL ? skr_slot_begin(call) : skr_slot_of(call);
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
    begin_more(s, skr_clock_ms());
    if (s->done < s->count) {
        tell_progress(call, s);
        return SKR_PENDING;
    }
    return finish(call, s);
}
