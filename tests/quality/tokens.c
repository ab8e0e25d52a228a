/* tokens.c -- one request after the other with a token, each time with other hashes to compare it with. tests/quality/run-tokens
 * counts the instructions of each.
 *
 * The case's number and what is different are printed first; whether it was let in must be as expected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sha256.h"
#include "skillrom.h"

#define GRANTS 3
#define TOKEN "skr_0123456789abcdefghijklmnopqrstuv"

static struct skr_server server;
static struct skr_conn conn;
static struct skr_grant grants[GRANTS];
static const struct skr_device device;

static struct skr_span read_image(const char *path)
{
    static char image[1 << 20] __attribute__((aligned(8)));
    FILE *f = fopen(path, "rb");
    size_t n = f != NULL ? fread(image, 1, sizeof image, f) : 0;

    if (n == 0 || n == sizeof image) {
        perror(path);
        exit(2);
    }
    fclose(f);
    return (struct skr_span){image, n};
}

/* The status of the response. */
static int status_with(const char *token)
{
    static const char body[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
    char text[512], response[1024] = "";
    const void *bytes;
    size_t n, filled = 0;
    int status = 0;
    int length = snprintf(text, sizeof text,
                          "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          "Authorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
                          token, sizeof body - 1, body);

    skr_conn_open(&conn, &server, SKR_HTTP_1);
    skr_conn_rx(&conn, text, (size_t)length);
    while ((n = skr_conn_tx(&conn, &bytes)) > 0 && filled + n < sizeof response) {
        memcpy(response + filled, bytes, n);
        filled += n;
        skr_conn_tx_done(&conn, n);
    }
    return sscanf(response, "HTTP/1.1 %d ", &status) == 1 ? status : -1;
}

static void try(const char *what, const char *token, int status)
{
    printf("%s\n", what);
    if (status_with(token) != status) {
        fprintf(stderr, "compare: %s: not answered with %d\n", what, status);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    struct skr_http_config config = {.path = "/mcp", .loopback = true, .grants = grants, .grant_count = GRANTS};
    struct skr_span image = read_image(argc > 1 ? argv[1] : "");
    uint8_t digest[ROMFS_SHA256_SIZE];
    char what[80], token[sizeof TOKEN];

    if (skr_server_init(&server, &device, image.p, image.n) != 0) {
        return 2;
    }
    skr_server_http(&server, &config);
    romfs_sha256_of(TOKEN, strlen(TOKEN), digest);
    for (unsigned at = 0; at < GRANTS; at++) {
        grants[at] = (struct skr_grant){.name = "a user", .rights = SKR_MAY_OPERATE};
        memset(grants[at].sha256, (int)(0x55 + at), sizeof grants[at].sha256);
    }
    for (unsigned at = 0; at < GRANTS;
         at++) { /* one row after the other, with a bit of each byte of the hash changed */
        struct skr_grant before = grants[at];
        for (unsigned i = 0; i < ROMFS_SHA256_SIZE * 8; i++) {
            memcpy(grants[at].sha256, digest, sizeof digest);
            grants[at].sha256[i / 8] ^= (uint8_t)(1u << i % 8);
            snprintf(what, sizeof what, "row %u differs in bit %u", at, i);
            try(what, TOKEN, 401);
        }
        memcpy(grants[at].sha256, digest, sizeof digest);
        snprintf(what, sizeof what, "row %u is it", at);
        try(what, TOKEN, 200);
        grants[at] = before;
    }
    memcpy(grants[1].sha256, digest, sizeof digest);
    for (unsigned i = 0; i < sizeof TOKEN - 1; i++) { /* and every character of the token */
        memcpy(token, TOKEN, sizeof token);
        token[i] ^= 1;
        snprintf(what, sizeof what, "the token differs in character %u", i);
        try(what, token, 401);
    }
    return 0;
}
