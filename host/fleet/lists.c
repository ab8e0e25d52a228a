/* pages.c -- see pages.h. */
#include "lists.h"

#include <stdio.h>

#include "clock.h"
#include "requests.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A list that never ends must not be read for ever: FLEET_TOOLS fit on fewer. */
#define PAGES 64

/* The first are for the fleet's own account: calls cannot take their places. */
static struct fleet_lists *places[FLEET_TOOL_CHECKS + FLEET_ASKS];

static const struct {
    const char *method, *member;
} lists[] = {
    [FLEET_PAGES_VERSIONS] = {"server/discover", "supportedVersions"},
    [FLEET_PAGES_TOOLS] = {"tools/list", "tools"},
    [FLEET_PAGES_SKILLS] = {"skills/list", "skills"},
    [FLEET_PAGES_RESOURCES] = {"resources/list", "resources"},
    [FLEET_PAGES_TEMPLATES] = {"resources/templates/list", "resourceTemplates"},
};

static void answered(uint32_t owner, uint32_t item, enum fleet_fate fate, struct skr_span value);

static void finish(struct fleet_lists *p, bool complete, uint64_t now_ms)
{
    places[p->place] = NULL;
    p->end(p->owner, complete, now_ms);
}

static void ask(struct fleet_lists *p, uint64_t now_ms)
{
    struct fleet_order order = {
        .device = p->device,
        .method = lists[p->list].method,
        .params = skr_span_of(p->params),
        .wait_ms = p->wait_ms,
        .answer_ms = FLEET_READ_MS,
        .offers = p->list == FLEET_PAGES_VERSIONS ? SPAN("{}") : NOTHING,
        .answered = answered,
        .owner = p->place,
    };
    if (!fleet_request_take(&order, now_ms)) {
        p->fate = FLEET_FATE_SILENT;
        finish(p, false, now_ms);
    }
}

/* The next page; the first of the next list; or the end. */
static void go_on(struct fleet_lists *p, struct skr_span cursor, uint64_t now_ms)
{
    bool more = cursor.p != NULL && cursor.n < sizeof p->params - 16 && ++p->number < PAGES;
    p->params[0] = '\0';
    if (more) {
        (void)snprintf(p->params, sizeof p->params, "\"cursor\":%.*s", (int)cursor.n, cursor.p);
    } else {
        p->list++;
        p->number = 0;
    }
    if (p->list == FLEET_PAGES_END || p->enough || (p->tools_only && !more)) {
        finish(p, true, now_ms);
    } else {
        ask(p, now_ms);
    }
}

static void answered(uint32_t owner, uint32_t item, enum fleet_fate fate, struct skr_span value)
{
    struct fleet_lists *p = places[owner];
    uint64_t now_ms = host_clock_ms();
    (void)item;
    if (fate == FLEET_FATE_ERROR) { /* it has no such list */
        go_on(p, NOTHING, now_ms);
        return;
    }
    if (fate != FLEET_FATE_RESULT) {
        p->fate = (uint8_t)fate;
        finish(p, false, now_ms);
        return;
    }
    struct skr_span items = skr_scan_get(value, lists[p->list].member), one;
    while (skr_scan_item(&items, &one)) {
        if (p->list != FLEET_PAGES_VERSIONS) {
            p->item(p->owner, (enum fleet_list_kind)p->list, one);
        } else if (skr_scan_is(one, "2026-07-28")) {
            p->modern = true;
        }
    }
    struct skr_span cursor = skr_scan_get(value, "nextCursor");
    go_on(p, skr_scan_inside(cursor).p != NULL ? cursor : NOTHING, now_ms);
}

void fleet_lists_begin(struct fleet_lists *p, uint64_t now_ms)
{
    uint16_t from = p->tools_only ? FLEET_TOOL_CHECKS : 0;
    uint16_t to = p->tools_only ? FLEET_TOOL_CHECKS + FLEET_ASKS : FLEET_TOOL_CHECKS;
    p->list = p->tools_only ? FLEET_PAGES_TOOLS : FLEET_PAGES_VERSIONS;
    p->modern = p->enough = false;
    p->fate = FLEET_FATE_SILENT;
    p->number = 0;
    p->params[0] = '\0';
    for (uint16_t i = from; i < to; i++) {
        if (places[i] == NULL) {
            places[i] = p;
            p->place = i;
            ask(p, now_ms);
            return;
        }
    }
    p->end(p->owner, false, now_ms);
}

void fleet_lists_cancel(struct fleet_lists *p)
{
    fleet_requests_forget(answered, p->place);
    places[p->place] = NULL;
}
