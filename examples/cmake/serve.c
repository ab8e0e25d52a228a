/* serve.c -- see serve.h. The same on every system; what reads and writes is in its main. */
#include "serve.h"

#include "skillrom.h"
#include "skills.h"

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_conn conn;

int lamp_open(void)
{
    int error = skr_server_init(&server, &lamp_device, skills_image, skills_image_size);

    if (error == 0) {
        skr_conn_open(&conn, &server, SKR_LINE);
    }
    return error;
}

size_t lamp_serve(size_t (*read)(void *to, size_t room), size_t (*write)(const void *bytes, size_t n))
{
    size_t room;
    void *to = skr_conn_rx_room(&conn, &room);
    size_t came = read(to, room);

    skr_conn_rx_done(&conn, came);

    const void *bytes;
    size_t n = skr_conn_tx(&conn, &bytes);
    size_t left = n > 0 ? write(bytes, n) : 0;
    skr_conn_tx_done(&conn, left);
    return came + left;
}
