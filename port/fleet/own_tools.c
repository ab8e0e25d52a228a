/* own_tools.c -- see own_tools.h. */
#include "own_tools.h"

#include "pages.h"
#include "rights.h"
#include "text/json_scan.h"
#include "text/json_string.h"
#include "text/span.h"

static struct asking {
    bool busy;
    uint8_t found; /* enum skr_own_tool */
    struct skr_own_question question;
    struct skr_pages pages;
} askings[SKR_FLEET_ASKS];

static void add_item(uint32_t owner, enum skr_list_kind list, struct skr_span item)
{
    struct asking *a = &askings[owner];
    struct skr_span name = skri_scan_inside(skri_scan_get(item, "name"));
    (void)list;
    if (a->found == SKR_OWN_MISSING && name.p != NULL && skri_json_same_text(name, a->question.tool)) {
        bool calm = skri_span_is(skri_scan_get(skri_scan_get(item, "annotations"), "readOnlyHint"), "true");
        a->found = calm ? SKR_OWN_CALM : SKR_OWN_ACTS;
        a->pages.enough = true;
    }
}

/* Whatever became of the list, no tool was run. */
static enum skr_fate harmless(uint8_t fate)
{
    return fate == SKR_FATE_LATE ? SKR_FATE_SILENT : fate == SKR_FATE_BREAK ? SKR_FATE_AWAY : (enum skr_fate)fate;
}

static void on_end(uint32_t owner, bool complete, uint64_t now_ms)
{
    struct asking *a = &askings[owner];
    struct skr_own_question q = a->question;
    enum skr_own_tool found = complete ? (enum skr_own_tool)a->found : SKR_OWN_UNKNOWN;
    (void)now_ms;
    a->busy = false;
    if (found == SKR_OWN_CALM) {
        skr_rights_heard(&skr_registry.devices[q.device], q.tool);
    }
    q.told(q.owner, q.item, found, harmless(a->pages.fate));
}

bool skr_own_ask(const struct skr_own_question *question, uint64_t now_ms)
{
    for (uint32_t i = 0; skr_requests_count() + 2 < SKR_FLEET_REQUESTS && i < SKR_FLEET_ASKS; i++) {
        struct asking *a = &askings[i];
        if (!a->busy) {
            a->busy = true;
            a->found = SKR_OWN_MISSING;
            a->question = *question;
            a->pages = (struct skr_pages){.device = question->device,
                                          .owner = i,
                                          .tools_only = true,
                                          .wait_ms = question->wait_ms,
                                          .item = add_item,
                                          .end = on_end};
            skr_pages_begin(&a->pages, now_ms);
            return true;
        }
    }
    return false;
}

void skr_own_forget(skr_own_told_fn *told, uint32_t owner)
{
    for (struct asking *a = askings; a < askings + SKR_FLEET_ASKS; a++) {
        if (a->busy && a->question.told == told && a->question.owner == owner) {
            skr_pages_cancel(&a->pages);
            a->busy = false;
        }
    }
}
