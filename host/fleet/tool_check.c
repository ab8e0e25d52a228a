/* tool_check.c -- see tool_check.h. */
#include "tool_check.h"

#include "lists.h"
#include "rights.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static struct pending_check {
    bool busy;
    uint8_t kind; /* enum fleet_tool_kind */
    struct fleet_tool_check check;
    struct fleet_lists lists;
} checks[FLEET_TOOL_CHECKS];

static void check_item(void *owner, enum fleet_list_kind list, struct skr_span item)
{
    struct pending_check *p = owner;
    struct skr_span name = skr_scan_inside(skr_scan_get(item, "name"));

    (void)list;
    if (p->kind == FLEET_TOOL_MISSING && name.p != NULL && skr_json_same_text(name, p->check.tool)) {
        bool read_only = skr_span_is(skr_scan_get(skr_scan_get(item, "annotations"), "readOnlyHint"), "true");
        p->kind = read_only ? FLEET_TOOL_READ_ONLY : FLEET_TOOL_ACTS;
        p->lists.enough = true;
    }
}

/* However the request for the list ended, no tool was run. */
static enum fleet_outcome outcome_of_reading(uint8_t outcome)
{
    return outcome == FLEET_OUTCOME_LATE   ? FLEET_OUTCOME_SILENT
           : outcome == FLEET_OUTCOME_LOST ? FLEET_OUTCOME_AWAY
                                           : (enum fleet_outcome)outcome;
}

static void check_end(void *owner, bool complete, uint64_t now_ms)
{
    struct pending_check *p = owner;
    struct fleet_tool_check check = p->check;
    struct fleet_device *d = &fleet_registry.devices[check.device];
    enum fleet_tool_kind kind = complete ? (enum fleet_tool_kind)p->kind : FLEET_TOOL_UNKNOWN;

    (void)now_ms;
    p->busy = false;
    if (kind == FLEET_TOOL_READ_ONLY) {
        fleet_rights_add_read_only(d, check.tool);
    }
    if (complete && check.versions) {
        d->era = p->lists.modern ? FLEET_ERA_MODERN : FLEET_ERA_INITIALIZE;
    }
    check.done(check.owner, kind, outcome_of_reading(p->lists.outcome));
}

bool fleet_tool_check_begin(const struct fleet_tool_check *check, uint64_t now_ms)
{
    for (struct pending_check *p = checks;
         fleet_requests_count() + 2 < FLEET_REQUESTS && p < checks + FLEET_TOOL_CHECKS; p++) {
        if (!p->busy) {
            p->busy = true;
            p->kind = FLEET_TOOL_MISSING;
            p->check = *check;
            p->lists = (struct fleet_lists){.device = check->device,
                                            .owner = p,
                                            .tools_only = true,
                                            .versions = check->versions,
                                            .wait_ms = check->wait_ms,
                                            .item = check_item,
                                            .end = check_end};
            fleet_lists_begin(&p->lists, now_ms);
            return true;
        }
    }
    return false;
}

void fleet_tool_check_forget(const void *owner)
{
    for (struct pending_check *p = checks; p < checks + FLEET_TOOL_CHECKS; p++) {
        if (p->busy && p->check.owner == owner) {
            fleet_lists_cancel(&p->lists);
            p->busy = false;
        }
    }
}
