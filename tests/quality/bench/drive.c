/* drive.c -- the core without a wire: requests from files go in, responses come out and are
 * dropped, as often as asked. Callgrind counts only what happens in functions whose names
 * begin with "measured"; the copy of the request into the connection's buffer stands for the
 * port's read and is also counted.
 *
 * usage: drive sizes                                the server's RAM: struct sizes
 *        drive IMAGE mount ROUNDS                   mounts the image ROUNDS times more than once
 *        drive IMAGE line|http ROUNDS SETUP FILE... one request in each file; SETUP, or "-", is
 *                                                   sent once, the files once more than ROUNDS
 *
 * What SETUP and the first round are answered is printed. Every round must be answered with
 * as many bytes as the first. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../examples/pump/device.h"

#define FILES 256

static struct skr_server server;
static struct skr_conn conn;

static struct skr_span requests[FILES];

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "drive: %s: %s\n", what, why);
    exit(1);
}

static struct skr_span map_file(const char *path)
{
    struct stat status;
    int fd = open(path, O_RDONLY);

    if (fd < 0 || fstat(fd, &status) != 0) {
        give_up(path, "cannot be read");
    }
    struct skr_span file = {mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0), (size_t)status.st_size};
    if (file.p == MAP_FAILED) {
        give_up(path, "cannot be mapped");
    }
    close(fd);
    return file;
}

static void mount(struct skr_span image)
{
    int error = skr_server_init(&server, &skr_example_device, image.p, image.n);

    if (error != 0) {
        give_up("the image is refused", romfs_reason(error));
    }
}

/* Sends one request and takes its response as a port does. Returns the response's size. */
static size_t exchange(struct skr_span request, bool show)
{
    struct skr_span spans[SKR_TX_SPANS];
    size_t room, count, size = 0;
    void *to = skr_conn_rx_room(&conn, &room);

    if (room < request.n) {
        give_up("a request", "does not fit the connection's buffer");
    }
    memcpy(to, request.p, request.n);
    skr_conn_rx_done(&conn, request.n);
    while ((count = skr_conn_txv(&conn, spans, SKR_TX_SPANS)) > 0) {
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            left += spans[i].n;
            if (show) {
                fwrite(spans[i].p, 1, spans[i].n, stdout);
            }
        }
        skr_conn_tx_done(&conn, left);
        size += left;
    }
    return size;
}

/* Sends all requests once. Returns the size of the responses. */
static size_t exchange_all(int count, bool show)
{
    size_t size = 0;

    for (int i = 0; i < count; i++) {
        size += exchange(requests[i], show);
    }
    return size;
}

/* ---- What is counted; kept apart from their callers, so that callgrind sees them ---- */

__attribute__((noinline)) static size_t measured_requests(int count, unsigned long rounds)
{
    size_t size = 0;

    while (rounds-- > 0) {
        size += exchange_all(count, false);
    }
    return size;
}

__attribute__((noinline)) static void measured_mounts(struct skr_span image, unsigned long rounds)
{
    while (rounds-- > 0) {
        mount(image);
    }
}

static int usage(void)
{
    fputs("usage: drive sizes | IMAGE mount ROUNDS | IMAGE line|http ROUNDS SETUP FILE...\n", stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct skr_http_config http = {.path = "/mcp", .loopback = true, .anyone = true};

    if (argc == 2 && strcmp(argv[1], "sizes") == 0) {
        printf("%zu %zu\n", sizeof server, sizeof conn);
        return 0;
    }
    if (argc < 4) {
        return usage();
    }
    struct skr_span image = map_file(argv[1]);
    unsigned long rounds = strtoul(argv[3], NULL, 10);
    mount(image);
    if (strcmp(argv[2], "mount") == 0) {
        measured_mounts(image, rounds);
        return 0;
    }
    int count = argc - 5;
    if (count < 1 || count > FILES) {
        return usage();
    }
    for (int i = 0; i < count; i++) {
        requests[i] = map_file(argv[5 + i]);
    }
    skr_server_http(&server, &http);
    skr_conn_open(&conn, &server, strcmp(argv[2], "http") == 0 ? SKR_HTTP_1 : SKR_LINE);
    if (strcmp(argv[4], "-") != 0) {
        (void)exchange(map_file(argv[4]), true);
    }
    size_t first = exchange_all(count, true);
    if (measured_requests(count, rounds) != rounds * first) {
        give_up("a later round", "was answered in another length than the first");
    }
    return 0;
}
