/* tool_call.c -- call_tool: a tool of a device, or of many, some at once; or a resource, read likewise. */
#include <stdio.h>
#include <string.h>

#include "builds.h"
#include "clock.h"
#include "counts.h"
#include "dialogue.h"
#include "record.h"
#include "slots.h"
#include "text/json_scan.h"
#include "text/span.h"
#include "tools.h"

/* ---- Outcomes ---- */

/* What clients and the record are told, and why in words. */
struct outcome {
    const char *name, *why;
};

static struct outcome outcome_of(enum skr_fate fate, struct skr_span value)
{
    bool failed = fate == SKR_FATE_RESULT && skri_span_is(skri_scan_get(value, "isError"), "true");
    switch (fate) {
    case SKR_FATE_RESULT: return (struct outcome){failed ? "failed" : "done", ""};
    case SKR_FATE_ERROR: return (struct outcome){"failed", "the device answers with an error"};
    case SKR_FATE_AWAY: return (struct outcome){"away", "the device is not there; nothing was run"};
    case SKR_FATE_SILENT: return (struct outcome){"silent", "the device does not answer; nothing was run"};
    case SKR_FATE_REFUSED:
        return (struct outcome){"refused", "two devices have this name, and neither is called; nothing was run"};
    case SKR_FATE_OFFLINE: return (struct outcome){"away", "the broker cannot be reached; nothing was run"};
    case SKR_FATE_BREAK:
        return (struct outcome){"unknown",
                                "the device or its broker went away while this was under way; whether it was "
                                "done is not known"};
    default: return (struct outcome){"unknown", "no answer came in time; whether it was done is not known"};
    }
}

/* A result that asks something is none yet. */
static const struct outcome asked = {"asked", ""};
static const struct outcome cannot_ask = {
    "failed",
    "the device asks something first, and in this call nobody can be asked; call it alone, from a client that can be"};
static const struct outcome bad_reply = {"failed", "what the device asked was not answered, or with too much"};
static const struct outcome no_right = {"refused", "this token may only look, and the tool does more; nothing was run"};
static const struct outcome no_tool = {"refused", "the device has no tool of this name; find_tools finds those it has"};
static const struct outcome no_device = {"refused", "there is no device of this name; list_devices lists them"};

/* ---- Results ---- */

/* One entry of the results of many devices. What does not fit is counted, not sent. */
static void put_entry(struct skr_slot *s, struct skr_span device, struct outcome how, struct skr_span value, bool error)
{
    struct skr_text *t = &s->text;
    size_t before = t->n, kept = 256; /* for what closes the text */
    t->room -= kept;
    skr_text_put(t, t->n > strlen("{\"results\":[") ? ",{" : "{");
    skr_text_member(t, true, "device", device);
    skr_text_member(t, false, "outcome", skri_span_of(how.name));
    if (value.p != NULL) {
        skr_text_put(t, error ? ",\"error\":" : ",\"result\":");
        skr_text_span(t, value);
    } else {
        skr_text_member(t, false, "why", skri_span_of(how.why));
    }
    skr_text_put(t, "}");
    t->room += kept;
    if (t->over) {
        t->over = false;
        t->n = before;
        s->left_out++;
    }
}

/* A resource that was read, as the content of a tool's result. False: there is none. */
static bool put_contents(struct skr_slot *s, struct skr_span value)
{
    struct skr_span contents = skri_scan_get(value, "contents"), one;
    struct skr_text *t = &s->text;
    bool first = true;
    if (contents.p == NULL || *contents.p != '[') {
        return false;
    }
    skr_text_put(t, "\"content\":[");
    while (skri_scan_item(&contents, &one)) {
        skr_text_put(t, first ? "{\"type\":\"resource\",\"resource\":" : ",{\"type\":\"resource\",\"resource\":");
        skr_text_span(t, one);
        skr_text_put(t, "}");
        first = false;
    }
    skr_text_put(t, "]");
    return true;
}

/* The result of one device is the client's: as it is, or as a text that says why there is none. */
static void put_one(struct skr_slot *s, struct skr_span device, struct outcome how, enum skr_fate fate,
                    struct skr_span value)
{
    struct skr_text *t = &s->text;
    s->kind = SKR_SLOT_RESULT;
    if (fate == SKR_FATE_RESULT &&
        (s->reads ? put_contents(s, value) : skr_text_members(t, value, s->modern || s->offered, NULL))) {
        return;
    }
    struct skr_span says = skri_scan_inside(skri_scan_get(value, "message"));
    skr_text_put(t, "\"content\":[{\"type\":\"text\",\"text\":");
    skr_text_string(t, device);
    t->n -= !t->over; /* its quote: the text goes on */
    skr_text_put(t, ": ");
    skr_text_put(t, how.name);
    skr_text_put(t, ": ");
    skr_text_put(t, fate == SKR_FATE_RESULT ? "the device answers with nothing" : how.why);
    if (says.p != NULL) { /* already the inside of a string */
        skr_text_put(t, ": ");
        skr_text_span(t, says);
    }
    skr_text_put(t, "\"}],\"isError\":true");
}

