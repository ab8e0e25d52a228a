/* guard_limits.c -- the limits of tools, and memory that is kept over resets. See guard.h. */
#include "handler/guard.h"
#include "sha256.h"

#if SKR_GUARD

const struct skr_guard *skri_guard_of(const struct skr_server *s)
{
    const struct skr_device *d = s->device;

    for (size_t i = 0; i < d->tool_count; i++) {
        if (d->tools[i].rules != NULL) {
            return d->tools[i].rules->guard;
        }
    }
    return NULL;
}

/* ---- Memory ---- */

/* A digest of everything but the entries: their chain is their checksum, and its last link is included. */
static void limits_digest(const struct skr_guard *guard, uint8_t check[SKR_DIGEST])
{
    struct skr_kept *kept = guard->kept;
    const uint8_t *begin = kept->before;
    struct romfs_sha256 hash;
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_start(&hash);
    romfs_sha256_add(&hash, begin, (size_t)((const uint8_t *)kept->entries - begin));
    romfs_sha256_add(&hash, skri_record_chain(kept), SKR_DIGEST);
    romfs_sha256_add(&hash, guard->budgets, guard->budget_count * sizeof *guard->budgets);
    romfs_sha256_finish(&hash, digest);
    memcpy(check, digest, SKR_DIGEST);
}

void skri_guard_begin(struct skr_server *s)
{
    const struct skr_guard *guard = skri_guard_of(s);
    uint8_t check[SKR_DIGEST];

    if (guard == NULL) {
        return;
    }
    limits_digest(guard, check);
    if (guard->kept->id != guard->id || memcmp(guard->kept->check, check, sizeof check) != 0 ||
        !skri_record_is_whole(s->device, guard->kept)) {
        memset(guard->kept, 0, sizeof *guard->kept);
        memset(guard->budgets, 0, guard->budget_count * sizeof *guard->budgets);
        guard->kept->id = guard->id;
        skri_guard_keep(s);
    }
    s->guard.base_s = guard->kept->clock_s;
}

void skri_guard_keep(const struct skr_server *s)
{
    const struct skr_guard *guard = skri_guard_of(s);

    guard->kept->clock_s = skri_guard_now_s(s);
    limits_digest(guard, guard->kept->check);
}

uint32_t skri_guard_now_s(const struct skr_server *s)
{
    return s->guard.base_s + s->clock.up_s;
}

/* ---- Limits ---- */

uint32_t skri_limit_amount(const struct skr_limit *limit, const void *values)
{
    const char *at = (const char *)values + limit->offset;
    int32_t small;
    int64_t large;

    if (limit->size == 0) {
        return 1;
    }
    if (limit->size == sizeof small) {
        memcpy(&small, at, sizeof small);
        large = small;
    } else {
        memcpy(&large, at, sizeof large);
    }
    return large < 0 || large > UINT32_MAX ? UINT32_MAX : (uint32_t)large; /* the packer refuses a negative minimum */
}

/* The length of a slice, rounded up: a period may be a little longer, never shorter. */
static uint32_t slice_s(const struct skr_limit *limit)
{
    return (limit->period_s + SKR_BUDGET_SLICES - 1) / SKR_BUDGET_SLICES;
}

/* The budget as it is now: slices that have passed are moved on. */
static struct skr_budget budget_now(const struct skr_server *s, const struct skr_limit *limit,
                                    const struct skr_budget *budget)
{
    struct skr_budget now = *budget;
    uint32_t passed = limit->max > 0 ? (skri_guard_now_s(s) - budget->since_s) / slice_s(limit) : 0;

    now.since_s += passed * slice_s(limit);
    for (unsigned i = SKR_BUDGET_SLICES + 1; passed > 0 && i-- > 0;) {
        now.used[i] = i >= passed ? budget->used[i - passed] : 0;
    }
    return now;
}

/* A limit without a maximum: since_s is the last tool call, and used[0] says that there was one. */
static bool gap_allows(const struct skr_server *s, const struct skr_limit *limit, const struct skr_budget *budget,
                       uint32_t *wait_s)
{
    uint32_t passed = skri_guard_now_s(s) - budget->since_s;

    *wait_s = limit->period_s + 1 - passed; /* whole seconds are counted: one may have just begun */
    return budget->used[0] == 0 || passed > limit->period_s;
}

bool skri_limit_allows(const struct skr_server *s, const struct skr_rules *rules, const struct skr_limit *limit,
                       uint32_t amount, uint32_t *left, uint32_t *wait_s)
{
    const struct skr_budget *budget = &rules->guard->budgets[limit->budget];

    *left = 0;
    if (limit->max == 0) {
        return gap_allows(s, limit, budget, wait_s);
    }
    struct skr_budget now = budget_now(s, limit, budget);
    uint32_t used = 0, freed;
    for (unsigned i = 0; i <= SKR_BUDGET_SLICES; i++) {
        used += now.used[i];
    }
    *left = limit->max - used;
    *wait_s = 0;
    if (amount <= *left) {
        return true;
    }
    freed = *left;
    for (unsigned i = SKR_BUDGET_SLICES + 1; amount <= limit->max && freed < amount && i-- > 0;) {
        freed += now.used[i];
        *wait_s = slice_s(limit) * (SKR_BUDGET_SLICES + 1 - i) - (skri_guard_now_s(s) - now.since_s);
    }
    return false;
}

void skri_limits_charge(struct skr_server *s, const struct skr_rules *rules, const void *values)
{
    for (unsigned i = 0; i < rules->limit_count; i++) {
        const struct skr_limit *limit = &rules->limits[i];
        struct skr_budget *budget = &rules->guard->budgets[limit->budget];
        *budget = budget_now(s, limit, budget);
        if (limit->max == 0) {
            budget->since_s = skri_guard_now_s(s);
            budget->used[0] = 1;
        } else {
            budget->used[0] += skri_limit_amount(limit, values);
        }
    }
    skri_guard_keep(s);
}

#endif
