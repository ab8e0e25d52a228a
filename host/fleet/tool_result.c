/* tool_result.c -- see tool_result.h. */
#include "tool_result.h"

#include <string.h>

#include "counters.h"
#include "text/json_scan.h"
#include "text/span.h"

/* ---- Outcomes ---- */

struct fleet_summary fleet_summary_of(enum fleet_outcome outcome, struct skr_span value)
{
    bool failed = outcome == FLEET_OUTCOME_RESULT && skr_span_is(skr_scan_get(value, "isError"), "true");

    switch (outcome) {
    case FLEET_OUTCOME_RESULT: return (struct fleet_summary){failed ? "failed" : "done", ""};
    case FLEET_OUTCOME_ERROR: return (struct fleet_summary){"failed", "the device responded with an error"};
    case FLEET_OUTCOME_AWAY: return (struct fleet_summary){"away", "the device is away; nothing was run"};
    case FLEET_OUTCOME_SILENT: return (struct fleet_summary){"silent", "the device does not respond; nothing was run"};
    case FLEET_OUTCOME_REFUSED:
        return (struct fleet_summary){"refused", "two devices have this name, and neither is called; nothing was run"};
    case FLEET_OUTCOME_OFFLINE: return (struct fleet_summary){"away", "the broker cannot be reached; nothing was run"};
    case FLEET_OUTCOME_DENIED:
        return (struct fleet_summary){"refused",
                                      "the device came back or changed while the call waited; nothing was run; call "
                                      "again, and its tools are checked again"};
    case FLEET_OUTCOME_LOST:
        return (struct fleet_summary){"unknown",
                                      "the device or its broker went away after the call was sent; whether it was "
                                      "done is not known"};
    default: return (struct fleet_summary){"unknown", "no response within the time; whether it was done is not known"};
    }
}

/* ---- Results ---- */

/* One entry of the results of many devices. Entries that do not fit are counted instead. */
static void put_entry(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary, struct skr_span value,
                      bool error)
{
    struct fleet_json *t = &s->text;
    size_t before = t->n, kept = 256; /* for the end of the text */

    t->room -= kept;
    fleet_json_put(t, t->n > strlen("{\"results\":[") ? ",{" : "{");
    fleet_json_member(t, true, "device", device);
    fleet_json_member(t, false, "outcome", skr_span_of(summary.name));
    if (value.p != NULL) {
        fleet_json_put(t, error ? ",\"error\":" : ",\"result\":");
        fleet_json_span(t, value);
    } else {
        fleet_json_member(t, false, "why", skr_span_of(summary.why));
    }
    fleet_json_put(t, "}");
    t->room += kept;
    if (t->over) {
        t->over = false;
        t->n = before;
        s->left_out++;
    }
}

/* A resource as the content of a tool's result. False: there is none. */
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

/* The result of a single device is the response: unchanged, or a text that says why there is none. */
static void put_single(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary,
                       enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_json *t = &s->text;

    s->kind = FLEET_SLOT_RESULT;
    if (outcome == FLEET_OUTCOME_RESULT &&
        (s->reads ? put_contents(s, value) : fleet_json_members(t, value, s->modern || s->offered, NULL))) {
        return;
    }
    struct skr_span message = skr_scan_inside(skr_scan_get(value, "message"));
    fleet_json_put(t, "\"content\":[{\"type\":\"text\",\"text\":");
    fleet_json_string(t, device);
    t->n -= !t->over; /* its quote: the text goes on */
    fleet_json_put(t, ": ");
    fleet_json_put(t, summary.name);
    fleet_json_put(t, ": ");
    fleet_json_put(t, outcome == FLEET_OUTCOME_RESULT ? "the result of the device is empty" : summary.why);
    if (message.p != NULL) { /* already the inside of a string */
        fleet_json_put(t, ": ");
        fleet_json_span(t, message);
    }
    fleet_json_put(t, "\"}],\"isError\":true");
}

/* ---- Either ---- */

void fleet_result_put(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary,
                      enum fleet_outcome outcome, struct skr_span value)
{
    s->latest_outcome = summary.name;
    if (s->single) {
        put_single(s, device, summary, outcome, value);
    } else {
        put_entry(s, device, summary, value, outcome == FLEET_OUTCOME_ERROR);
    }
}

struct fleet_audit_entry fleet_result_entry(const struct fleet_slot *s, struct skr_span device, const char *outcome,
                                            uint32_t ms)
{
    return (struct fleet_audit_entry){s->client.name, device, s->reads ? "resource" : "tool", s->tool, s->arguments,
                                      outcome,        ms};
}

void fleet_result_settle(struct fleet_slot *s, struct skr_span device, struct fleet_summary summary,
                         enum fleet_outcome outcome, struct skr_span value, uint32_t ms, bool promised)
{
    struct fleet_audit_entry entry = fleet_result_entry(s, device, summary.name, ms);

    fleet_audit_call(&entry, promised);
    fleet_counters.call_ms += ms;
    fleet_result_put(s, device, summary, outcome, value);
}
