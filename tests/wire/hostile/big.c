/* big.c -- a file of 16 MiB leaves a server with the memory of the tiny profile, over a link that
 * takes one byte at a time. The response is decoded as it comes and compared with the file.
 *
 * usage: big write DIR          a device folder with a text and a binary file, each as large as a
 *                               skill may be
 *        big check X.rom DIR    serves the image of it */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "count.h"
#include "skillrom.h"

#define SKILL_MAX ((size_t)16 << 20)
#define RAM_MAX 3072u /* of server and connection together, on a machine with 4-byte pointers */

static const char head[] =
    "---\nname: %s\ndescription: Holds one large file. Use it to see a large answer.\n---\nRead it.\n";

/* ---- Writing ---- */

/* Every character that escaping treats differently, and characters of two to four bytes, in
 * ever new order. */
static void write_text(FILE *out, size_t n)
{
    static const char *const pieces[] = {"plain words ",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "\r\n",
                                         "\t",
                                         "\b",
                                         "\f",
                                         "\x01",
                                         "\x1f",
                                         "/",
                                         "\x7f",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80",
                                         "</script>",
                                         "\xEF\xBF\xBD",
                                         "a"};
    struct dice d = {16};
    size_t count = sizeof pieces / sizeof pieces[0];

    while (n > 0) {
        const char *piece = n < 12 ? "a" : pieces[roll(&d, (unsigned)count)];
        fputs(piece, out);
        n -= strlen(piece);
    }
}

static void write_bytes(FILE *out, size_t n)
{
    struct dice d = {17};

    while (n-- > 0) {
        fputc((int)roll(&d, 256), out);
    }
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        perror(path);
        exit(2);
    }
    return f;
}

static void write_skill(const char *dir, const char *name, const char *file, void (*write)(FILE *out, size_t n))
{
    char folder[400], skill[200];
    size_t n = (size_t)snprintf(skill, sizeof skill, head, name);

    snprintf(folder, sizeof folder, "%s/skills/%s", dir, name);
    mkdir(folder, 0777);
    FILE *f = open_in(folder, "SKILL.md");
    fputs(skill, f);
    fclose(f);
    f = open_in(folder, file);
    write(f, SKILL_MAX - n);
    fclose(f);
}

static int write_device(const char *dir)
{
    char path[400];

    mkdir(dir, 0777);
    snprintf(path, sizeof path, "%s/skills", dir);
    mkdir(path, 0777);
    FILE *f = open_in(dir, "device.json");
    fputs("{\"name\":\"big\",\"version\":\"1\"}\n", f);
    fclose(f);
    write_skill(dir, "big-text", "all.txt", write_text);
    write_skill(dir, "big-blob", "all.bin", write_bytes);
    return 0;
}

/* ---- Decoding, a byte at a time ---- */

struct decoder {
    const unsigned char *expected;
    size_t left;    /* of it */
    unsigned state; /* text: characters of an escape so far; base64: digits so far */
    uint32_t bits;
    bool wrong;
};

static void decoded(struct decoder *d, unsigned char byte)
{
    if (d->left == 0 || *d->expected != byte) {
        d->wrong = true;
        return;
    }
    d->expected++;
    d->left--;
}

static unsigned hex(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)(c - 'a' + 10);
}

static void unescape(struct decoder *d, char c)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";

    if (d->state == 0) {
        if (c == '\\') {
            d->state = 1;
        } else {
            decoded(d, (unsigned char)c);
        }
    } else if (d->state == 1 && c != 'u') {
        const char *at = strchr(letters, c);
        d->wrong |= at == NULL || c == '\0';
        decoded(d, at != NULL ? (unsigned char)meanings[at - letters] : 0);
        d->state = 0;
    } else {
        d->bits = d->state == 1 ? 0 : d->bits << 4 | hex(c);
        if (++d->state == 6) {
            decoded(d, (unsigned char)d->bits);
            d->wrong |= d->bits > 0x1F;
            d->state = 0;
        }
    }
}

