/* pages.c -- see pages.h. */
#include "pages.h"

#include <stdio.h>

#include "clock.h"
#include "requests.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A list that never ends must not be read for ever: SKR_FLEET_TOOLS fit on fewer. */
#define PAGES 64

/* The first are for the fleet's own account: calls cannot take their places. */
static struct skr_pages *places[SKR_FLEET_OWN + SKR_FLEET_ASKS];

static const struct {
    const char *method, *member;
} lists[] = {
    [SKR_PAGES_VERSIONS] = {"server/discover", "supportedVersions"},
    [SKR_PAGES_TOOLS] = {"tools/list", "tools"},
    [SKR_PAGES_SKILLS] = {"skills/list", "skills"},
    [SKR_PAGES_RESOURCES] = {"resources/list", "resources"},
    [SKR_PAGES_TEMPLATES] = {"resources/templates/list", "resourceTemplates"},
};

static void answered(uint32_t owner, uint32_t item, enum skr_fate fate, struct skr_span value);

static void finish(struct skr_pages *p, bool complete, uint64_t now_ms)
{
    places[p->place] = NULL;
    p->end(p->owner, complete, now_ms);
}

static void ask(struct skr_pages *p, uint64_t now_ms)
{
    struct skr_order order = {
        .device = p->device,
        .method = lists[p->list].method,
        .params = skri_span_of(p->params),
        .wait_ms = p->wait_ms,
        .answer_ms = SKR_FLEET_READ_MS,
        .offers = p->list == SKR_PAGES_VERSIONS ? SPAN("{}") : NOTHING,
        .answered = answered,
        .owner = p->place,
    };
    if (!skr_request_take(&order, now_ms)) {
        p->fate = SKR_FATE_SILENT;
        finish(p, false, now_ms);
    }
}

/* The next page; the first of the next list; or the end. */
static void go_on(struct skr_pages *p, struct skr_span cursor, uint64_t now_ms)
{
    bool more = cursor.p != NULL && cursor.n < sizeof p->params - 16 && ++p->number < PAGES;
    p->params[0] = '\0';
    if (more) {
        (void)snprintf(p->params, sizeof p->params, "\"cursor\":%.*s", (int)cursor.n, cursor.p);
    } else {
        p->list++;
        p->number = 0;
    }
    if (p->list == SKR_PAGES_END || p->enough || (p->tools_only && !more)) {
        finish(p, true, now_ms);
    } else {
        ask(p, now_ms);
    }
}

static void answered(uint32_t owner, uint32_t item, enum skr_fate fate, struct skr_span value)
{
    struct skr_pages *p = places[owner];
    uint64_t now_ms = skr_clock_ms();
    (void)item;
    if (fate == SKR_FATE_ERROR) { /* it has no such list */
        go_on(p, NOTHING, now_ms);
        return;
    }
    if (fate != SKR_FATE_RESULT) {
        p->fate = (uint8_t)fate;
        finish(p, false, now_ms);
        return;
    }
    struct skr_span items = skri_scan_get(value, lists[p->list].member), one;
    while (skri_scan_item(&items, &one)) {
        if (p->list != SKR_PAGES_VERSIONS) {
            p->item(p->owner, (enum skr_list_kind)p->list, one);
        } else if (skri_scan_is(one, "2026-07-28")) {
            p->modern = true;
        }
    }
    struct skr_span cursor = skri_scan_get(value, "nextCursor");
    go_on(p, skri_scan_inside(cursor).p != NULL ? cursor : NOTHING, now_ms);
}

void skr_pages_begin(struct skr_pages *p, uint64_t now_ms)
{
    uint16_t from = p->tools_only ? SKR_FLEET_OWN : 0;
    uint16_t to = p->tools_only ? SKR_FLEET_OWN + SKR_FLEET_ASKS : SKR_FLEET_OWN;
    p->list = p->tools_only ? SKR_PAGES_TOOLS : SKR_PAGES_VERSIONS;
    p->modern = p->enough = false;
    p->fate = SKR_FATE_SILENT;
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

void skr_pages_cancel(struct skr_pages *p)
{
    skr_requests_forget(answered, p->place);
    places[p->place] = NULL;
}
