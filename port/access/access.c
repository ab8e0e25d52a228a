/* access.c -- the session key and the tokens of a device. See skr_access.h. */
#include "skr_access.h"

/* A key that was stored; else a new one, which is stored. */
static bool open_key(struct skr_access *access, const struct skr_access_store *store)
{
    static const char name[] = "session_key";
    size_t n = sizeof access->session_key;

    access->kept = store->load(store->context, name, access->session_key, n) == n;
    if (!access->kept) {
        if (!store->random(store->context, access->session_key, n)) {
            return false;
        }
        access->kept = store->save(store->context, name, access->session_key, n);
    }
    return true;
}

bool skr_access_open(struct skr_access *access, const struct skr_access_store *store, struct skr_http_config *http)
{
    if (!store->random(store->context, http->seed, sizeof http->seed) || !open_key(access, store)) {
        return false;
    }
    http->session_key = access->session_key;
#if SKR_AUTH
    size_t n = store->load(store->context, "tokens", access->record, sizeof access->record);
    access->grant_count = skr_access_record(access->record, n, access->grants);
    http->grants = access->grants;
    http->grant_count = access->grant_count;
#endif
    return true;
}
