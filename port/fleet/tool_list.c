/* tool_list.c -- list_devices. */
#include <string.h>

#include "clock.h"
#include "slots.h"
#include "text/span.h"
#include "tools.h"

static bool fits(const struct skr_fleet_device *d, const struct tool_list_devices_args *args)
{
    static const uint8_t wanted[] = {[TOOL_LIST_DEVICES_PRESENCE_PRESENT] = SKR_PRESENT,
                                     [TOOL_LIST_DEVICES_PRESENCE_AWAY] = SKR_AWAY,
                                     [TOOL_LIST_DEVICES_PRESENCE_SILENT] = SKR_SILENT,
                                     [TOOL_LIST_DEVICES_PRESENCE_REFUSED] = SKR_REFUSED};
    return (args->presence == TOOL_LIST_DEVICES_PRESENCE_ANY || d->presence == wanted[args->presence]) &&
           (!args->has_name || skr_glob(args->name, skri_span_of(d->id))) &&
           (!args->has_kind || skr_glob(args->kind, skri_span_of(d->kind))) &&
           (!args->has_build || skri_span_starts(skri_span_of(d->claimed), args->build));
}

static void put_device(struct skr_text *t, const struct skr_fleet_device *d, uint64_t now_ms)
{
    skr_text_put(t, "{");
    skr_text_member(t, true, "name", skri_span_of(d->id));
    skr_text_member(t, false, "kind", skri_span_of(d->kind));
    skr_text_member(t, false, "presence", skri_span_of(skr_presence_text(d->presence)));
    if (d->claimed[0] != '\0') {
        skr_text_member(t, false, "build", (struct skr_span){d->claimed, 8});
    }
    if (d->earlier[0] != '\0') {
        skr_text_member(t, false, "earlier_build", skri_span_of(d->earlier));
    }
    skr_text_count(t, false, "for_s", (now_ms - d->since_ms) / 1000);
    if (d->presence == SKR_REFUSED) {
        skr_text_put(t, ",\"why\":\"two devices have this name\",\"kinds\":[");
        skr_text_string(t, skri_span_of(d->kind));
        skr_text_put(t, ",");
        skr_text_string(t, skri_span_of(d->rival));
        skr_text_put(t, "]");
    }
    skr_text_put(t, "}");
}

int tool_list_devices(struct skr_call *call, const struct tool_list_devices_args *args)
{
    const struct skr_registry *r = &skr_registry;
    struct skr_slot *s = skr_slot_begin(call);
    struct skr_text *t = &s->text;
    uint64_t now_ms = skr_clock_ms();
    uint32_t total = 0, present = 0, shown = 0, start = args->has_cursor ? skr_registry_from(args->cursor) : 0;
    const char *next = NULL;
    skr_text_put(t, "{\"devices\":[");
    for (uint32_t i = 0; i < r->count; i++) {
        const struct skr_fleet_device *d = &r->devices[r->order[i]];
        if (!fits(d, args) || !skr_rights_see(&s->whom, d)) {
            continue;
        }
        total++;
        present += d->presence == SKR_PRESENT;
        if (i < start) {
            continue;
        }
        if (shown < (uint32_t)args->limit) {
            skr_text_put(t, shown > 0 ? "," : "");
            put_device(t, d, now_ms);
            shown++;
        } else if (next == NULL) {
            next = d->id;
        }
    }
    skr_text_put(t, "]");
    skr_text_count(t, false, "total", total);
    skr_text_count(t, false, "present", present);
    if (next != NULL) {
        skr_text_member(t, false, "nextCursor", skri_span_of(next));
    }
    skr_text_put(t, "}");
    return skr_slot_structured(call, s);
}
