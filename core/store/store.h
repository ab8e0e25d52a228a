/* store.h -- what lies behind a URI: a node of the image, or a resource of the firmware. */
#ifndef SKR_STORE_H
#define SKR_STORE_H

#include "answer/request.h"

struct skr_found {
    const struct romfs_node *node;       /* in the image, or NULL */
    const struct skr_resource *resource; /* made by the firmware, or NULL */
    struct skr_span var;                 /* what stands for its {variable} */
    const struct romfs_skill *archive;   /* the skill of which this is an archive, or NULL */
    bool tar;                            /* a .tar.gz; else a .zip */
    bool directory;
    bool index; /* skill://index.json */
};

/* The index of dialect_b.c: no file, but found like one. The image's base does not change
 * its URI (SK-V-61). */
#define SKR_INDEX "index.json"
static inline bool skri_has_index(const struct romfs *fs)
{
    return SKR_DIALECTS && fs->header->skills.count > 0;
}

/* Finds a file, directory, archive or firmware resource. Matching is by bytes after SK-W-08:
 * there is no walk, so no spelling can leave the image. False: nothing there. */
bool skri_store_find(struct skr_call *call, struct skr_span uri, struct skr_found *found);

/* The same, and a slash too many at its end does not matter. */
bool skri_store_find_directory(struct skr_call *call, struct skr_span uri, struct skr_found *found);

/* Answers resources/read and its kin: nothing at this URI (SK-W-07). */
void skri_store_unknown(struct skr_call *call, struct skr_span uri);

/* True when the URI of a resource is a template. */
static inline bool skri_store_is_template(const struct skr_resource *r)
{
    return strchr(r->uri, '{') != NULL;
}

#endif
