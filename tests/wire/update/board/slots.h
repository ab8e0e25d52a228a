/* slots.h -- where the slots and records of the test board are; the program is before them. board.ld has the same. */
#ifndef TEST_SLOTS_H
#define TEST_SLOTS_H

#include "flash.h"

#define SLOTS_PAGE 1024u
#define SLOTS_RECORDS 3u
#define SLOTS_ROOM (64u * SLOTS_PAGE)
#define SLOTS_IMAGE_0 0x10000u
#define SLOTS_IMAGE_1 (SLOTS_IMAGE_0 + SLOTS_ROOM)
#define SLOTS_RECORDS_AT (SLOTS_IMAGE_1 + SLOTS_ROOM)

extern const struct skr_flash slots_flash;

#endif
