/* store.h -- finds what a URI names: a node of the image, or a resource of the firmware. */
#ifndef SKR_STORE_H
#define SKR_STORE_H

#include "response/request.h"

struct skr_found {
    const struct romfs_node *node;       /* in the image, or NULL */
    const struct skr_resource *resource; /* made by the firmware, or NULL */
    struct skr_span var;                 /* the value of its {variable} */
    const struct romfs_skill *archive;   /* the skill that this is an archive of, or NULL */
    bool tar;                            /* a .tar.gz; else a .zip */
    bool directory;
    bool index; /* skill://index.json */
};

/* The index of sep2640_draft.c: not a file, but found like one. The image's base does not change its URI (SK-V-61). */
#define SKR_INDEX "index.json"
static inline bool skri_has_index(const struct romfs *fs)
{
    return SKR_DIALECTS && fs->header->skills.count > 0;
}

/* Finds a file, directory, archive or firmware resource. URIs are compared as bytes once they are normalised (SK-W-08),
 * the first segment in any case (SK-V-10): no path is walked, so no spelling can leave the image. False: there is
 * nothing. */
bool skri_store_find(struct skr_call *call, struct skr_span uri, struct skr_found *found);

/* Likewise for a directory: an extra slash at the end does not matter. */
bool skri_store_find_directory(struct skr_call *call, struct skr_span uri, struct skr_found *found);

/* Makes the response the error of an unknown URI (SK-W-07). */
void skri_store_unknown(struct skr_call *call, struct skr_span uri);

/* True when the URI of a resource is a template. */
static inline bool skri_store_is_template(const struct skr_resource *r)
{
    return strchr(r->uri, '{') != NULL;
}

#endif
