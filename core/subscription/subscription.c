/* subscription.c -- see subscription.h. */
#include "subscription/subscription.h"

#include "response/backend.h"
#include "store/store.h"
#include "text/hash.h"

#if SKR_CHANGES

/* ---- Hashes of URIs and of their content ---- */

static void hash_end(uint64_t h, uint32_t out[2])
{
    out[0] = (uint32_t)h | 1u; /* never 0, which marks a free slot */
    out[1] = (uint32_t)(h >> 32);
}

static bool hash_is_same(const uint32_t a[2], const uint32_t b[2])
{
    return a[0] == b[0] && a[1] == b[1];
}

static void hash_uri(const struct skr_place *place, uint32_t out[2])
{
    hash_end(skr_hash_add(skr_hash_add(skr_hash(place->base), place->path), place->suffix), out);
}

/* ---- What a client can subscribe to: files, archives, the index ---- */

static void place_at(const struct romfs *fs, struct skr_place *place, struct skr_span path, struct skr_span suffix,
                     uint32_t digest)
{
    place->base = skr_span_rom(fs, fs->header->base);
    place->path = path;
    place->suffix = suffix;
    memcpy(place->state, fs->image + digest, sizeof place->state);
}

static void place_file(const struct romfs *fs, struct skr_place *place, const struct romfs_node *node)
{
    place_at(fs, place, skr_span_rom(fs, node->path), NOTHING, node->digest);
}

static void place_archive(const struct romfs *fs, struct skr_place *place, const struct romfs_skill *skill, bool tar)
{
    place_at(fs, place, skr_span_rom(fs, skill->path), tar ? SPAN(".tar.gz") : SPAN(".zip"),
             tar ? skill->tgz_digest : skill->zip_digest);
}

/* The index is made of the entries of the listed skills and the templates, so its state is a hash of these. */
static void place_index(const struct romfs *fs, struct skr_place *place)
{
    uint32_t listed = fs->header->listed;
    uint64_t h = skr_hash(skr_span_rom(fs, fs->header->index_templates));

    for (uint32_t i = 0; i < listed; i++) {
        h = skr_hash_add(h, skr_span_rom(fs, fs->skills[i].entry));
    }
    hash_end(h, place->state);
    place->base = SPAN("skill://"); /* whatever the image's base is (SK-V-61) */
    place->path = SPAN(SKR_INDEX);
    place->suffix = NOTHING;
}

/* A resource without a version never changes. */
static void place_resource(struct skr_place *place, const struct skr_resource *resource)
{
    place->base = skr_span_of(resource->uri);
    place->path = place->suffix = NOTHING;
    place->state[0] = resource->version != NULL ? *resource->version : 0;
    place->state[1] = 0;
}

/* Place number i of image and device, directories included; false after the last. */
static bool place_number(const struct romfs *fs, const struct skr_device *device, uint32_t i, struct skr_place *place)
{
    if (i < fs->header->nodes.count) {
        place_file(fs, place, &fs->nodes[i]);
        return true;
    }
    i -= fs->header->nodes.count;
    if (SKR_DIALECTS && i / 2 < fs->header->skills.count) {
        place_archive(fs, place, &fs->skills[i / 2], i % 2 != 0);
        return true;
    }
    i -= SKR_DIALECTS ? 2 * fs->header->skills.count : 0;
    if (SKR_DIALECTS && i == 0 && skri_has_index(fs)) {
        place_index(fs, place);
        return true;
    }
    i -= SKR_DIALECTS && skri_has_index(fs);
    if (i < device->resource_count) {
        place_resource(place, &device->resources[i]);
        return true;
    }
    return false;
}

bool skri_subscription_place(const struct skr_subscription *subscription, const struct romfs *fs,
                             const struct skr_device *device, struct skr_place *place)
{
    uint32_t uri[2];

    for (uint32_t i = 0; place_number(fs, device, i, place); i++) {
        hash_uri(place, uri);
        if (hash_is_same(uri, subscription->uri)) {
            return i >= fs->header->nodes.count || (fs->nodes[i].flags & ROMFS_DIR) == 0;
        }
    }
    return false;
}

/* ---- Adding, dropping, looking ---- */

static bool place_of(struct skr_call *call, struct skr_span uri, struct skr_place *place)
{
    struct skr_found found;

    if (!call->srv->backend->find(call, uri, &found) || found.directory) {
        return false;
    }
    if (found.resource != NULL) {
        place_resource(place, found.resource);
        return found.resource->version != NULL && found.var.p == NULL; /* not a template */
    }
    if (!call->srv->changes.can_swap) { /* the image never changes */
        return false;
    }
    if (!SKR_DIALECTS || found.node != NULL) {
        place_file(call->fs, place, found.node);
    } else if (found.archive != NULL) {
        place_archive(call->fs, place, found.archive, found.tar);
    } else {
        place_index(call->fs, place);
    }
    return true;
}

static struct skr_subscription *subscription_find(struct skr_subscriptions *subscriptions, uint8_t owner,
                                                  const uint32_t uri[2])
{
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        struct skr_subscription *it = &subscriptions->list[i];
        if (hash_is_same(it->uri, uri) && (it->owner == owner || it->uri[0] == 0)) {
            return it;
        }
    }
    return NULL;
}

enum skr_subscription_kept skri_subscription_add(struct skr_call *call, struct skr_subscriptions *subscriptions,
                                                 uint8_t owner, struct skr_span uri)
{
    static const uint32_t free_place[2] = {0, 0};
    struct skr_place place;
    uint32_t hash[2];

    if (!place_of(call, uri, &place)) {
        return SKR_SUBSCRIPTION_NONE;
    }
    hash_uri(&place, hash);
    struct skr_subscription *it = subscription_find(subscriptions, owner, hash);
    if (it == NULL) {
        it = subscription_find(subscriptions, owner, free_place);
    }
    if (it == NULL) {
        return SKR_SUBSCRIPTION_FULL;
    }
    memcpy(it->uri, hash, sizeof it->uri);
    memcpy(it->state, place.state, sizeof it->state);
    it->owner = owner;
    it->due = false;
    return SKR_SUBSCRIPTION_KEPT;
}

void skri_subscription_drop(struct skr_call *call, struct skr_subscriptions *subscriptions, uint8_t owner,
                            struct skr_span uri)
{
    struct skr_place place;
    uint32_t hash[2];

    if (place_of(call, uri, &place)) {
        hash_uri(&place, hash);
    } else { /* not in this image: hash it as it is spelled, usually as it was in the image that had it */
        hash_end(skr_hash(uri), hash);
    }
    struct skr_subscription *it = subscription_find(subscriptions, owner, hash);
    if (it != NULL) {
        memset(it, 0, sizeof *it);
    }
}

void skri_subscription_drop_all(struct skr_subscriptions *subscriptions, uint8_t owner)
{
    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        if (subscriptions->list[i].owner == owner) {
            memset(&subscriptions->list[i], 0, sizeof subscriptions->list[i]);
        }
    }
}

bool skri_subscription_look(struct skr_subscriptions *subscriptions, const struct romfs *fs,
                            const struct skr_device *device)
{
    struct skr_place place;
    bool any = false;

    for (unsigned i = 0; i < SKR_SUBSCRIPTIONS; i++) {
        struct skr_subscription *it = &subscriptions->list[i];
        if (it->uri[0] != 0 && skri_subscription_place(it, fs, device, &place) &&
            !hash_is_same(it->state, place.state)) {
            memcpy(it->state, place.state, sizeof it->state);
            it->due = true;
            any = true;
        }
    }
    return any;
}

#endif
