/* request_table.c -- see request_table.h. */
#include "request_table.h"

#include "json_text.h"
#include "text/assert.h"

struct fleet_table fleet_table;

struct fleet_row *fleet_row_take(uint32_t device)
{
    struct fleet_table *t = &fleet_table;
    uint16_t at = t->opened < FLEET_REQUESTS ? t->opened : t->free;

    if (t->taken == FLEET_REQUESTS) {
        return NULL;
    }
    struct fleet_row *row = &t->rows[at];
    if (t->opened < FLEET_REQUESTS) {
        t->opened++;
    } else {
        t->free = row->next;
    }
    uint16_t *end = &fleet_registry.devices[device].first;
    while (*end != FLEET_NO_REQUEST) {
        end = &t->rows[*end].next;
    }
    *end = at;
    *row = (struct fleet_row){.state = FLEET_ROW_WAITS, .next = FLEET_NO_REQUEST, .round = (uint16_t)(row->round + 1)};
    row->request.device = device;
    t->taken++;
    return row;
}

void fleet_row_release(struct fleet_row *row)
{
    struct fleet_table *t = &fleet_table;
    struct fleet_device *d = fleet_row_device(row);
    uint16_t at = (uint16_t)(row - t->rows), *link = &d->first;

    while (*link != at) {
        SKR_ASSERT(*link != FLEET_NO_REQUEST); /* (1) */
        link = &t->rows[*link].next;
    }
    *link = row->next;
    d->sent = (uint16_t)(d->sent - (row->state == FLEET_ROW_SENT && !row->initialize));
    row->state = FLEET_ROW_FREE;
    row->next = t->free;
    t->free = at;
    t->taken--;
}

void fleet_row_end(struct fleet_row *row, enum fleet_outcome outcome, struct skr_span value)
{
    struct fleet_request request = row->request;

    fleet_row_release(row);
    if (request.done != NULL) {
        request.done(request.owner, outcome, value);
    }
}

struct fleet_row *fleet_row_find(uint32_t device, struct skr_span id)
{
    uint64_t number = fleet_json_value(id), at = number / 65536u;
    struct fleet_row *row = at < fleet_table.opened ? &fleet_table.rows[at] : NULL;
    bool found =
        row != NULL && row->state == FLEET_ROW_SENT && fleet_row_id(row) == number && row->request.device == device;

    return found ? row : NULL;
}
