/* slots.h -- a board whose manual can be replaced: what it has to supply, and where its slots are (slots.c). */
#ifndef SLOTS_H
#define SLOTS_H

#include "updater.h"

/* From the board: its flash, by addresses as the processor sees them, and the size of its sectors. */
extern const struct skr_flash board_flash;
extern const uint32_t board_flash_sector;

/* From its linker script: slot 0, which is flashed with the program, has the region IMAGE; slot 1 another one of the
 * same size. Records have sectors of their own, three at least, which are flashed blank (.records). */
extern const uint32_t link_image[];
extern const char link_image_room[];
extern const uint8_t link_slot_1[], link_records[], link_records_end[];

/* Returns the image to serve. */
const void *slots_open(struct skr_server_update *update, struct skr_server *server);

#endif
