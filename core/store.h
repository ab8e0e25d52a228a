/* store.h -- what lies behind a URI: a node of the image, or a resource of the firmware. */
#ifndef SKR_STORE_H
#define SKR_STORE_H

#include "rpc.h"

struct skr_found {
    const struct romfs_node *node;       /* in the image, or NULL */
    const struct skr_resource *resource; /* made by the firmware, or NULL */
    struct skr_span var;                 /* what stands for its {variable} */
    bool directory;
};

/* Finds a file, directory or firmware resource. Matching is by bytes after SK-W-08:
 * there is no walk, so no spelling can leave the image. False: nothing there. */
bool skr_store_find(struct skr_call *call, struct skr_span uri, struct skr_found *found);

/* Answers resources/read and its kin: nothing at this URI (SK-W-07). */
void skr_store_unknown(struct skr_call *call, struct skr_span uri);

/* True when the URI of a resource is a template. */
bool skr_store_is_template(const struct skr_resource *r);

#endif
