/* lists.h -- reads a device's protocol versions, then its lists of tools, skills and resources, page by page. */
#ifndef SKR_FLEET_LISTS_H
#define SKR_FLEET_LISTS_H

#include "requests.h"

enum fleet_list_kind {
    FLEET_LIST_VERSIONS, /* not a list: sets `modern` */
    FLEET_LIST_TOOLS,
    FLEET_LIST_SKILLS,
    FLEET_LIST_RESOURCES,
    FLEET_LIST_TEMPLATES, /* of resources */
    FLEET_LIST_END
};

/* The owner sets the first seven; it must stay until `end` is called. */
struct fleet_lists {
    uint32_t device;
    void *owner;
    bool tools_only;  /* only the list of tools, for a call */
    bool versions;    /* tools_only: the protocol versions before it */
    uint32_t wait_ms; /* for a device that is away */
    void (*item)(void *owner, enum fleet_list_kind list, struct skr_span item);
    void (*end)(void *owner, bool complete, uint64_t now_ms);
    bool enough;     /* set by `item`: the rest is not requested */
    uint8_t outcome; /* enum fleet_outcome of the last request, if it is not complete */
    bool modern;     /* the device serves requests of 2026-07-28 */
    uint8_t list;    /* enum fleet_list_kind: being read */
    uint16_t number; /* of pages of it so far */
    char params[512];
};

/* Begins with the first page. `end` may be called before this returns. */
void fleet_lists_begin(struct fleet_lists *l, uint64_t now_ms);

/* Stops reading; `end` is not called. */
void fleet_lists_cancel(struct fleet_lists *l);

#endif
