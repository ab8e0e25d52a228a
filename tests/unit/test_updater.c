/* test_updater.c -- firmware that checks a release on trial itself, and confirms it (port/update). */
#include <string.h>

#include "../../port/update/updater.h"
#include "romfs.h"
#include "sha256.h"
#include "unity.h"

#define SECTOR 256u
#define RECORDS 3u
#define ROOM (2 * SECTOR)
#define IMAGES (RECORDS * SECTOR)

static uint8_t flash[IMAGES + 2 * ROOM], image[300], release[ROMFS_RELEASE_SIZE];
static struct skr_server_update updates;

static bool flash_read(void *context, uint32_t at, void *to, uint32_t n)
{
    (void)context;
    memcpy(to, flash + at, n);
    return true;
}

static bool flash_erase(void *context, uint32_t at, uint32_t n)
{
    (void)context;
    memset(flash + at, 0xFF, n);
    return true;
}

static bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    (void)context;
    memcpy(flash + at, bytes, n);
    return true;
}

static bool is_signed(const uint8_t key[64], const uint8_t sha256[32], const uint8_t signature[64])
{
    (void)key;
    return memcmp(sha256, signature, 32) == 0;
}

static const uint8_t keys[1][64];
static const struct skr_flash driver = {8, 0xFF, flash_read, flash_erase, flash_program, NULL};
static const struct skr_update_config config = {.flash = &driver,
                                                .images = {IMAGES, IMAGES + ROOM},
                                                .room = ROOM,
                                                .sector = SECTOR,
                                                .record_size = SECTOR,
                                                .record_count = RECORDS,
                                                .keys = keys,
                                                .key_count = 1,
                                                .is_signed = is_signed};
static const void *const slots[2] = {flash + IMAGES, flash + IMAGES + ROOM};

void setUp(void)
{
    memset(flash, 0xFF, sizeof flash);
    TEST_ASSERT_EQUAL_PTR(slots[0], skr_server_update_open(&updates, &config, NULL, slots));
}

void tearDown(void)
{
}

/* Release 1 is served, and not confirmed. */
static void try_release(void)
{
    uint32_t offset;

    memset(image, 7, sizeof image);
    memcpy(release, ROMFS_RELEASE_MAGIC, 4);
    release[4] = 1;
    release[8] = sizeof image & 255;
    release[9] = sizeof image >> 8;
    release[14] = ROMFS_RELEASE_LAYOUT;
    romfs_sha256_of(image, sizeof image, release + 32);
    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, release + ROMFS_RELEASE_SIGNED);
    TEST_ASSERT_EQUAL(SKR_UPDATE_OK, skr_update_begin(&updates.update, release, &offset));
    TEST_ASSERT_EQUAL(SKR_UPDATE_OK, skr_update_write(&updates.update, 0, image, sizeof image));
    TEST_ASSERT_FALSE(skr_server_update_on_trial(&updates));
    TEST_ASSERT_EQUAL(SKR_UPDATE_OK, skr_update_commit(&updates.update));
}

static void a_trial_that_the_firmware_confirms_stays_after_a_reset(void)
{
    try_release();
    TEST_ASSERT_TRUE(skr_server_update_on_trial(&updates));
    TEST_ASSERT_EQUAL(SKR_UPDATE_OK, skr_server_update_confirm(&updates));
    TEST_ASSERT_FALSE(skr_server_update_on_trial(&updates));
    TEST_ASSERT_EQUAL_PTR(slots[1], skr_server_update_open(&updates, &config, NULL, slots));
    TEST_ASSERT_EQUAL(1, updates.update.number);
}

static void a_trial_that_the_firmware_does_not_confirm_ends_with_a_reset(void)
{
    try_release();
    TEST_ASSERT_EQUAL_PTR(slots[0], skr_server_update_open(&updates, &config, NULL, slots));
    TEST_ASSERT_FALSE(skr_server_update_on_trial(&updates));
    TEST_ASSERT_EQUAL(0, updates.update.number);
}

static void without_a_trial_confirm_leaves_the_image_in_force(void)
{
    TEST_ASSERT_EQUAL(SKR_UPDATE_OK, skr_server_update_confirm(&updates));
    TEST_ASSERT_EQUAL_PTR(slots[0], skr_server_update_open(&updates, &config, NULL, slots));
    TEST_ASSERT_EQUAL(0, updates.update.number);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_trial_that_the_firmware_confirms_stays_after_a_reset);
    RUN_TEST(a_trial_that_the_firmware_does_not_confirm_ends_with_a_reset);
    RUN_TEST(without_a_trial_confirm_leaves_the_image_in_force);
    return UNITY_END();
}
