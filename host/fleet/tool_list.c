/* tool_list.c -- list_devices: a page of the registry. */
#include <string.h>

#include "clock.h"
#include "job_slots.h"
#include "text/span.h"
#include "tools.h"

static bool is_selected(const struct fleet_device *d, const struct tool_list_devices_args *args)
{
    static const uint8_t wanted[] = {[TOOL_LIST_DEVICES_PRESENCE_PRESENT] = FLEET_PRESENT,
                                     [TOOL_LIST_DEVICES_PRESENCE_AWAY] = FLEET_AWAY,
                                     [TOOL_LIST_DEVICES_PRESENCE_SILENT] = FLEET_SILENT,
                                     [TOOL_LIST_DEVICES_PRESENCE_REFUSED] = FLEET_REFUSED};

    return (args->presence == TOOL_LIST_DEVICES_PRESENCE_ANY || d->presence == wanted[args->presence]) &&
           (!args->has_name || fleet_glob(args->name, skr_span_of(d->id))) &&
           (!args->has_kind || fleet_glob(args->kind, skr_span_of(d->kind))) &&
           (!args->has_build || skr_span_starts(skr_span_of(d->claimed), args->build));
}

static void put_device(struct fleet_json *t, const struct fleet_device *d, uint64_t now_ms)
{
    fleet_json_put(t, "{");
    fleet_json_member(t, true, "name", skr_span_of(d->id));
    fleet_json_member(t, false, "kind", skr_span_of(d->kind));
    fleet_json_member(t, false, "presence", skr_span_of(fleet_presence_text(d->presence)));
    if (d->claimed[0] != '\0') {
        fleet_json_member(t, false, "build", (struct skr_span){d->claimed, 8});
    }
    if (d->earlier[0] != '\0') {
        fleet_json_member(t, false, "earlier_build", skr_span_of(d->earlier));
    }
    fleet_json_count(t, false, "for_s", (now_ms - d->since_ms) / 1000);
    if (d->presence == FLEET_REFUSED) {
        fleet_json_put(t, ",\"why\":\"two devices have this name\",\"kinds\":[");
        fleet_json_string(t, skr_span_of(d->kind));
        fleet_json_put(t, ",");
        fleet_json_string(t, skr_span_of(d->rival));
        fleet_json_put(t, "]");
    }
    fleet_json_put(t, "}");
}

int tool_list_devices(struct skr_call *call, const struct tool_list_devices_args *args)
{
    const struct fleet_registry *r = &fleet_registry;
    struct fleet_slot *s = fleet_slot_begin(call);
    struct fleet_json *t = &s->text;
    uint64_t now_ms = host_clock_ms();
    uint32_t total = 0, present = 0, shown = 0, start = args->has_cursor ? fleet_registry_from(args->cursor) : 0;
    const char *next = NULL;

    fleet_json_put(t, "{\"devices\":[");
    for (uint32_t i = 0; i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (!is_selected(d, args) || !fleet_rights_see(&s->client, d)) {
            continue;
        }
        total++;
        present += d->presence == FLEET_PRESENT;
        if (i < start) {
            continue;
        }
        if (shown < (uint32_t)args->limit) {
            fleet_json_put(t, shown > 0 ? "," : "");
            put_device(t, d, now_ms);
            shown++;
        } else if (next == NULL) {
            next = d->id;
        }
    }
    fleet_json_put(t, "]");
    fleet_json_count(t, false, "total", total);
    fleet_json_count(t, false, "present", present);
    if (next != NULL) {
        fleet_json_member(t, false, "nextCursor", skr_span_of(next));
    }
    fleet_json_put(t, "}");
    return fleet_slot_structured(call, s);
}
