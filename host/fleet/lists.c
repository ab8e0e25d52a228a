/* lists.c -- see lists.h. */
#include "lists.h"

#include <stdio.h>

#include "clock.h"
#include "text/json_scan.h"
#include "text/span.h"

/* A list that never ends must not be read for ever: FLEET_TOOLS fit on fewer. */
#define PAGES 64

static unsigned surveys; /* that read all lists */

static const struct {
    const char *method, *member;
} rows[] = {
    [FLEET_LIST_VERSIONS] = {"server/discover", "supportedVersions"},
    [FLEET_LIST_TOOLS] = {"tools/list", "tools"},
    [FLEET_LIST_SKILLS] = {"skills/list", "skills"},
    [FLEET_LIST_RESOURCES] = {"resources/list", "resources"},
    [FLEET_LIST_TEMPLATES] = {"resources/templates/list", "resourceTemplates"},
};

static void on_page(void *owner, enum fleet_outcome outcome, struct skr_span value);

static void lists_finish(struct fleet_lists *l, bool complete, uint64_t now_ms)
{
    surveys -= !l->tools_only;
    l->end(l->owner, complete, now_ms);
}

static void request_page(struct fleet_lists *l, uint64_t now_ms)
{
    struct fleet_request request = {
        .device = l->device,
        .method = rows[l->list].method,
        .params = skr_span_of(l->params),
        .wait_ms = l->wait_ms,
        .response_ms = FLEET_READ_MS,
        .capabilities = l->list == FLEET_LIST_VERSIONS ? SPAN("{}") : NOTHING,
        .done = on_page,
        .owner = l,
    };

    if (!fleet_request_submit(&request, now_ms)) {
        l->outcome = FLEET_OUTCOME_SILENT;
        lists_finish(l, false, now_ms);
    }
}

/* The next page; the first of the next list; or the end. */
static void go_on(struct fleet_lists *l, struct skr_span cursor, uint64_t now_ms)
{
    bool more = cursor.p != NULL && cursor.n < sizeof l->params - 16 && ++l->number < PAGES;

    l->params[0] = '\0';
    if (more) {
        (void)snprintf(l->params, sizeof l->params, "\"cursor\":%.*s", (int)cursor.n, cursor.p);
    } else {
        l->list++;
        l->number = 0;
    }
    if (l->list == FLEET_LIST_END || l->enough || (l->tools_only && l->list > FLEET_LIST_TOOLS)) {
        lists_finish(l, true, now_ms);
    } else {
        request_page(l, now_ms);
    }
}

static void on_page(void *owner, enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_lists *l = owner;
    uint64_t now_ms = host_clock_ms();

    if (outcome == FLEET_OUTCOME_ERROR) { /* it has no such list */
        go_on(l, NOTHING, now_ms);
        return;
    }
    if (outcome != FLEET_OUTCOME_RESULT) {
        l->outcome = (uint8_t)outcome;
        lists_finish(l, false, now_ms);
        return;
    }
    struct skr_span items = skr_scan_get(value, rows[l->list].member), item;
    while (skr_scan_item(&items, &item)) {
        if (l->list != FLEET_LIST_VERSIONS) {
            l->item(l->owner, (enum fleet_list_kind)l->list, item);
        } else if (skr_scan_is(item, "2026-07-28")) {
            l->modern = true;
        }
    }
    struct skr_span cursor = skr_scan_get(value, "nextCursor");
    go_on(l, skr_scan_inside(cursor).p != NULL ? cursor : NOTHING, now_ms);
}

void fleet_lists_begin(struct fleet_lists *l, uint64_t now_ms)
{
    l->list = l->tools_only && !l->versions ? FLEET_LIST_TOOLS : FLEET_LIST_VERSIONS;
    l->modern = l->enough = false;
    l->outcome = FLEET_OUTCOME_SILENT;
    l->number = 0;
    l->params[0] = '\0';
    if (!l->tools_only && surveys == FLEET_SURVEYS) {
        l->end(l->owner, false, now_ms);
        return;
    }
    surveys += !l->tools_only;
    request_page(l, now_ms);
}

void fleet_lists_cancel(struct fleet_lists *l)
{
    fleet_requests_forget(l);
    surveys -= !l->tools_only;
}
