/* main.c -- the firmware of a board whose USB plug is a serial port: the device's image and tools, served to the program that
 * opens it. */
#include "board.h"
#include "skr_usb.h"
#include "tusb.h"
#include "usb_config.h"
#if SKR_UPDATE
#include "slots.h"
#endif

extern const struct skr_device board_device;

extern const uint32_t link_image[];
extern const char link_image_room[];

static struct skr_server server;
static struct skr_conn conn;
static struct skr_usb usb;
static volatile uint32_t interrupts;

void USB_Handler(void)
{
    interrupts++;
    tud_int_handler(0);
}

/* For clock_sleep: each transfer, reset and request of the bus ends with an interrupt. */
uint32_t serial_events(void)
{
    return interrupts;
}

/* NULL, or why nothing is served. */
static const char *refused;

void tud_cdc_line_state_cb(uint8_t port, bool dtr, bool rts)
{
    (void)port;
    (void)rts;
    if (refused == NULL) {
        skr_usb_line_state(&usb, dtr);
    } else if (dtr) {
        (void)tud_cdc_write_str(USB_HELLO ": no skills are served: ");
        (void)tud_cdc_write_str(refused);
        (void)tud_cdc_write_str("\n");
        (void)tud_cdc_write_flush();
    }
}

#if SKR_UPDATE
static struct skr_server_update update;
#endif

static int begin(void)
{
    const void *image = link_image;

#if SKR_UPDATE
    image = slots_open(&update, &server);
#endif
    int error = skr_server_init(&server, &board_device, image, (size_t)(uintptr_t)link_image_room);
#if SKR_UPDATE
    if (error == 0) {
        skr_server_update_start(&update);
    }
#endif
    return error;
}

static bool serve(void)
{
    bool moved = skr_usb_carry(&usb);

#if SKR_UPDATE
    skr_server_update_turn(&update, skr_conn_uses_old_image(&conn));
#endif
#if SKR_JOBS
    (void)skr_server_tick(&server, clock_ms()); /* SysTick ends a sleep within a millisecond */
#endif
    return moved;
}

int main(void)
{
    static const tusb_rhport_init_t as_device = {.role = TUSB_ROLE_DEVICE, .speed = TUSB_SPEED_FULL};

    board_init();
    clock_init();
    int error = begin();
    refused = error != 0 ? skr_server_reason(error) : NULL;
    skr_usb_open(&usb, &server, &conn, USB_GREETING);
    (void)tusb_init(0, &as_device);
    for (;;) {
        uint32_t seen = interrupts;
        tud_task();
        bool moved = refused == NULL && serve();
        if (!moved) {
            clock_sleep(seen);
        }
    }
}
