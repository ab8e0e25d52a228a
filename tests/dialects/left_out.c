/* left_out.c -- the example device on a core without some dialects, on stdin and stdout. The
 * port of skillromd is not built without them, so this is the smallest port there is. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../examples/device/device.h"

static struct skr_server server;
static struct skr_conn conn;

static void *read_image(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        return NULL;
    }
    long length = ftell(file);
    rewind(file);
    void *image = length > 0 ? malloc((size_t)length) : NULL;
    *size = image != NULL ? fread(image, 1, (size_t)length, file) : 0;
    fclose(file);
    return image;
}

/* False when nobody reads any more. */
static bool send_answers(void)
{
    const void *bytes;
    size_t n;
    while ((n = skr_conn_tx(&conn, &bytes)) > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, n);
        if (written < 0) {
            return false;
        }
        skr_conn_tx_done(&conn, (size_t)written);
    }
    return true;
}

/* All of it goes in, if need be after answers have made room. */
static bool take(const char *bytes, size_t n)
{
    while (n > 0) {
        size_t taken = skr_conn_rx(&conn, bytes, n);
        bytes += taken;
        n -= taken;
        if (!send_answers()) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    size_t size = 0;
    void *image = argc == 2 ? read_image(argv[1], &size) : NULL;
    if (image == NULL || skr_server_init(&server, &skr_example_device, image, size) != 0) {
        fprintf(stderr, "usage: %s IMAGE\n", argv[0]);
        return 2;
    }
    skr_conn_open(&conn, &server, SKR_LINE);
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    char buffer[4096];
    bool well = true;
    for (uint32_t now_ms = 0; well; now_ms++) {
        bool working = skr_server_tick(&server, now_ms);
        well = send_answers();
        if (well && poll(&input, 1, working ? 1 : -1) > 0) {
            ssize_t n = read(STDIN_FILENO, buffer, sizeof buffer);
            well = n > 0 && take(buffer, (size_t)n);
        }
    }
    free(image);
    return 0;
}
