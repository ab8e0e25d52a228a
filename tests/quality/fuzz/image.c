/* image.c -- damaged images whose checksum fits: mounted, everything in them read directly, then asked for through the core.
 *
 * Mounting proves every offset and length, so that nothing after it may leave the image; sanitizers watch, the image being exactly as
 * long as it says. Besides: each path is found at its own record, a file gives no more than the size recorded for it, and an archive
 * is as long as promised. What the JSON in an image says is trusted, so what the core sends is not judged here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../unit/stale.h"
#include "../../wire/conformance/device/device.h"
#include "archive.h"
#include "inflate.h"
#include "skillrom.h"
#include "unescape.h"

#define FILE_MAX_READ (1u << 20) /* of one file: enough to see that it does not end where it should */
#define SENT_MAX (1u << 20)      /* of one session */
#define MANY 40                  /* records of a kind that are looked at */

static volatile uint32_t sink;

static void touch(const void *bytes, size_t n)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < n; i++) {
        sum += ((const uint8_t *)bytes)[i];
    }
    sink += sum;
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "image: it does not hold that %s\n", what);
        abort();
    }
}

/* ---- The reader ---- */

static void read_content(const struct romfs *fs, const struct romfs_node *file)
{
    const uint8_t *bytes;
    size_t n, total = 0;

    touch(fs->image + file->data, file->stored);
    touch(fs->image + file->digest, ROMFS_DIGEST_SIZE);
    if (file->flags & ROMFS_DEFLATE) {
        static struct romfs_inflate inflate;
        uint8_t *window = malloc(fs->header->window);
        romfs_inflate_start(&inflate, fs, file, window);
        while (total < FILE_MAX_READ && (n = romfs_inflate_next(&inflate, &bytes)) > 0) {
            touch(bytes, n);
            total += n;
        }
        free(window);
    } else if (file->flags & ROMFS_ESCAPED) {
        struct romfs_unescape unescape;
        romfs_unescape_start(&unescape, fs->image + file->data, file->stored);
        while (total < FILE_MAX_READ && (n = romfs_unescape_next(&unescape, 1 + total % 70, &bytes)) > 0) {
            touch(bytes, n);
            total += n;
        }
        touch(fs->image + file->data, romfs_escaped_at(fs, file, file->size / 2));
        return; /* the texts of an image are trusted: romfs_texts_are_sound */
    }
    must(total <= file->size || total >= FILE_MAX_READ, "a file gives no more than its size");
}

static void read_nodes(const struct romfs *fs)
{
    for (uint32_t i = 0; i < fs->header->nodes.count && i < MANY; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        touch(romfs_at(fs, node->name), node->name.len);
        touch(romfs_at(fs, node->mime), node->mime.len);
        must(romfs_find(fs, romfs_at(fs, node->path), node->path.len) == node, "a path is found at its own record");
        if (node->flags & ROMFS_DIR) {
            touch(&fs->nodes[node->data], node->stored * sizeof *node);
        } else {
            read_content(fs, node);
        }
    }
}

static void read_archive(const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind, bool sound)
{
    struct romfs_archive archive;
    const uint8_t *bytes;
    size_t n, total = 0;
    uint32_t promised = romfs_archive_size(fs, skill, kind);

    romfs_archive_start(&archive, fs, skill, kind);
    while (total < FILE_MAX_READ && (n = romfs_archive_next(&archive, &bytes)) > 0) {
        touch(bytes, n);
        total += n;
    }
    must(!sound || promised == 0 || total >= FILE_MAX_READ || total == promised, "an archive is as long as promised");
}

/* `sound`: the escaped texts are as long as recorded, which archives rely on. */
static void read_skills(const struct romfs *fs, bool sound)
{
    for (uint32_t i = 0; i < fs->header->skills.count && i < MANY; i++) {
        const struct romfs_skill *skill = &fs->skills[i];
        touch(romfs_at(fs, skill->entry), skill->entry.len);
        touch(romfs_at(fs, skill->metadata), skill->metadata.len);
        touch(romfs_at(fs, skill->extra), skill->extra.len);
        if ((skill->flags & ROMFS_NO_ARCHIVE) == 0) {
            read_archive(fs, i, ROMFS_ZIP, sound);
            read_archive(fs, i, ROMFS_TAR_GZ, sound);
        }
    }
}

/* ---- A session ---- */

static struct skr_server *server;
static struct skr_conn *conn;
static size_t sent;

