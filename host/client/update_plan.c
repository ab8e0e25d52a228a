/* update_plan.c -- see update_plan.h. */
#include "update_plan.h"

#include <string.h>

#include "romfs.h"

#define BLOCK CLIENT_PLAN_BLOCK
#define HASHED (2 * CLIENT_PLAN_BLOCKS)
#define NONE UINT32_MAX

/* The CRC-32 of a window that moves by a byte. A CRC is linear but for its first and last step, whose share is the same
 * for every window of this length, `base`. */
struct window {
    uint32_t in[256];  /* what a byte that comes in changes */
    uint32_t out[256]; /* what one that leaves has changed, BLOCK bytes later */
    uint32_t base;
};

static void window_prepare(struct window *w)
{
    uint8_t bytes[BLOCK + 1] = {0};
    uint32_t none = romfs_crc32(0, bytes, 1), gone = romfs_crc32(0, bytes, sizeof bytes);

    w->base = romfs_crc32(0, bytes, BLOCK);
    for (unsigned b = 0; b < 256; b++) {
        bytes[0] = (uint8_t)b;
        w->in[b] = romfs_crc32(0, bytes, 1) ^ none;
        w->out[b] = romfs_crc32(0, bytes, sizeof bytes) ^ gone;
    }
}

static uint32_t window_move(const struct window *w, uint32_t raw, uint8_t out, uint8_t in)
{
    return (raw >> 8 ^ w->in[(raw ^ in) & 255]) ^ w->out[out];
}

/* ---- Blocks by CRC ---- */

static uint32_t hashed[HASHED]; /* 1 + the first block with a CRC; 0 is empty */

static void hash_blocks(const struct client_plan *plan)
{
    memset(hashed, 0, sizeof hashed);
    for (uint32_t i = 0; i < plan->block_count; i++) {
        uint32_t at = plan->crcs[i] % HASHED;
        while (hashed[at] != 0 && plan->crcs[hashed[at] - 1] != plan->crcs[i]) {
            at = (at + 1) % HASHED;
        }
        hashed[at] = hashed[at] != 0 ? hashed[at] : i + 1;
    }
}

static uint32_t block_with(const struct client_plan *plan, uint32_t crc)
{
    uint32_t at = crc % HASHED;

    while (hashed[at] != 0 && plan->crcs[hashed[at] - 1] != crc) {
        at = (at + 1) % HASHED;
    }
    return hashed[at] != 0 ? hashed[at] - 1 : NONE;
}

/* ---- Runs ---- */

/* How many blocks from `block` on follow each other at `p`. */
static uint32_t count_blocks(const struct client_plan *plan, uint32_t block, const uint8_t *p, uint32_t n)
{
    uint32_t count = 0;

    while (block + count < plan->block_count && n - count * BLOCK >= BLOCK &&
           romfs_crc32(0, p + count * BLOCK, BLOCK) == plan->crcs[block + count]) {
        count++;
    }
    return count;
}

/* A single block may have the CRC of another text: it counts if it is where it was, or moved as the run before it. */
static bool is_likely(const struct client_plan *plan, uint32_t to, uint32_t from, uint32_t count)
{
    const struct client_plan_run *last = plan->run_count > 0 ? &plan->runs[plan->run_count - 1] : NULL;

    return count > 1 || to == from || (last != NULL && to - from == last->to - last->from);
}

static void add_run(struct client_plan *plan, uint32_t to, uint32_t from, uint32_t n, uint32_t unit)
{
    uint32_t skipped = (unit - to % unit) % unit;

    if (n < skipped + unit || plan->run_count == CLIENT_PLAN_RUNS) {
        return;
    }
    n = (n - skipped) / unit * unit;
    plan->runs[plan->run_count++] = (struct client_plan_run){to + skipped, from + skipped, n};
}

void client_plan_make(struct client_plan *plan, const uint8_t *image, uint32_t size, uint32_t unit)
{
    struct window window;

    window_prepare(&window);
    hash_blocks(plan);
    plan->run_count = plan->next = 0;
    uint32_t at = 0, raw = size >= BLOCK ? romfs_crc32(0, image, BLOCK) ^ window.base : 0;
    while (size >= BLOCK && at <= size - BLOCK) {
        uint32_t block = block_with(plan, raw ^ window.base);
        uint32_t count = block != NONE ? count_blocks(plan, block, image + at, size - at) : 0;
        if (count > 0 && is_likely(plan, at, block * BLOCK, count)) {
            add_run(plan, at, block * BLOCK, count * BLOCK, unit);
            at += count * BLOCK;
            raw = at <= size - BLOCK ? romfs_crc32(0, image + at, BLOCK) ^ window.base : 0;
        } else {
            raw = at < size - BLOCK ? window_move(&window, raw, image[at], image[at + BLOCK]) : 0;
            at++;
        }
    }
}

uint32_t client_plan_step(struct client_plan *plan, uint32_t offset, uint32_t size, uint32_t *from)
{
    while (plan->next < plan->run_count && plan->runs[plan->next].to + plan->runs[plan->next].n <= offset) {
        plan->next++;
    }
    const struct client_plan_run *run = plan->next < plan->run_count ? &plan->runs[plan->next] : NULL;
    if (run != NULL && run->to <= offset) {
        *from = run->from + (offset - run->to);
        return run->to + run->n - offset;
    }
    *from = NONE;
    return (run != NULL ? run->to : size) - offset;
}

uint32_t client_plan_found(const struct client_plan *plan)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < plan->run_count; i++) {
        n += plan->runs[i].n;
    }
    return n;
}
