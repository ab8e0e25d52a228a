/* registry.c -- see registry.h. */
#include "registry.h"

#include <errno.h>
#include <string.h>

#include "console.h"
#include "memory.h"

struct fleet_registry fleet_registry;

typedef char fleet_device_is_small[sizeof(struct fleet_device) + sizeof(uint32_t) <= 2048 ? 1 : -1];

bool fleet_registry_open(uint32_t room)
{
    struct fleet_registry *r = &fleet_registry;

    r->devices = fleet_memory(room * sizeof *r->devices);
    r->order = fleet_memory(room * sizeof *r->order);
    r->room = room;
    if (r->devices == NULL || r->order == NULL) {
        host_log("no memory for %u devices: %s; use a smaller --max-devices", room, strerror(errno));
        return false;
    }
    return true;
}

/* ---- Finding ---- */

static int id_compare(struct skr_span id, const char *other)
{
    size_t n = strlen(other), least = id.n < n ? id.n : n;
    int differs = memcmp(id.p, other, least);

    return differs != 0 ? differs : (id.n > n) - (id.n < n);
}

uint32_t fleet_registry_from(struct skr_span id)
{
    const struct fleet_registry *r = &fleet_registry;
    uint32_t low = 0, high = r->count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (id_compare(id, r->devices[r->order[middle]].id) > 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_at(uint32_t place, struct skr_span id)
{
    const struct fleet_registry *r = &fleet_registry;

    return place < r->count && id_compare(id, r->devices[r->order[place]].id) == 0;
}

uint32_t fleet_registry_find(struct skr_span id)
{
    uint32_t place = fleet_registry_from(id);

    return is_at(place, id) ? fleet_registry.order[place] : FLEET_NO_DEVICE;
}

/* ---- Rows ---- */

/* The row of the device that has been away longest, taken out of the order. */
static uint32_t device_evict(void)
{
    struct fleet_registry *r = &fleet_registry;
    uint32_t oldest = FLEET_NO_DEVICE, place = 0;

    for (uint32_t i = 0; i < r->count; i++) {
        const struct fleet_device *d = &r->devices[r->order[i]];
        if (d->presence == FLEET_AWAY && d->first == FLEET_NO_REQUEST && d->pins == 0 &&
            (oldest == FLEET_NO_DEVICE || d->since_ms < r->devices[oldest].since_ms)) {
            oldest = r->order[i];
            place = i;
        }
    }
    if (oldest != FLEET_NO_DEVICE) {
        r->count--;
        memmove(&r->order[place], &r->order[place + 1], (r->count - place) * sizeof *r->order);
    }
    return oldest;
}

uint32_t fleet_registry_row(struct skr_span id, struct skr_span kind, uint64_t now_ms)
{
    struct fleet_registry *r = &fleet_registry;
    uint32_t place = fleet_registry_from(id);

    if (is_at(place, id)) {
        return r->order[place];
    }
    uint32_t row = r->count;
    if (r->count == r->room) {
        row = device_evict();
        place = fleet_registry_from(id);
    }
    if (row == FLEET_NO_DEVICE) {
        return row;
    }
    struct fleet_device *d = &r->devices[row];
    memset(d, 0, sizeof *d);
    memcpy(d->id, id.p, id.n); /* the caller has checked that both fit */
    memcpy(d->kind, kind.p, kind.n);
    d->build = FLEET_NO_BUILD;
    d->presence = FLEET_AWAY;
    d->first = FLEET_NO_REQUEST;
    d->since_ms = now_ms;
    memmove(&r->order[place + 1], &r->order[place], (r->count - place) * sizeof *r->order);
    r->order[place] = row;
    r->count++;
    return row;
}

void fleet_registry_set(uint32_t device, enum fleet_presence presence, uint64_t now_ms)
{
    struct fleet_registry *r = &fleet_registry;
    struct fleet_device *d = &r->devices[device];

    if (d->presence != presence) {
        r->present -= d->presence == FLEET_PRESENT;
        r->present += presence == FLEET_PRESENT;
        d->presence = (uint8_t)presence;
        d->since_ms = now_ms;
        fleet_registry_forget_facts(device);
    }
}

void fleet_registry_forget_facts(uint32_t device)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    memset(d->read_only, 0, sizeof d->read_only);
    d->era = FLEET_ERA_UNKNOWN;
}

bool fleet_registry_count_unexpected(uint32_t device, uint64_t now_ms)
{
    struct fleet_device *d = &fleet_registry.devices[device];

    if (now_ms - d->unexpected_ms >= 1000) {
        d->unexpected_ms = now_ms;
        d->unexpected = 0;
    }
    d->unexpected = (uint16_t)(d->unexpected + (d->unexpected < FLEET_UNEXPECTED));
    return d->unexpected < FLEET_UNEXPECTED;
}

const char *fleet_presence_text(uint8_t presence)
{
    static const char *const texts[] = {
        [FLEET_PRESENT] = "present", [FLEET_AWAY] = "away", [FLEET_SILENT] = "silent", [FLEET_REFUSED] = "refused"};

    return texts[presence];
}

/* ---- Patterns ---- */

bool fleet_glob(struct skr_span pattern, struct skr_span text)
{
    size_t p = 0, t = 0, star = SIZE_MAX, from = 0;

    while (t < text.n) {
        if (p < pattern.n && (pattern.p[p] == '?' || (pattern.p[p] == text.p[t] && pattern.p[p] != '*'))) {
            p++;
            t++;
        } else if (p < pattern.n && pattern.p[p] == '*') {
            star = p++;
            from = t;
        } else if (star != SIZE_MAX) { /* let the last star stand for one more */
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.n && pattern.p[p] == '*') {
        p++;
    }
    return p == pattern.n;
}
