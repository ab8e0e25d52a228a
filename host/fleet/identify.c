/* learn.c -- see learn.h. */
#include "identify.h"

#include "lists.h"
#include "sha256.h"
#include "text/span.h"

/* Devices that are asked at once. */
#define LEARNERS 16

static struct learner {
    bool busy;
    uint32_t device;
    struct sha256 sha;
    struct fleet_lists pages;
} learners[LEARNERS];

static uint32_t at;  /* the next place in the order to look at */
static bool pending; /* some device may be unlearned */
static void (*on_learned)(uint32_t device, struct skr_span build);

void fleet_identify_open(void (*tell)(uint32_t device, struct skr_span build))
{
    on_learned = tell;
}

void fleet_identify(uint32_t device)
{
    fleet_registry.devices[device].unlearned = true;
    pending = true;
}

static void add_item(uint32_t owner, enum fleet_list_kind list, struct skr_span item)
{
    uint8_t kind = (uint8_t)list;
    sha256_add(&learners[owner].sha, &kind, 1);
    sha256_add(&learners[owner].sha, item.p, item.n);
}

static void on_end(uint32_t owner, bool complete, uint64_t now_ms)
{
    struct learner *l = &learners[owner];
    struct fleet_device *d = &fleet_registry.devices[l->device];
    uint8_t digest[ROMFS_SHA256_SIZE];
    char name[17];
    (void)now_ms;
    l->busy = false;
    d->pins--;
    if (complete) {
        sha256_finish(&l->sha, digest);
        sha256_hex(digest, 8, name);
        on_learned(l->device, skr_span_of(name));
    }
}

static bool begin(uint32_t device, uint64_t now_ms)
{
    for (uint32_t i = 0; i < LEARNERS; i++) {
        struct learner *l = &learners[i];
        if (!l->busy) {
            l->busy = true;
            l->device = device;
            sha256_start(&l->sha);
            fleet_registry.devices[device].unlearned = false;
            fleet_registry.devices[device].pins++;
            l->pages = (struct fleet_lists){.device = device, .owner = i, .item = add_item, .end = on_end};
            fleet_lists_begin(&l->pages, now_ms);
            return true;
        }
    }
    return false;
}

void fleet_identify_turn(uint64_t now_ms)
{
    const struct fleet_registry *r = &fleet_registry;
    bool left = false;
    for (uint32_t i = 0; pending && i < r->count; i++) {
        uint32_t device = r->order[(at + i) % r->count];
        if (!r->devices[device].unlearned || r->devices[device].presence != FLEET_PRESENT) {
            continue;
        }
        if (!begin(device, now_ms)) {
            at = (at + i) % r->count;
            left = true;
            break;
        }
    }
    pending = left;
}