static void exchange(const char *method, const char *members)
{
    static char line[8000];
    const void *bytes;
    size_t n;
    int length = snprintf(
        line, sizeof line,
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s%s\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":"
        "\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n",
        method, members, members[0] != '\0' ? "," : "");

    if (length < (int)sizeof line && sent < SENT_MAX) {
        (void)skr_conn_rx(conn, line, (size_t)length);
        while (sent < SENT_MAX && (n = skr_conn_tx(conn, &bytes)) > 0) {
            touch(bytes, n);
            skr_conn_tx_done(conn, n);
            sent += n;
        }
    }
}

/* A member with a text of the image as its value, made harmless. */
static const char *member(const char *name, const struct romfs *fs, struct romfs_text before, struct romfs_text text,
                          const char *behind)
{
    static char buffer[3000];
    size_t n = (size_t)snprintf(buffer, sizeof buffer, "\"%s\":\"", name);
    const struct romfs_text parts[2] = {before, text};

    for (int i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < parts[i].len && k < 200; k++) {
            unsigned char c = (unsigned char)romfs_at(fs, parts[i])[k];
            n += (size_t)snprintf(buffer + n, sizeof buffer - n,
                                  c >= 0x20 && c < 0x7F && c != '"' && c != '\\' ? "%c" : "\\u%04x", c);
        }
    }
    (void)snprintf(buffer + n, sizeof buffer - n, "%s\"", behind);
    return buffer;
}

static void serve(const struct romfs *fs)
{
    static const char *const lists[] = {"server/discover",          "skills/list", "resources/list",
                                        "resources/templates/list", "tools/list",  "prompts/list"};
    const struct romfs_text none = {0, 0};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        exchange(lists[i], "");
    }
    exchange("resources/read", "\"uri\":\"skill://index.json\"");
    for (uint32_t i = 0; i < fs->header->nodes.count && i < MANY / 2; i++) {
        const struct romfs_node *node = &fs->nodes[i];
        exchange(node->flags & ROMFS_DIR ? "resources/directory/read" : "resources/read",
                 member("uri", fs, fs->header->base, node->path, ""));
        if (node->skill != ROMFS_NONE) {
            exchange("skills/get", member("uri", fs, fs->header->base, node->path, ""));
            exchange("resources/read", member("uri", fs, fs->header->base, node->path, ".tar.gz"));
        }
    }
    for (uint32_t i = 0; i < fs->header->skills.count && i < 6; i++) {
        struct romfs_text name = fs->skills[i].path;
        exchange("skills/activate", member("name", fs, none, name, ""));
        exchange("skills/read", member("name", fs, none, name, ""));
        exchange("prompts/get", member("name", fs, none, name, ""));
    }
    for (uint32_t i = 0; i < fs->header->prompts.count && i < 6; i++) {
        exchange("prompts/get",
                 member("name", fs, none, fs->prompts[i].name, "\",\"arguments\":{\"who\":\"x\"},\"more\":\""));
    }
    exchange(
        "completion/complete",
        "\"ref\":{\"type\":\"ref/resource\",\"uri\":\"skill://{+path}\"},\"argument\":{\"name\":\"path\",\"value\":\"a\"}");
}

/* Lengths and checksum fit, so that more than the first check is reached. */
static void fix_digests(uint8_t *image, size_t size)
{
    struct romfs_header *header = (void *)image;

    memcpy(header->magic, ROMFS_MAGIC, sizeof header->magic);
    header->version = ROMFS_VERSION;
    if (header->size > size || header->size % 4 != 0) {
        header->size = (uint32_t)(size & ~(size_t)3);
    }
    if (header->meta_size > header->size) {
        header->meta_size = header->size;
    }
    if (header->meta_size > offsetof(struct romfs_header, version)) {
        header->crc = romfs_crc32(0, &header->version, header->meta_size - offsetof(struct romfs_header, version));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct romfs fs;

    if (size < sizeof(struct romfs_header)) {
        return 0;
    }
    uint8_t *image = malloc(size);
    memcpy(image, data, size);
    fix_digests(image, size);
    int error = romfs_mount(&fs, image, size);
    touch(romfs_reason(error), strlen(romfs_reason(error)));
    if (error == ROMFS_OK) {
        read_nodes(&fs);
        read_skills(&fs, romfs_texts_are_sound(&fs));
        make_stale(server, sizeof *server);
        if (skr_server_init(server, &conformance_device, image, size) == 0) {
            sent = 0;
            make_stale(conn, sizeof *conn);
            skr_conn_open(conn, server, SKR_LINE);
            serve(&fs);
            skr_conn_close(conn);
        }
    }
    free(image);
    return 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    server = malloc(sizeof *server);
    conn = malloc(sizeof *conn);
    return 0;
}
