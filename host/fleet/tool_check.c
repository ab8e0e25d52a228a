/* own_tools.c -- see own_tools.h. */
#include "tool_check.h"

#include "lists.h"
#include "rights.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static struct asking {
    bool busy;
    uint8_t found; /* enum fleet_tool_check_tool */
    struct fleet_tool_check_question question;
    struct fleet_lists pages;
} askings[FLEET_ASKS];

static void add_item(uint32_t owner, enum fleet_list_kind list, struct skr_span item)
{
    struct asking *a = &askings[owner];
    struct skr_span name = skr_scan_inside(skr_scan_get(item, "name"));
    (void)list;
    if (a->found == FLEET_OWN_MISSING && name.p != NULL && skr_json_same_text(name, a->question.tool)) {
        bool calm = skr_span_is(skr_scan_get(skr_scan_get(item, "annotations"), "readOnlyHint"), "true");
        a->found = calm ? FLEET_OWN_CALM : FLEET_OWN_ACTS;
        a->pages.enough = true;
    }
}

/* Whatever became of the list, no tool was run. */
static enum fleet_fate harmless(uint8_t fate)
{
    return fate == FLEET_FATE_LATE    ? FLEET_FATE_SILENT
           : fate == FLEET_FATE_BREAK ? FLEET_FATE_AWAY
                                      : (enum fleet_fate)fate;
}

static void on_end(uint32_t owner, bool complete, uint64_t now_ms)
{
    struct asking *a = &askings[owner];
    struct fleet_tool_check_question q = a->question;
    enum fleet_tool_check_tool found = complete ? (enum fleet_tool_check_tool)a->found : FLEET_OWN_UNKNOWN;
    (void)now_ms;
    a->busy = false;
    if (found == FLEET_OWN_CALM) {
        fleet_rights_heard(&fleet_registry.devices[q.device], q.tool);
    }
    q.told(q.owner, q.item, found, harmless(a->pages.fate));
}

bool fleet_tool_check_ask(const struct fleet_tool_check_question *question, uint64_t now_ms)
{
    for (uint32_t i = 0; fleet_requests_count() + 2 < FLEET_REQUESTS && i < FLEET_ASKS; i++) {
        struct asking *a = &askings[i];
        if (!a->busy) {
            a->busy = true;
            a->found = FLEET_OWN_MISSING;
            a->question = *question;
            a->pages = (struct fleet_lists){.device = question->device,
                                            .owner = i,
                                            .tools_only = true,
                                            .wait_ms = question->wait_ms,
                                            .item = add_item,
                                            .end = on_end};
            fleet_lists_begin(&a->pages, now_ms);
            return true;
        }
    }
    return false;
}

void fleet_tool_check_forget(fleet_tool_check_fn *told, uint32_t owner)
{
    for (struct asking *a = askings; a < askings + FLEET_ASKS; a++) {
        if (a->busy && a->question.told == told && a->question.owner == owner) {
            fleet_lists_cancel(&a->pages);
            a->busy = false;
        }
    }
}
