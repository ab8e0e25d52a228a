/* interest.h -- the URIs that clients watch, across images; and those of the firmware.
 *
 * An image may vanish with all its text, so a URI is remembered as a hash, and what
 * lay there as the first bytes of its digest. With the next image the hash is looked
 * up among its files, and that gives the text back. A URI that the next image lacks
 * keeps its place: its going is told as a change of the list, its return as a change
 * of the URI. What lies at a URI of the firmware is known by its version. */
#ifndef SKR_INTEREST_H
#define SKR_INTEREST_H

#include "answer/request.h"

#define SKR_OWNER_LEGACY 255 /* resources/subscribe; otherwise the index of a feed */

/* Where something lies that can be watched: its URI is base, path and suffix. */
struct skr_place {
    struct skr_span base, path, suffix;
    uint32_t state[2]; /* first bytes of its digest */
};

enum skr_interest_kept {
    SKR_INTEREST_KEPT,
    SKR_INTEREST_NONE, /* nothing there that changes */
    SKR_INTEREST_FULL,
};

/* Watches what is at this URI of call->fs, once however often it is asked for. */
enum skr_interest_kept skri_interest_add(struct skr_call *call, struct skr_news *news, uint8_t owner,
                                         struct skr_span uri);

/* No longer watches it. */
void skri_interest_drop(struct skr_call *call, struct skr_news *news, uint8_t owner, struct skr_span uri);

/* No longer watches anything for this owner. */
void skri_interest_drop_all(struct skr_news *news, uint8_t owner);

/* Looks at image and device: marks as due what is another than before. True when any is. */
bool skri_interest_look(struct skr_news *news, const struct romfs *fs, const struct skr_device *device);

/* Where it lies in these; false when it is not there. */
bool skri_interest_place(const struct skr_interest *interest, const struct romfs *fs, const struct skr_device *device,
                         struct skr_place *place);

#endif
