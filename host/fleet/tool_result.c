/* call_result.c -- see call_result.h. */
#include "tool_result.h"

#include <string.h>

#include "counters.h"
#include "text/json_scan.h"
#include "text/span.h"

/* ---- Outcomes ---- */

struct fleet_outcome fleet_outcome_of(enum fleet_fate fate, struct skr_span value)
{
    bool failed = fate == FLEET_FATE_RESULT && skr_span_is(skr_scan_get(value, "isError"), "true");
    switch (fate) {
    case FLEET_FATE_RESULT: return (struct fleet_outcome){failed ? "failed" : "done", ""};
    case FLEET_FATE_ERROR: return (struct fleet_outcome){"failed", "the device answers with an error"};
    case FLEET_FATE_AWAY: return (struct fleet_outcome){"away", "the device is not there; nothing was run"};
    case FLEET_FATE_SILENT: return (struct fleet_outcome){"silent", "the device does not answer; nothing was run"};
    case FLEET_FATE_REFUSED:
        return (struct fleet_outcome){"refused", "two devices have this name, and neither is called; nothing was run"};
    case FLEET_FATE_OFFLINE: return (struct fleet_outcome){"away", "the broker cannot be reached; nothing was run"};
    case FLEET_FATE_DENIED:
        return (struct fleet_outcome){
            "refused", "the device has come back or changed while the call waited; nothing was run; call "
                       "again, and its tools are looked at anew"};
    case FLEET_FATE_BREAK:
        return (struct fleet_outcome){"unknown",
                                      "the device or its broker went away while this was under way; whether it was "
                                      "done is not known"};
    default: return (struct fleet_outcome){"unknown", "no answer came in time; whether it was done is not known"};
    }
}

/* ---- Results ---- */

/* One entry of the results of many devices. What does not fit is counted, not sent. */
static void put_entry(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, struct skr_span value,
                      bool error)
{
    struct fleet_json *t = &s->text;
    size_t before = t->n, kept = 256; /* for what closes the text */
    t->room -= kept;
    fleet_json_put(t, t->n > strlen("{\"results\":[") ? ",{" : "{");
    fleet_json_member(t, true, "device", device);
    fleet_json_member(t, false, "outcome", skr_span_of(how.name));
    if (value.p != NULL) {
        fleet_json_put(t, error ? ",\"error\":" : ",\"result\":");
        fleet_json_span(t, value);
    } else {
        fleet_json_member(t, false, "why", skr_span_of(how.why));
    }
    fleet_json_put(t, "}");
    t->room += kept;
    if (t->over) {
        t->over = false;
        t->n = before;
        s->left_out++;
    }
}

/* A resource that was read, as the content of a tool's result. False: there is none. */
static bool put_contents(struct fleet_slot *s, struct skr_span value)
{
    struct skr_span contents = skr_scan_get(value, "contents"), one;
    struct fleet_json *t = &s->text;
    bool first = true;
    if (contents.p == NULL || *contents.p != '[') {
        return false;
    }
    fleet_json_put(t, "\"content\":[");
    while (skr_scan_item(&contents, &one)) {
        fleet_json_put(t, first ? "{\"type\":\"resource\",\"resource\":" : ",{\"type\":\"resource\",\"resource\":");
        fleet_json_span(t, one);
        fleet_json_put(t, "}");
        first = false;
    }
    fleet_json_put(t, "]");
    return true;
}

/* The result of one device is the client's: as it is, or as a text that says why there is none. */
static void put_one(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, enum fleet_fate fate,
                    struct skr_span value)
{
    struct fleet_json *t = &s->text;
    s->kind = FLEET_SLOT_RESULT;
    if (fate == FLEET_FATE_RESULT &&
        (s->reads ? put_contents(s, value) : fleet_json_members(t, value, s->modern || s->offered, NULL))) {
        return;
    }
    struct skr_span says = skr_scan_inside(skr_scan_get(value, "message"));
    fleet_json_put(t, "\"content\":[{\"type\":\"text\",\"text\":");
    fleet_json_string(t, device);
    t->n -= !t->over; /* its quote: the text goes on */
    fleet_json_put(t, ": ");
    fleet_json_put(t, how.name);
    fleet_json_put(t, ": ");
    fleet_json_put(t, fate == FLEET_FATE_RESULT ? "the device answers with nothing" : how.why);
    if (says.p != NULL) { /* already the inside of a string */
        fleet_json_put(t, ": ");
        fleet_json_span(t, says);
    }
    fleet_json_put(t, "\"}],\"isError\":true");
}

/* ---- Both ---- */

void fleet_result_put(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, enum fleet_fate fate,
                      struct skr_span value)
{
    s->latest_how = how.name;
    if (s->one) {
        put_one(s, device, how, fate, value);
    } else {
        put_entry(s, device, how, value, fate == FLEET_FATE_ERROR);
    }
}

struct fleet_audit_entry fleet_result_line(const struct fleet_slot *s, struct skr_span device, const char *outcome,
                                           uint32_t ms)
{
    return (struct fleet_audit_entry){s->whom.name, device, s->reads ? "resource" : "tool", s->tool, s->arguments,
                                      outcome,      ms};
}

void fleet_result_settle(struct fleet_slot *s, struct skr_span device, struct fleet_outcome how, enum fleet_fate fate,
                         struct skr_span value, uint32_t ms, bool promised)
{
    struct fleet_audit_entry line = fleet_result_line(s, device, how.name, ms);
    fleet_audit_call(&line, promised);
    fleet_counters.call_ms += ms;
    fleet_result_put(s, device, how, fate, value);
}
