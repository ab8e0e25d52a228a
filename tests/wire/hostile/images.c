/* images.c -- images that a hostile hand, or a dying flash, has altered. Mounting may refuse
 * them; if it does not, a whole session over them must stay inside the image. The image lies
 * in a heap block of exactly its size, and every byte of every response is read.
 *
 * usage: images ROUNDS [SEED]   rounds of random damage; the same damage in every run with the same seed */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "peer.h"
#include "skr_args.h"

#define RESPONSE_MAX (64u << 20) /* far more than the small image can rightly make */
#define LEAN                                                                                                           \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/list\",\"params\":{\"_meta\":{"                                 \
    "\"dev.skillrom/form\":\"lean\"}}}\n"
#define SUBSCRIBE(uri)                                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"" uri "\"}}\n"
#define PING "{\"jsonrpc\":\"2.0\",\"id\":777,\"method\":\"ping\"}\n"
#define PONG "{\"jsonrpc\":\"2.0\",\"id\":777,\"result\":{}}\n"

static char *image; /* the copy being spoiled */
static size_t size;
static unsigned refused, accepted, broken;

static struct romfs_header *header(void)
{
    return (void *)image;
}

static void fit_checksum(void)
{
    size_t from = offsetof(struct romfs_header, version);

    if (header()->meta_size > from && header()->meta_size <= size) {
        header()->crc = romfs_crc32(0, image + from, header()->meta_size - from);
    }
}

static void blame(const char *flaw)
{
    if (broken++ < 5) {
        printf("       %s\n", flaw);
        for (size_t i = 0; i < size; i++) {
            if (image[i] != (char)peer.image.p[i]) {
                printf("       byte %zu: %02x instead of %02x\n", i, (unsigned char)image[i], peer.image.p[i]);
            }
        }
    }
}

/* ---- A session ---- */

/* A URI of the image as a JSON string, whatever bytes it is made of. */
static const char *uri_of(const struct romfs *fs, const struct romfs_node *node)
{
    static char text[2000];
    size_t n = 0;
    struct romfs_text parts[2] = {fs->header->base, node->path};

    for (unsigned i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < parts[i].len && n < sizeof text - 16; k++) {
            unsigned char c = (unsigned char)romfs_at(fs, parts[i])[k];
            n += (size_t)snprintf(text + n, 8, c >= 0x20 && c < 0x7F && c != '"' && c != '\\' ? "%c" : "\\u%04x", c);
        }
    }
    text[n] = '\0';
    return text;
}

static void exchange(const char *method, const char *members)
{
    peer_exchange(peer_modern(method, members));
    if (peer.out.n > RESPONSE_MAX) {
        blame("a response does not end");
    } else if (peer.out.n == 0 || peer.out.p[peer.out.n - 1] != '\n') {
        blame("a response's line does not end");
    }
}

static void exchange_uri(const char *method, const char *uri)
{
    char members[2100];

    snprintf(members, sizeof members, "\"uri\":\"%s\"", uri);
    exchange(method, members);
}

static void read_everything(const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->nodes.count && i < 40; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        const char *uri = uri_of(fs, node);
        exchange_uri((node->flags & ROMFS_DIR) != 0 ? "resources/directory/read" : "resources/read", uri);
        if (node->skill != ROMFS_NONE) {
            exchange_uri("skills/get", uri);
            exchange_uri("resources/list", uri);
        }
    }
}

/* What the older dialects show of a skill: its instructions, files, links and archives. */
static void read_dialects(void)
{
    static const char *const names[] = {"alpha", "beta", "hidden"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char members[200];
        snprintf(members, sizeof members, "\"name\":\"%s\",\"arguments\":{\"who\":\"x\"}", names[i]);
        exchange("skills/get", members);
        exchange("prompts/get", members);
        exchange("skills/activate", members);
        exchange("skills/read", members);
    }
    peer_exchange(LEAN);
    exchange("skills/read_reference", "\"name\":\"hidden\",\"reference\":\"runner\"");
    exchange("skills/read_reference", "\"name\":\"alpha\",\"reference\":\"my notes\"");
    exchange("skills/execute", "\"name\":\"hidden\",\"script\":\"run\",\"arguments\":{}");
    exchange("tools/call", "\"name\":\"hidden.run\"");
    exchange("tools/call", "\"name\":\"list_skills\",\"arguments\":{\"query\":\"SIGHT\"}");
    exchange("tools/call", "\"name\":\"read_skill\",\"arguments\":{\"name\":\"alpha\",\"path\":\"data/all.txt\","
                           "\"offset\":130,\"length\":9}");
    exchange_uri("resources/list", "skill://");
    exchange_uri("resources/read", "skill://index.json");
    exchange_uri("resources/read", "skill://alpha.zip");
    exchange_uri("resources/read", "skill://hidden.tar.gz");
}

