/* skr_usb.h -- MCP on a device's own USB plug: a connection of the core behind a serial port of TinyUSB (CDC-ACM).
 *
 * USB checks, acknowledges and repeats its packets, so messages are plain lines, and the reliable mode of port/uart is not
 * needed. The host's program that opens the port is a client; when it closes the port, or the plug is pulled, its
 * connection ends, and the next one begins with nothing of it.
 *
 *     static struct skr_usb usb;
 *
 *     void tud_cdc_line_state_cb(uint8_t port, bool dtr, bool rts) { skr_usb_line_state(&usb, dtr); }
 *
 *     skr_usb_open(&usb, &server, &conn, "my device: ready\n");
 *     tusb_init(0, &init);
 *     for (;;) {
 *         tud_task();
 *         skr_usb_carry(&usb);
 *         skr_server_tick(&server, board_ms());      not in profile tiny
 *     }
 */
#ifndef SKR_USB_H
#define SKR_USB_H

#include "skillrom.h"

#ifdef __cplusplus
extern "C" {
#endif

/* You provide it; only these functions change it. */
struct skr_usb {
    struct skr_server *server;
    struct skr_conn *conn;
    const char *greeting;
    bool open;  /* a program has the port open */
    bool stale; /* one has had it, and may have left a piece of a response unread */
};

/* Prepares u; conn is opened on server whenever a program opens the port. That program first gets `greeting`, a line for people,
 * which must not begin with {, or NULL. Its text and both structs must stay where they are. */
#define skr_usb_open SKR_CONFIGURED(skr_usb_open) /* skr_layout.h */
void skr_usb_open(struct skr_usb *u, struct skr_server *server, struct skr_conn *conn, const char *greeting);

/* Call it from TinyUSB's tud_cdc_line_state_cb: a program has opened the port (dtr) or closed it. */
void skr_usb_line_state(struct skr_usb *u, bool dtr);

/* Moves what there is, in both directions, after tud_task() and in the same thread. True when something moved: then call both again
 * before you sleep. A host that stops reading stops its own responses; nothing is lost, and nothing else waits. */
bool skr_usb_carry(struct skr_usb *u);

#ifdef __cplusplus
}
#endif

#endif
