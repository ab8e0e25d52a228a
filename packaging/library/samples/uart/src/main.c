/* main.c -- the lamp on Zephyr: its line is the UART that the board has for its console. */
#include <skills.h>
#include <skr_zephyr_uart.h>

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_conn conn;
static struct skr_zephyr_uart line;

int main(void)
{
    int error = skr_server_init(&server, &lamp_device, skills_image, skills_image_size);

    return error != 0 ? error : skr_zephyr_uart_serve(&line, DEVICE_DT_GET(DT_CHOSEN(zephyr_console)), &server, &conn);
}
