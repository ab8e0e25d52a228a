/* main.c -- the lamp on Zephyr's network. */
#include <skills.h>
#include <skr_zephyr_http.h>
#include <zephyr/sys/printk.h>

extern const struct skr_device lamp_device;

static struct skr_server server;
static struct skr_zephyr_http net;

int main(void)
{
    int error = skr_server_init(&server, &lamp_device, skills_image, skills_image_size);

    if (error == 0) {
        printk("lamp: serving at port %d\n", CONFIG_SKILLROM_HTTP_PORT);
        error = skr_zephyr_http_serve(&net, &server);
    }
    printk("lamp: not served, error %d\n", error);
    return error;
}
