/* slots.c -- see slots.h. The keys and the name of the product are given to make: UPDATE_KEYS, UPDATE_PRODUCT. */
#include "slots.h"

#include "romfs.h"
#include "tools.h"
#include "update_ec.h"

static const uint8_t keys[][ROMFS_RELEASE_KEY_SIZE] = {
#include "update_keys.inc"
};

static struct skr_update_config config = {.flash = &board_flash,
                                          .product =
                                              {
#include "update_product.inc"
                                              },
                                          .interface_id = SKR_INTERFACE,
                                          .keys = keys,
                                          .key_count = sizeof keys / sizeof keys[0],
                                          .is_signed = skr_update_is_signed};

static const void *const slots[2] = {link_image, link_slot_1};

/* Firmware is flashed with blank records, so that its own image is in force, and not one that fits the firmware
 * before. */
__attribute__((section(".records"), used)) static const uint8_t blank = 0xFF;

const void *slots_open(struct skr_server_update *update, struct skr_server *server)
{
    config.images[0] = (uint32_t)(uintptr_t)link_image;
    config.images[1] = (uint32_t)(uintptr_t)link_slot_1;
    config.room = (uint32_t)(uintptr_t)link_image_room;
    config.sector = config.record_size = board_flash_sector;
    config.records = (uint32_t)(uintptr_t)link_records;
    config.record_count = (uint32_t)(link_records_end - link_records) / config.record_size;
    return skr_server_update_open(update, &config, server, slots);
}
