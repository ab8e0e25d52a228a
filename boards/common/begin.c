/* begin.c -- the beginning of a firmware with a serial line for people: the board, its clock, its name, its server. */
#include "board.h"
#include "romfs.h"
#include "skillrom.h"

/* The device whose folder was linked: DEVICE in build.mk. */
extern const struct skr_device board_device;

/* Where the image is and how much room it has: the linker script's region IMAGE. */
extern const uint32_t link_image[];
extern const char link_image_room[];

int board_begin(struct skr_server *server)
{
    board_init();
    clock_init();
    serial_print("skillrom on ");
    serial_print(board_name);
    return skr_server_init(server, &board_device, link_image, (size_t)(uintptr_t)link_image_room);
}
