/* update.c -- updates of a device whose records in flash are any bytes, by a client that sends anything (port/update).
 *
 * Whatever the flash holds and the client does: no access leaves the slots and the ring; an image is on trial only if it is
 * the one that was signed; its number is larger than the one in force, or it withdraws a key; the slot that is served is
 * never written. Signing
 * stands in for the curve, as in token.c. */
#define _GNU_SOURCE
#include "update.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "romfs.h"
#include "sha256.h"
#include "update_record.h"

#define UNIT 8u
#define SECTOR 64u
#define ROOM (4 * SECTOR)
#define RECORD_SECTOR 256u
#define RECORDS 3u
#define IMAGES (RECORDS * RECORD_SECTOR)
#define FLASH (IMAGES + 2 * ROOM)

static uint8_t flash[FLASH];
static struct skr_update update;

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "update: it does not hold that %s\n", what);
        abort();
    }
}

/* ---- The flash ---- */

static bool flash_read(void *context, uint32_t at, void *to, uint32_t n)
{
    (void)context;
    must(at <= FLASH && n <= FLASH - at, "reads stay inside");
    memcpy(to, flash + at, n);
    return true;
}

static bool is_served(uint32_t at)
{
    return at >= IMAGES && (at - IMAGES) / ROOM == skr_update_slot(&update);
}

static bool flash_erase(void *context, uint32_t at, uint32_t n)
{
    (void)context;
    must(at < FLASH && n == (at < IMAGES ? RECORD_SECTOR : SECTOR) && at % n == 0, "only sectors are erased");
    must(!is_served(at), "what is served is not erased");
    memset(flash + at, 0xFF, n);
    return true;
}

static bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    (void)context;
    must(at % UNIT == 0 && n % UNIT == 0 && at <= FLASH && n <= FLASH - at, "only units are programmed");
    must(!is_served(at), "what is served is not written");
    memcpy(flash + at, bytes, n);
    return true;
}

/* ---- Releases ---- */

static bool is_signed(const uint8_t key[64], const uint8_t digest[32], const uint8_t signature[64])
{
    return memcmp(signature, digest, 32) == 0 && memcmp(signature + 32, key, 32) == 0;
}

static const uint8_t keys[2][64] = {{1}, {2}};
static const struct skr_flash driver = {UNIT, 0xFF, flash_read, flash_erase, flash_program, NULL};
static const struct skr_update_config config = {.flash = &driver,
                                                .images = {IMAGES, IMAGES + ROOM},
                                                .room = ROOM,
                                                .sector = SECTOR,
                                                .record_size = RECORD_SECTOR,
                                                .record_count = RECORDS,
                                                .keys = keys,
                                                .key_count = 2,
                                                .is_signed = is_signed};

/* A release of n bytes that begin with `first`, mostly valid: `bits` says what is not. */
static void make_release(uint8_t release[ROMFS_RELEASE_SIZE], uint8_t image[ROOM], uint8_t number, uint8_t first,
                         uint8_t bits)
{
    uint32_t size = ROOM - (bits & 15) * 3u;
    uint8_t digest[32];

    memset(image, first, ROOM);
    memset(release, 0, ROMFS_RELEASE_SIZE);
    memcpy(release, ROMFS_RELEASE_MAGIC, 4);
    release[4] = number;
    release[8] = (uint8_t)size;
    release[9] = (uint8_t)(size >> 8);
    release[12] = bits >> 4 & 3;
    release[13] = bits >> 6 & 1;
    release[14] = ROMFS_RELEASE_LAYOUT;
    romfs_sha256_of(image, size, release + 32);
    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, digest);
    memcpy(release + 64, digest, 32);
    memcpy(release + 96, keys[release[12] & 1], 32);
    release[64] ^= bits >> 7;
}

static void check_trial(void)
{
    uint8_t digest[32], record[SKR_STATE_RECORD_SIZE];
    struct romfs_release r;

    if (!update.trial) {
        return;
    }
    memcpy(record, flash + update.at * RECORD_SECTOR, sizeof record);
    must(romfs_release_read(record + SKR_STATE_RECORD_RELEASE, &r) &&
             (r.number > update.number || r.min_key > update.min_key),
         "numbers grow, or a key is withdrawn");
    romfs_sha256_of(flash + config.images[skr_update_slot(&update)], r.size, digest);
    must(memcmp(digest, r.sha256, 32) == 0, "what is on trial is what was signed");
}

/* ---- Inputs: a byte for each record that says whether its checksum is right, their bytes, then steps of four bytes ---- */

static const uint8_t *input;
static size_t left;

static uint8_t next(void)
{
    return left > 0 ? (left--, *input++) : 0;
}

static void fill_record(uint32_t i)
{
    uint8_t *bytes = flash + i * RECORD_SECTOR, how = next();
    uint8_t release[ROMFS_RELEASE_SIZE], image[ROOM];
    struct skr_state_record r = {.sequence = next(),
                                 .number = next(),
                                 .force = next() & 3,
                                 .parts = next(),
                                 .min_key = next() & 3,
                                 .writing = how >> 1 & 1,
                                 .previous = how >> 2 & 1 ? update.crc : next()};

    make_release(release, image, next(), next(), next());
    if (how & 1) {
        skr_state_record_write(bytes, &r, release);
        update.crc = r.crc;
    } else {
        memset(bytes, next(), RECORD_SECTOR);
    }
}

static void take_step(uint8_t release[ROMFS_RELEASE_SIZE], uint8_t image[ROOM])
{
    uint8_t what = next(), a = next(), b = next(), c = next();
    uint32_t offset = 0, number = update.number, min_key = update.min_key;

    switch (what % 8) {
    case 0: make_release(release, image, a, b, c); break;
    case 1: (void)skr_update_begin(&update, release, &offset); break;
    case 2: (void)skr_update_write(&update, a * UNIT, image + (b & 7), c < ROOM - 8 ? c : ROOM - 8); break;
    case 3: (void)skr_update_copy(&update, a * UNIT, b * 2u, c * UNIT); break;
    case 4: (void)skr_update_commit(&update); break;
    case 5: (void)skr_update_confirm(&update, a & 1 ? update.coming : b); break;
    case 6: skr_update_revert(&update); break;
    default: /* all that is left to send, as a client that behaves */
        while (update.open && update.offset < update.size) {
            uint32_t n = update.size - update.offset < 2 * UNIT ? update.size - update.offset : 2 * UNIT;
            must(skr_update_write(&update, update.offset, image, n) == SKR_UPDATE_OK, "an upload goes on");
        }
    }
    must(update.min_key > min_key || (update.min_key == min_key && update.number >= number),
         "the number in force only grows, or a key is withdrawn");
    check_trial();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t release[ROMFS_RELEASE_SIZE] = {0}, image[ROOM] = {0};

    input = data;
    left = size;
    memset(flash, 0xFF, sizeof flash);
    memset(&update, 0, sizeof update);
    must(skr_update_is_valid(&config), "the configuration is valid");
    for (uint32_t i = 0; i < RECORDS; i++) {
        fill_record(i);
    }
    skr_update_open(&update, &config);
    while (left > 0) {
        take_step(release, image);
        if (left % 16 == 0) { /* a reset: the same number is in force */
            uint32_t number = update.number;
            skr_update_open(&update, &config);
            must(update.number == number, "a reset changes nothing that is in force");
        }
    }
    return 0;
}
