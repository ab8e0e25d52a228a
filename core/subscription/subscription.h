/* subscription.h -- the URIs that clients watch: those of the image, across swaps, and those of the firmware.
 *
 * An image may disappear with all its text, so a URI is kept as a hash, and its content as the first bytes of its
 * digest. After a swap the hash is looked up among the files of the new image, which gives the text back. A URI that
 * the new image lacks keeps its slot: clients are notified of its removal as a change of the list, of its return as a
 * change of the URI. For a URI of the firmware the resource's version stands in for the digest. */
#ifndef SKR_INTEREST_H
#define SKR_INTEREST_H

#include "response/request.h"

#define SKR_OWNER_LEGACY 255 /* resources/subscribe; otherwise the index of a feed */

/* Something that can be watched: its URI is base, path and suffix. */
struct skr_place {
    struct skr_span base, path, suffix;
    uint32_t state[2]; /* first bytes of its digest, or its version */
};

enum skr_subscription_kept {
    SKR_INTEREST_KEPT,
    SKR_INTEREST_NONE, /* there is nothing that changes */
    SKR_INTEREST_FULL,
};

/* Watches what is at this URI of call->fs or the firmware: once, however often it is asked for. */
enum skr_subscription_kept skri_subscription_add(struct skr_call *call, struct skr_subscriptions *news, uint8_t owner,
                                                 struct skr_span uri);

/* Stops watching it. */
void skri_subscription_drop(struct skr_call *call, struct skr_subscriptions *news, uint8_t owner, struct skr_span uri);

/* Stops watching anything for this owner. */
void skri_subscription_drop_all(struct skr_subscriptions *news, uint8_t owner);

/* Compares with image and device, and marks what has changed as due. True when anything has. */
bool skri_subscription_look(struct skr_subscriptions *news, const struct romfs *fs, const struct skr_device *device);

/* Finds it in image and device; false when it is not there. */
bool skri_subscription_place(const struct skr_subscription *interest, const struct romfs *fs,
                             const struct skr_device *device, struct skr_place *place);

#endif
