/* identify.c -- see identify.h. */
#include "identify.h"

#include "lists.h"
#include "sha256.h"
#include "text/span.h"

/* Devices whose lists are read simultaneously. */
#define IDENTIFICATIONS 16

static struct identification {
    bool busy;
    struct romfs_sha256 sha;
    struct fleet_lists lists;
} identifications[IDENTIFICATIONS];

static uint32_t at;  /* the next place in the order to look at */
static bool pending; /* some device may be unidentified */
static void (*on_build)(uint32_t device, struct skr_span build);

void fleet_identify_open(void (*set_build)(uint32_t device, struct skr_span build))
{
    on_build = set_build;
}

void fleet_identify(uint32_t device)
{
    fleet_registry.devices[device].unidentified = true;
    pending = true;
}

static void hash_item(void *owner, enum fleet_list_kind list, struct skr_span item)
{
    struct identification *i = owner;
    uint8_t kind = (uint8_t)list;

    romfs_sha256_add(&i->sha, &kind, 1);
    romfs_sha256_add(&i->sha, item.p, item.n);
}

static void identification_finish(void *owner, bool complete, uint64_t now_ms)
{
    struct identification *i = owner;
    uint8_t digest[ROMFS_SHA256_SIZE];
    char name[17];

    (void)now_ms;
    i->busy = false;
    fleet_registry.devices[i->lists.device].pins--;
    if (complete) {
        romfs_sha256_finish(&i->sha, digest);
        romfs_sha256_hex(digest, 8, name);
        on_build(i->lists.device, skr_span_of(name));
    }
}

static bool identification_begin(uint32_t device, uint64_t now_ms)
{
    for (struct identification *i = identifications; i < identifications + IDENTIFICATIONS; i++) {
        if (!i->busy) {
            i->busy = true;
            romfs_sha256_start(&i->sha);
            fleet_registry.devices[device].unidentified = false;
            fleet_registry.devices[device].pins++;
            i->lists =
                (struct fleet_lists){.device = device, .owner = i, .item = hash_item, .end = identification_finish};
            fleet_lists_begin(&i->lists, now_ms);
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
        if (!r->devices[device].unidentified || r->devices[device].presence != FLEET_PRESENT) {
            continue;
        }
        if (!identification_begin(device, now_ms)) {
            at = (at + i) % r->count;
            left = true;
            break;
        }
    }
    pending = left;
}