static void walk_lists(void)
{
    static const char *const lists[] = {"server/discover",          "skills/list", "resources/list",
                                        "resources/templates/list", "tools/list",  "prompts/list"};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        exchange(lists[i], "");
    }
}

static void session(void)
{
    peer_open(SKR_LINE);
    walk_lists();
    read_everything(peer.server.fs);
    read_dialects();
    exchange_uri("resources/read", "skill://alpha/long.txt");
    exchange("tools/call", "\"name\":\"echo\"");
    exchange("prompts/get", "\"name\":\"greet\",\"arguments\":{\"who\":\"x\",\"tone\":\"y\"}");
    exchange("prompts/get", "\"name\":\"plain\"");
    exchange("completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"skill://{name}/SKILL.md\"},"
                                    "\"argument\":{\"name\":\"name\",\"value\":\"\"}");
    exchange("completion/complete", "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"skill://{+path}\"},"
                                    "\"argument\":{\"name\":\"path\",\"value\":\"a\"}");
    exchange("completion/complete", "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},"
                                    "\"argument\":{\"name\":\"who\",\"value\":\"\"}");
    if (strcmp(peer_exchange(PING), PONG) != 0) {
        blame("a ping after the session is not answered as it should be");
    }
}

#if SKR_HTTP
/* Over HTTP the length is promised first: it is kept, or the connection ends. */
static void http_session(void)
{
    static const char *const paths[] = {"long.txt", "data/all.txt", "data/bytes.bin", "zeros.bin"};

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        char headers[200], body[400];
        peer_open(SKR_HTTP_1);
        snprintf(headers, sizeof headers,
                 "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: resources/read\r\nMcp-Name: "
                 "skill://alpha/%s\r\n",
                 paths[i]);
        snprintf(body, sizeof body,
                 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"skill://"
                 "alpha/%s\"," META "}}",
                 paths[i]);
        peer_exchange(peer_post(headers, body));
        const char *end = memmem(peer.out.p, peer.out.n, "\r\n\r\n", 4),
                   *length = memmem(peer.out.p, peer.out.n, "Content-Length: ", 16);
        size_t sent = peer.out.n - (size_t)(end + 4 - (const char *)peer.out.p),
               promised = strtoul(length + 16, NULL, 10);
        if (sent > promised) {
            blame("more bytes than Content-Length promised");
        } else if (sent < promised && !skr_conn_finished(&peer.conn)) {
            blame("fewer bytes than Content-Length promised, and the connection goes on");
        }
    }
}
#endif

#if SKR_CHANGES
/* The image comes in place of the sound one, under a client that watches some of it. */
static void swapped_session(void)
{
    peer_serve(peer.image.p, peer.image.n);
    peer_open(SKR_LINE);
    skr_server_can_swap(&peer.server, true);
    peer_initialize(NULL);
    peer_exchange(SUBSCRIBE("skill://index.json"));
    peer_exchange(SUBSCRIBE("skill://hidden.zip"));
    if (skr_server_swap(&peer.server, image, size) != ROMFS_OK) {
        blame("mounted, but not taken in place of another");
    }
    peer_drain();
}
#endif

/* Stands in for a port that runs scripts, so that every script of the image has a handler. */
static int run_script(struct skr_call *call)
{
    skr_put_span(call, skr_args_json(call));
    return 0;
}

static const struct skr_tool *script_of(void *context, const struct romfs *fs, const struct romfs_file *file)
{
    static const struct skr_tool runner = {.name = "runner", .run = run_script};

    (void)context;
    (void)fs;
    (void)file;
    return &runner;
}

static void try_image(void)
{
    static struct skr_device device;
    int error = peer_serve(image, size);

    if (error == ROMFS_OK) {
        accepted++;
        device = sample_device;
        device.script = script_of;
        peer.server.device = &device;
        session();
#if SKR_HTTP
        http_session();
#endif
#if SKR_CHANGES
        swapped_session();
#endif
        return;
    }
    refused++;
    if (strcmp(romfs_reason(error), romfs_reason(12345)) == 0) {
        blame("refused without a reason");
    }
}

/* ---- Damage ---- */

static void spoil_anew(void)
{
    memcpy(image, peer.image.p, size);
}

/* Puts a fresh copy into a block of exactly n bytes. */
static void place(size_t n)
{
    free(image);
    image = sample_exact_copy(peer.image.p, n);
    size = n;
}

static void report(const char *what)
{
    count(broken == 0, "%s: %u refused, %u served", what, refused, accepted);
    refused = accepted = broken = 0;
}

#define FEW_ROUNDS 2000 /* up to these it is to be quick */

