/* main.c -- the lamp on an ESP32: its line is UART 0, which the console leaves to it (sdkconfig.defaults). */
#include "skills.h"
#include "skr_esp_uart.h"

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_conn conn;
static struct skr_esp_uart line;

void app_main(void)
{
    if (skr_server_init(&server, &lamp_device, skills_image, skills_image_size) == 0) {
        skr_esp_uart_serve(&line, UART_NUM_0, &server, &conn);
    }
}