static void unbase64(struct decoder *d, char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c == '=' ? digits : strchr(digits, c);

    d->wrong |= at == NULL || c == '\0';
    d->bits = d->bits << 6 | (uint32_t)(at != NULL ? at - digits : 0);
    if (++d->state == 4) {
        for (unsigned i = 0; i < 3 && (i == 0 || d->left > 0); i++) { /* padding stands for no byte */
            decoded(d, (unsigned char)(d->bits >> (16 - 8 * i)));
        }
        d->state = 0;
    }
}

/* ---- Checking ---- */

static struct skr_server server; /* all the memory there is */
static struct skr_conn link_to_client;

static void *map(const char *path, size_t *n)
{
    struct stat st;
    int fd = open(path, O_RDONLY);

    if (fd < 0 || fstat(fd, &st) != 0) {
        perror(path);
        exit(2);
    }
    *n = (size_t)st.st_size;
    void *p = mmap(NULL, *n, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    return p;
}

/* The next byte of the response, -1 at its end. */
static int next_byte(void)
{
    const void *bytes;

    if (skr_conn_tx(&link_to_client, &bytes) == 0) {
        return -1;
    }
    int byte = *(const unsigned char *)bytes;
    skr_conn_tx_done(&link_to_client, 1);
    return byte;
}

static bool starts_with(const char *text)
{
    for (; *text != '\0'; text++) {
        if (next_byte() != (unsigned char)*text) {
            return false;
        }
    }
    return true;
}

static bool response_is(const char *path, const char *mime, const char *member,
                        void (*decode)(struct decoder *d, char c), struct decoder *d, size_t *sent)
{
    char request[512], opening[512];

    snprintf(request, sizeof request,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://"
             "%s\",\"_meta\":{"
             "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/"
             "clientCapabilities\":{}}}}\n",
             path);
    snprintf(opening, sizeof opening,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"contents\":[{\"uri\":"
             "\"skill://%s\","
             "\"mimeType\":\"%s\",\"%s\":\"",
             path, mime, member);
    for (size_t i = 0; request[i] != '\0'; i++) { /* also one byte at a time in */
        if (skr_conn_rx(&link_to_client, &request[i], 1) != 1) {
            return false;
        }
    }
    if (!starts_with(opening)) {
        return false;
    }
    int byte;
    while ((byte = next_byte()) >= 0 && !d->wrong && !(byte == '"' && d->state == 0)) {
        decode(d, (char)byte);
        ++*sent;
    }
    bool ends = byte == '"' && d->left == 0 && !d->wrong && starts_with("}],\"ttlMs\":");
    while ((byte = next_byte()) >= 0 && byte != '\n') {
        ++*sent;
    }
    return ends && byte == '\n' && next_byte() == -1;
}

static void check_file(const char *dir, const char *path, const char *mime, const char *member,
                       void (*decode)(struct decoder *d, char c))
{
    char name[512];
    size_t n, sent = 0;

    snprintf(name, sizeof name, "%s/skills/%s", dir, path);
    unsigned char *source = map(name, &n);
    struct decoder d = {source, n, 0, 0, false};
    bool good = response_is(path, mime, member, decode, &d, &sent);
    count(good, "%s: %zu bytes left one by one as %zu and are the file's", path, n, sent);
    munmap(source, n);
}

static int check(const char *rom, const char *dir)
{
    static const struct skr_device nothing;
    size_t n, ram = sizeof server + sizeof link_to_client;
    void *image = map(rom, &n);

    if (skr_server_init(&server, &nothing, image, n) != 0) {
        count(false, "the image is mounted");
        return count_end();
    }
    printf("server %zu bytes, connection %zu bytes, with pointers of %zu bytes\n", sizeof server, sizeof link_to_client,
           sizeof(void *));
    count(sizeof(void *) > 4 || ram <= RAM_MAX,
          "server and connection: %zu bytes (the limit of %u holds for 4-byte pointers)", ram, RAM_MAX);
    skr_conn_open(&link_to_client, &server, SKR_LINE);
    check_file(dir, "big-text/all.txt", "text/plain", "text", unescape);
    check_file(dir, "big-blob/all.bin", "application/octet-stream", "blob", unbase64);
    return count_end();
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "write") == 0) {
        return write_device(argv[2]);
    }
    if (argc == 4 && strcmp(argv[1], "check") == 0) {
        return check(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: big write DIR | big check X.rom DIR\n");
    return 2;
}