static const uint8_t patterns[] = {0x01, 0x80, 0xFF};

static void flipped_bytes_with_the_old_checksum(void)
{
    uint32_t meta = header()->meta_size;
    unsigned wrong = 0;

    for (size_t at = 0; at < size; at++) {
        for (size_t i = 0; i < sizeof patterns; i++) {
            image[at] = (char)((uint8_t)image[at] ^ patterns[i]);
            unsigned before = accepted;
            if (at < meta || at % 12 == i) { /* data is taken as it is; a part of it will do here */
                try_image();
            }
            wrong += at < meta && accepted > before;
            image[at] = (char)peer.image.p[at];
        }
    }
    count(wrong == 0, "no flipped byte before the file data is accepted under the old checksum");
    report("flipped bytes, old checksum");
}

/* Every byte, in every way or only in one of them. */
static void flipped_bytes_with_a_fitting_checksum(bool every_pattern)
{
    uint32_t meta = header()->meta_size;

    for (size_t at = 0; at < meta; at++) {
        for (size_t i = every_pattern ? 0 : at % sizeof patterns; i < sizeof patterns;
             i += every_pattern ? 1 : sizeof patterns) {
            image[at] = (char)((uint8_t)image[at] ^ patterns[i]);
            fit_checksum();
            try_image();
            spoil_anew();
        }
    }
    report("flipped bytes, fitting checksum");
}

/* Numbers are where the danger is: every word, with values that are next to some border. */
static void words_at_the_border(void)
{
    uint32_t meta = header()->meta_size, records = header()->prompt_parts.off + 12 * header()->prompt_parts.count;

    for (size_t at = 8; at < records; at += 4) {
        uint32_t old;
        memcpy(&old, peer.image.p + at, 4);
        const uint32_t values[] = {0,
                                   1,
                                   3,
                                   old + 1,
                                   old - 1,
                                   old + 4,
                                   meta,
                                   meta - 1,
                                   meta + 1,
                                   (uint32_t)size,
                                   (uint32_t)size - 1,
                                   0x7FFFFFFF,
                                   0x80000000u,
                                   0xFFFFFFFEu,
                                   0xFFFFFFFFu,
                                   0u - old};
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
            memcpy(image + at, &values[i], 4);
            fit_checksum();
            try_image();
            spoil_anew();
        }
    }
    report("words at a border, fitting checksum");
}

static void truncations(void)
{
    size_t whole = peer.image.n;

    for (size_t n = 0; n < whole; n++) {
        place(n);
        try_image(); /* as it is: refused */
        if (n >= sizeof(struct romfs_header)) {
            header()->size = (uint32_t)n; /* and with a header that admits it */
            header()->meta_size = header()->meta_size > n ? (uint32_t)n : header()->meta_size;
            fit_checksum();
            try_image();
        }
    }
    place(whole);
    report("images cut at every length");
}

static void random_damage(unsigned rounds, unsigned seed)
{
    struct dice d = {seed};
    uint32_t meta = header()->meta_size;

    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned bites = 1 + roll(&d, 6); bites > 0; bites--) {
            uint32_t value = roll(&d, 3) == 0 ? roll(&d, (unsigned)size) : roll(&d, 0xFFFFFFFFu);
            size_t at = roll(&d, 4) == 0 ? roll(&d, (unsigned)size) : roll(&d, meta);
            size_t n = 1u + roll(&d, 4);
            at = roll(&d, 2) == 0 ? at & ~(size_t)3 : at;
            memcpy(image + at, &value, n < size - at ? n : size - at);
        }
        if (roll(&d, 8) > 0) { /* keep it recognizable, so that the deeper checks are reached */
            memcpy(image, peer.image.p, roll(&d, 2) == 0 ? 24 : offsetof(struct romfs_header, window));
        }
        fit_checksum();
        try_image();
        spoil_anew();
    }
    char what[64];
    snprintf(what, sizeof what, "%u rounds of random damage", rounds);
    report(what);
}

int main(int argc, char **argv)
{
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : FEW_ROUNDS;
    unsigned seed = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 19700101;

    for (unsigned deflated = 0; deflated <= SKR_DEFLATE; deflated++) {
        peer_start(SKR_LINE, deflated ? 512 : 0);
        printf("an image of %zu bytes, %s\n", peer.image.n, deflated ? "deflated" : "raw");
        place(peer.image.n);
        try_image();
        count(accepted == 1, "the sound image is served");
        report("the sound image");
        flipped_bytes_with_the_old_checksum();
        flipped_bytes_with_a_fitting_checksum(rounds > FEW_ROUNDS);
        words_at_the_border();
        truncations();
        random_damage(rounds, seed);
    }
    return count_end();
}
