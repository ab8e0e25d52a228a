/* skr_usb.c -- see skr_usb.h. Operating systems set DTR when a program opens the port, and clear it when the program closes it or
 * ends. TinyUSB also reports that nobody is there when the bus is reset or suspended: then no line state comes. */
#include "skr_usb.h"

#include "tusb.h"

void skr_usb_open(struct skr_usb *u, struct skr_server *server, struct skr_conn *conn, const char *greeting)
{
    u->server = server;
    u->conn = conn;
    u->greeting = greeting;
    u->open = false;
    u->stale = false;
}

/* A packet that the last program left unread is still in the controller, and is the first thing that this one reads. The line
 * end keeps that piece of an old response apart from what follows. */
static void port_begin(struct skr_usb *u)
{
    u->open = true;
    skr_conn_open(u->conn, u->server, SKR_LINE);
    if (u->stale) {
        (void)tud_cdc_write_char('\n');
    }
    if (u->greeting != NULL) {
        (void)tud_cdc_write_str(u->greeting);
    }
    (void)tud_cdc_write_flush();
}

static void port_end(struct skr_usb *u)
{
    u->open = false;
    u->stale = true;
    skr_conn_close(u->conn);
    tud_cdc_read_flush();
    (void)tud_cdc_write_clear();
}

/* In the order of the bus: a program's bytes come after the line state that it sets first. */
void skr_usb_line_state(struct skr_usb *u, bool dtr)
{
    if (u->open) {
        port_end(u);
    }
    if (dtr) {
        port_begin(u);
    }
}

static bool bytes_take(struct skr_conn *conn)
{
    size_t room;
    void *to = skr_conn_rx_room(conn, &room);
    size_t came = room > 0 ? tud_cdc_read(to, (uint32_t)room) : 0;

    skr_conn_rx_done(conn, came);
    return came > 0;
}

/* TinyUSB sends full packets by itself; the last one has to be flushed. */
static bool bytes_give(struct skr_conn *conn)
{
    const void *next;
    size_t sent = 0;

    for (size_t n; tud_cdc_write_available() > 0 && (n = skr_conn_tx(conn, &next)) > 0;) {
        uint32_t taken = tud_cdc_write(next, (uint32_t)n);
        skr_conn_tx_done(conn, taken);
        sent += taken;
    }
    if (sent > 0) {
        (void)tud_cdc_write_flush();
    }
    return sent > 0;
}

bool skr_usb_carry(struct skr_usb *u)
{
    if (tud_cdc_connected() != u->open) {
        skr_usb_line_state(u, !u->open);
        return true;
    }
    if (!u->open) {
        return false;
    }
    bool took = bytes_take(u->conn);
    return bytes_give(u->conn) || took;
}
