/* subscription.h -- the URIs that clients subscribe to: those of the image, across swaps, and those of the firmware.
 *
 * An image may disappear with all its text. So a URI is kept as a hash, and its content as the first bytes of its
 * digest. After a swap the hash is looked up among the files of the new image, which gives the text back. A URI that
 * the new image lacks keeps its slot: clients are notified of its removal as a change of the list, of its return as a
 * change of the URI. For a URI of the firmware the resource's version stands in for the digest. */
#ifndef SKR_SUBSCRIPTION_H
#define SKR_SUBSCRIPTION_H

#include "response/request.h"

#define SKR_OWNER_LEGACY 255 /* resources/subscribe; otherwise the index of a feed */

/* Something that a client can subscribe to: its URI is base, path and suffix. */
struct skr_place {
    struct skr_span base, path, suffix;
    uint32_t state[2]; /* first bytes of its digest, or its version */
};

enum skr_subscription_kept {
    SKR_SUBSCRIPTION_KEPT,
    SKR_SUBSCRIPTION_NONE, /* there is nothing that changes */
    SKR_SUBSCRIPTION_FULL,
};

/* Subscribes to the file or resource at this URI of call->fs or the firmware: once, however often it is requested. */
enum skr_subscription_kept skri_subscription_add(struct skr_call *call, struct skr_subscriptions *subscriptions,
                                                 uint8_t owner, struct skr_span uri);

/* Unsubscribes from it. */
void skri_subscription_drop(struct skr_call *call, struct skr_subscriptions *subscriptions, uint8_t owner,
                            struct skr_span uri);

/* Drops all subscriptions of this owner. */
void skri_subscription_drop_all(struct skr_subscriptions *subscriptions, uint8_t owner);

/* Compares with image and device, and marks what has changed as due. True when anything has. */
bool skri_subscription_look(struct skr_subscriptions *subscriptions, const struct romfs *fs,
                            const struct skr_device *device);

/* Finds it in image and device; false when it is not there. */
bool skri_subscription_place(const struct skr_subscription *subscription, const struct romfs *fs,
                             const struct skr_device *device, struct skr_place *place);

#endif
