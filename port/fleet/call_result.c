/* call_result.c -- see call_result.h. */
#include "call_result.h"

#include <string.h>

#include "counts.h"
#include "text/json_scan.h"
#include "text/span.h"

/* ---- Outcomes ---- */

struct skr_outcome skr_outcome_of(enum skr_fate fate, struct skr_span value)
{
    bool failed = fate == SKR_FATE_RESULT && skri_span_is(skri_scan_get(value, "isError"), "true");
    switch (fate) {
    case SKR_FATE_RESULT: return (struct skr_outcome){failed ? "failed" : "done", ""};
    case SKR_FATE_ERROR: return (struct skr_outcome){"failed", "the device answers with an error"};
    case SKR_FATE_AWAY: return (struct skr_outcome){"away", "the device is not there; nothing was run"};
    case SKR_FATE_SILENT: return (struct skr_outcome){"silent", "the device does not answer; nothing was run"};
    case SKR_FATE_REFUSED:
        return (struct skr_outcome){"refused", "two devices have this name, and neither is called; nothing was run"};
    case SKR_FATE_OFFLINE: return (struct skr_outcome){"away", "the broker cannot be reached; nothing was run"};
    case SKR_FATE_DENIED:
        return (struct skr_outcome){"refused",
                                    "the device has come back or changed while the call waited; nothing was run; call "
                                    "again, and its tools are looked at anew"};
    case SKR_FATE_BREAK:
        return (struct skr_outcome){"unknown",
                                    "the device or its broker went away while this was under way; whether it was "
                                    "done is not known"};
    default: return (struct skr_outcome){"unknown", "no answer came in time; whether it was done is not known"};
    }
}

/* ---- Results ---- */

/* One entry of the results of many devices. What does not fit is counted, not sent. */
static void put_entry(struct skr_slot *s, struct skr_span device, struct skr_outcome how, struct skr_span value,
                      bool error)
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
static void put_one(struct skr_slot *s, struct skr_span device, struct skr_outcome how, enum skr_fate fate,
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

/* ---- Both ---- */

void skr_result_put(struct skr_slot *s, struct skr_span device, struct skr_outcome how, enum skr_fate fate,
                    struct skr_span value)
{
    s->latest_how = how.name;
    if (s->one) {
        put_one(s, device, how, fate, value);
    } else {
        put_entry(s, device, how, value, fate == SKR_FATE_ERROR);
    }
}

struct skr_recorded skr_result_line(const struct skr_slot *s, struct skr_span device, const char *outcome, uint32_t ms)
{
    return (struct skr_recorded){s->whom.name, device, s->reads ? "resource" : "tool", s->tool, s->arguments,
                                 outcome,      ms};
}

void skr_result_settle(struct skr_slot *s, struct skr_span device, struct skr_outcome how, enum skr_fate fate,
                       struct skr_span value, uint32_t ms, bool promised)
{
    struct skr_recorded line = skr_result_line(s, device, how.name, ms);
    skr_record_call(&line, promised);
    skr_counts.call_ms += ms;
    skr_result_put(s, device, how, fate, value);
}
