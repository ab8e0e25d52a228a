/* update_plan.h -- which parts of a new image a device has already (update_plan.c).
 *
 * The device returns the CRC-32 of each block of the image in force. The new image is searched for these blocks at every
 * offset, so that a sentence more moves the rest, but does not send it again. A CRC is not a proof: the device compares
 * the digest of the whole, and `skillrom update` sends everything if that differs. */
#ifndef SKR_UPDATE_PLAN_H
#define SKR_UPDATE_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CLIENT_PLAN_BLOCKS 16384 /* of the device's image; what is beyond is sent */
#define CLIENT_PLAN_RUNS 4096    /* stretches that are found; what is beyond is sent */
#define CLIENT_PLAN_BLOCK 256    /* bytes of a block: its CRC takes 8 of them on the line */

/* `n` bytes at `to` of the new image are at `from` of the old one. */
struct client_plan_run {
    uint32_t to, from, n;
};

struct client_plan {
    uint32_t crcs[CLIENT_PLAN_BLOCKS];
    uint32_t block_count;
    struct client_plan_run runs[CLIENT_PLAN_RUNS];
    uint32_t run_count;
    uint32_t next; /* the run that the next step looks at first */
};

/* Finds the runs, in ascending order of `to`, each of whole units. crcs and block_count are set. */
void client_plan_make(struct client_plan *plan, const uint8_t *image, uint32_t size, uint32_t unit);

/* The action at this offset, which does not decrease from call to call. Returns how many bytes, at most to the end of the
 * image, are to be copied from *from; or to be sent, then *from is UINT32_MAX. */
uint32_t client_plan_step(struct client_plan *plan, uint32_t offset, uint32_t size, uint32_t *from);

/* Bytes that the device has. */
uint32_t client_plan_found(const struct client_plan *plan);

#endif
