/* pages.h -- reads what a device tells of itself: its versions of the protocol, then its lists, page by page. */
#ifndef SKR_FLEET_PAGES_H
#define SKR_FLEET_PAGES_H

#include "registry.h"

enum fleet_list_kind {
    FLEET_PAGES_VERSIONS, /* no list: its answer is `modern` */
    FLEET_PAGES_TOOLS,
    FLEET_PAGES_SKILLS,
    FLEET_PAGES_RESOURCES,
    FLEET_PAGES_TEMPLATES, /* of resources */
    FLEET_PAGES_END
};

/* The owner sets the first six; it must stay until `end` is called. */
struct fleet_lists {
    uint32_t device;
    uint32_t owner;
    bool tools_only;  /* only the list of tools, for a call */
    uint32_t wait_ms; /* for a device that is away */
    void (*item)(uint32_t owner, enum fleet_list_kind list, struct skr_span item);
    void (*end)(uint32_t owner, bool complete, uint64_t now_ms);
    bool enough;     /* set by `item`: the rest is not asked for */
    uint8_t fate;    /* enum fleet_fate of the last request, when it is not complete */
    bool modern;     /* it answers requests of 2026-07-28 */
    uint8_t list;    /* enum fleet_list_kind: being read */
    uint16_t number; /* of pages of it so far */
    uint16_t place;  /* of pages.c */
    char params[512];
};

/* Begins with the first page. `end` may be called before this returns. */
void fleet_lists_begin(struct fleet_lists *p, uint64_t now_ms);

/* Ends it before its end; `end` is not called. */
void fleet_lists_cancel(struct fleet_lists *p);

#endif