/* A device is through with it. */
static void settle(struct skr_slot *s, struct skr_span device, struct outcome how, enum skr_fate fate,
                   struct skr_span value, uint32_t ms)
{
    char name[SKR_FLEET_ID];
    (void)snprintf(name, sizeof name, "%.*s", (int)device.n, device.p);
    struct skr_recorded line = {s->whom.name, name, s->reads ? "resource" : "tool", s->tool, s->arguments,
                                how.name,     ms};
    skr_record_call(&line);
    s->latest_how = how.name;
    skr_counts.call_ms += ms;
    if (s->one) {
        put_one(s, device, how, fate, value);
    } else {
        put_entry(s, device, how, value, fate == SKR_FATE_ERROR);
    }
}

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

static void answered(uint32_t owner, uint32_t item, enum skr_fate fate, struct skr_span value)
{
    struct skr_slot *s = &skr_slots_of_jobs[owner];
    struct outcome how = outcome_of(fate, value);
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
    struct skr_fleet_device *d = let_go(s, item);
    uint32_t ms = (uint32_t)(skr_clock_ms() - s->since_ms) - s->begun_ms[item];
    skr_counts.calls[fate]++;
    skr_counts.failed += fate == SKR_FATE_RESULT && strcmp(how.name, "failed") == 0;
    settle(s, skri_span_of(d->id), how, fate, value, ms);
}

/* ---- Beginning ---- */

/* Why this caller cannot have this tool of this device; NULL: nothing is against it. */
static const struct outcome *objection(const struct skr_slot *s, const struct skr_fleet_device *d)
{
    const struct skr_build *b = d->build != SKR_NO_BUILD ? &skr_builds.at[d->build] : NULL;
    bool known = b != NULL && b->state == SKR_BUILD_KNOWN;
    if (s->reads) {
        return NULL; /* everybody may look, and what can be read may have variables */
    }
    const struct skr_described *tool = known ? skr_build_tool(b, s->tool) : NULL;
    if (known && tool == NULL && !b->cut) {
        return &no_tool;
    }
    return s->whom.operate || (tool != NULL && tool->calm) ? NULL : &no_right;
}

/* A call that may ask the agent: one of 2026-07-28, to one device that knows that era. */
static struct skr_span offers_to(const struct skr_slot *s, const struct skr_fleet_device *d)
{
    bool modern = d->build != SKR_NO_BUILD && skr_builds.at[d->build].modern;
    return s->one && modern && !s->reads && s->offers_n > strlen("{}") ? (struct skr_span){s->offers, s->offers_n}
                                                                       : NOTHING;
}

/* Gives out as many orders as may be under way. */
static void begin_more(struct skr_slot *s, uint64_t now_ms)
{
    while (s->begun < s->count && s->under_way < s->at_once) {
        uint32_t item = s->begun, device = s->devices[item];
        struct skr_fleet_device *d = &skr_registry.devices[device];
        const struct outcome *wrong = objection(s, d);
        s->begun_ms[item] = (uint32_t)(now_ms - s->since_ms);
        if (wrong != NULL) {
            skr_counts.denied += wrong == &no_right;
            s->begun++;
            (void)let_go(s, item);
            settle(s, skri_span_of(d->id), *wrong, SKR_FATE_REFUSED, NOTHING, 0);
            continue;
        }
        struct skr_order order = {
            .device = device,
            .method = s->reads ? "resources/read" : "tools/call",
            .params = {s->params + s->tool.n, s->params_n},
            .runs = !s->reads,
            .wait_ms = s->wait_ms,
            .answer_ms = skr_slots_answer_ms,
            .offers = offers_to(s, d),
            .progress = s->one && s->job->token.n > 0 ? skr_dialogue_progress : NULL,
            .answered = answered,
            .owner = (uint32_t)(s - skr_slots_of_jobs),
            .item = item,
        };
        s->offered = order.offers.p != NULL;
        s->begun++;
        s->under_way++;
        if (!skr_request_take(&order, now_ms)) { /* no room now */
            s->begun--;
            s->under_way--;
            return;
        }
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
            objection(s, d) == &no_tool) {
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
        settle(s, name, no_device, SKR_FATE_REFUSED, NOTHING, 0);
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
    static const struct outcome cancelled = {"cancelled", ""};
    skr_requests_forget(answered, (uint32_t)(s - skr_slots_of_jobs));
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->devices[i] != SKR_NO_DEVICE) {
            uint32_t ms = i < s->begun ? (uint32_t)(skr_clock_ms() - s->since_ms) - s->begun_ms[i] : 0;
            struct skr_fleet_device *d = let_go(s, i);
            settle(s, skri_span_of(d->id), cancelled, SKR_FATE_BREAK, NOTHING, ms);
        }
    }
}

/* A reply of the agent has come. False while it is still its turn, or the call is over. */
static bool hear_reply(struct skr_call *call, struct skr_slot *s)
{
    switch (skr_dialogue_reply(call, s)) {
    case SKR_DIALOGUE_OPEN: return false;
    case SKR_DIALOGUE_REPLIED: s->begun = 0; return true;
    default: {
        struct skr_fleet_device *d = let_go(s, 0);
        settle(s, skri_span_of(d->id), bad_reply, SKR_FATE_REFUSED, NOTHING, (uint32_t)(skr_clock_ms() - s->since_ms));
        return true;
    }
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
