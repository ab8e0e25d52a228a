/* main.c -- the firmware: the device's image and tools, served on the serial line.
 *
 * Before it serves, it says in one line which board it is; such a line does not begin with {
 * and is for people. After that the line carries JSON-RPC messages only. */
#include "board.h"
#include "skillrom.h"

/* The device whose folder was linked: DEVICE in build.mk. */
extern const struct skr_device board_device;

/* Where the image lies and how much room it has there: the linker script's region IMAGE. */
extern const uint32_t link_image[];
extern const char link_image_room[];

static struct skr_server server;
static struct skr_conn conn;

/* Carries what there is between the rings and the connection, in both directions. A framing of
 * the line would stand here, between the rings and the core. True when something moved. */
static bool carry(void)
{
    const uint8_t *came;
    size_t n = serial_peek(&came);
    size_t taken = skr_conn_rx(&conn, came, n);
    serial_drop(taken);

    const void *next;
    n = skr_conn_tx(&conn, &next);
    size_t put = serial_put(next, n);
    skr_conn_tx_done(&conn, put);
    return taken > 0 || put > 0;
}

static void __attribute__((noreturn)) serve(void)
{
    skr_conn_open(&conn, &server, SKR_LINE);
    for (;;) {
        uint32_t seen = serial_events();
        bool moved = carry();
#if SKR_JOBS
        (void)skr_server_tick(&server, clock_ms()); /* SysTick ends a sleep within a millisecond */
#endif
        if (!moved) {
            clock_sleep(seen);
        }
    }
}

/* romfs_reason() has the words, half a kilobyte of them; the number stands in romfs.h. */
static void __attribute__((noreturn)) stop(int error)
{
    const char number[] = {(char)('0' + -error / 10), (char)('0' + -error % 10), '\0'};
    serial_say(": no skills are served, the image is refused with romfs_error ");
    serial_say(number);
    serial_say("; pack and flash it again\n");
    for (;;) {
        clock_sleep(serial_events());
    }
}

int main(void)
{
    board_init();
    clock_init();
    serial_say("skillrom on ");
    serial_say(board_name);
    int error = skr_server_init(&server, &board_device, link_image, (size_t)(uintptr_t)link_image_room);
    if (error != 0) {
        stop(error);
    }
    serial_say(": ready\n");
    serve();
}
