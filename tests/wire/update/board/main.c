/* main.c -- firmware whose manual can be replaced over its serial line, for tests/wire/update: lines of JSON-RPC. */
#include "board.h"
#include "romfs.h"
#include "skillrom.h"
#include "slots.h"
#include "update_ec.h"
#include "updater.h"

static const struct skr_device device = {.tools = NULL};

static const uint8_t keys[][ROMFS_RELEASE_KEY_SIZE] = {
#include "keys.inc"
};

static const struct skr_update_config config = {.flash = &slots_flash,
                                                .images = {SLOTS_IMAGE_0, SLOTS_IMAGE_1},
                                                .room = SLOTS_ROOM,
                                                .sector = SLOTS_PAGE,
                                                .records = SLOTS_RECORDS_AT,
                                                .record_size = SLOTS_PAGE,
                                                .record_count = SLOTS_RECORDS,
                                                .product = {0x0b, 0x20, 0x3c, 0x46, 0x4b, 0xb3, 0x2a, 0x27}, /* pump */
                                                .keys = keys,
                                                .key_count = 1,
                                                .is_signed = skr_update_is_signed};

static const void *const slots[2] = {(const void *)SLOTS_IMAGE_0, (const void *)SLOTS_IMAGE_1};

static struct skr_server server;
static struct skr_conn conn;
static struct skr_server_update update;

/* Moves bytes in both directions. True when something moved. */
static bool carry(void)
{
    const uint8_t *came;
    uint8_t *to;
    const void *next;
    size_t n = serial_peek(&came), taken = skr_conn_rx(&conn, came, n), room = serial_room(&to);

    serial_drop(taken);
    n = skr_conn_tx(&conn, &next);
    n = n < room ? n : room;
    for (size_t i = 0; i < n; i++) {
        to[i] = ((const uint8_t *)next)[i];
    }
    skr_conn_tx_done(&conn, n);
    serial_send(n);
    return taken > 0 || n > 0;
}

int main(void)
{
    board_init();
    clock_init();
    const void *image = skr_server_update_open(&update, &config, &server, slots);
    if (skr_server_init(&server, &device, image, SLOTS_ROOM) != 0) {
        serial_print("no image can be served\n");
        for (;;) {
        }
    }
    skr_server_update_start(&update);
    skr_conn_open(&conn, &server, SKR_LINE);
    serial_print("skillrom on microbit: ready\n");
    for (;;) {
        uint32_t seen = serial_events();
        bool moved = carry();
        skr_server_update_turn(&update, skr_conn_uses_old_image(&conn));
        if (!moved) {
            clock_sleep(seen);
        }
    }
}
