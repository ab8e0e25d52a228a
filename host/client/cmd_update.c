/* cmd_update.c -- the command `skillrom update`: sends a release to a device, over any transport that `skillrom call` has. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "client.h"
#include "client_devices.h"
#include "clock.h"
#include "console.h"
#include "release.h"
#include "romfs.h"
#include "sha256.h"
#include "text/encode.h"
#include "text/json_scan.h"
#include "text/number.h"
#include "text/span.h"
#include "update_plan.h"

#define PART_MAX 6144    /* bytes sent at a time, so that progress is shown */
#define COPY_MAX 8192    /* bytes copied at a time: a device erases its sectors meanwhile */
#define BEGINS 5         /* how often an upload is taken up again after the device was reset */
#define PARAMS_MAX 16384 /* of a request that reads a skill back: its URI */
#define METHOD "skillrom/update/"

struct update_options {
    struct transport_devices devices;
    bool dry_run, confirm, revert, full;
};

/* clang-format off */
static const struct host_option rows[] = {
    HOST_FLAG("--dry-run", struct update_options, dry_run, "say what would be sent, and change nothing"),
    HOST_FLAG("--confirm", struct update_options, confirm,
        "confirm the release after reading a skill back; without it the release is on trial, and a reset of the device ends that"),
    HOST_FLAG("--revert", struct update_options, revert, "end the trial: the device serves the release in force again"),
    HOST_FLAG("--full", struct update_options, full, "send all bytes, even those that the device has"),
    TRANSPORT_ROWS(struct update_options, devices),
};
/* clang-format on */

static int update_main(int argc, char **argv);

const struct host_command client_update_command = {
    .name = "update",
    .run = update_main,
    .group = "Device",
    .summary = "send a signed release to a device",
    .usage = "URL|TTY RELEASE.rom [options]",
    .about =
        "Replaces the image of a device by a release that `skillrom sign` has made. What the device has already is not sent. An upload that "
        "was interrupted goes on where it was: run the command again. The device checks the signature before it erases anything, and the "
        "digest before it serves anything; its clients are notified that lists have changed.",
    HOST_ROWS(rows),
    .examples = {{"skillrom update http://127.0.0.1:7700/mcp lamp-2.rom --dry-run", "show what would be sent"},
                 {"skillrom update /dev/ttyACM0 lamp-2.rom --confirm",
                  "replace the manual of a device over a serial line"}},
    .operands = {"URL|TTY", "RELEASE.rom"},
    .least = 2,
    .most = 2,
};

static struct update_options options;
static struct client client = {.name = "skillrom update", .signals = -1};
static struct client_plan plan;

/* The release. */
static const char *path;
static const uint8_t *file, *image;
static struct romfs_release release;

/* What the device reports of itself. */
static struct {
    uint32_t number, coming, room, unit, part, keys, min_key;
    bool trial;
    uint8_t product[ROMFS_RELEASE_PRODUCT_SIZE], interface_id[ROMFS_INTERFACE_SIZE];
    bool has_interface;
} device;

/* ---- The file ---- */

static bool failed(const char *about, const char *why)
{
    host_log("%s: %s", about, why);
    return false;
}

static bool open_release(void)
{
    struct stat status;
    uint8_t digest[ROMFS_SHA256_SIZE];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) != 0) {
        return failed(path, strerror(errno));
    }
    bool fits = S_ISREG(status.st_mode) && status.st_size > (off_t)ROMFS_RELEASE_SIZE && status.st_size < 0x7FFFFFFF;
    const void *bytes = fits ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED || !romfs_release_read(bytes, &release)) {
        return failed(path, "not a release; make it with `skillrom sign`");
    }
    file = bytes;
    image = file + ROMFS_RELEASE_SIZE;
    sha256_of(image, (size_t)status.st_size - ROMFS_RELEASE_SIZE, digest);
    if (release.size != (uint64_t)status.st_size - ROMFS_RELEASE_SIZE ||
        memcmp(digest, release.sha256, sizeof digest) != 0) {
        return failed(path, "the file is damaged: its image is not the signed one; copy it again");
    }
    return true;
}

/* ---- Requests ---- */

static bool update_request(const char *step, const char *params, struct skr_span *result)
{
    char method[64];
    (void)snprintf(method, sizeof method, METHOD "%s", step);
    return client_get(&client, method, params, true, result);
}

static uint32_t number_in(struct skr_span object, const char *name)
{
    int32_t value;
    struct skr_span number = skr_scan_get(object, name);
    return number.p != NULL && skr_number_int(number, &value) && value > 0 ? (uint32_t)value : 0;
}

static bool hex_in(struct skr_span object, const char *name, uint8_t bytes[8])
{
    struct skr_span text = skr_scan_inside(skr_scan_get(object, name));
    for (size_t i = 0; i < 16 && text.n == 16; i++) {
        char c = text.p[i];
        bytes[i / 2] = (uint8_t)(bytes[i / 2] << 4 | (c <= '9' ? c - '0' : c - 'a' + 10));
    }
    return text.n == 16;
}

static void take_status(struct skr_span result)
{
    device.number = number_in(result, "number");
    device.coming = number_in(result, "coming");
    device.room = number_in(result, "room");
    device.unit = number_in(result, "unit");
    device.part = number_in(result, "part");
    device.keys = number_in(result, "keys");
    device.min_key = number_in(result, "minKey");
    device.trial = skr_scan_is(skr_scan_get(result, "state"), "trial");
    (void)hex_in(result, "product", device.product);
    device.has_interface = hex_in(result, "interface", device.interface_id);
}

/* What the device would refuse, before anything is sent. The signature only the device can check: it has the keys. */
static bool check_device(void)
{
    if (device.unit == 0 || device.unit > CLIENT_PLAN_BLOCK || (device.unit & (device.unit - 1)) != 0 ||
        device.part < device.unit) {
        return failed(options.devices.paths[0],
                      "the device's limits do not allow updates: its request buffer is too small");
    }
    const char *why =
        memcmp(device.product, release.product, sizeof device.product) != 0
            ? "the release is for another product; sign it with this product's name"
        : device.has_interface && memcmp(device.interface_id, release.interface_id, ROMFS_INTERFACE_SIZE) != 0
            ? "tools or resources differ from those of the firmware; update the firmware first"
        : release.number < device.number
            ? "the release is older than the one in force; sign it again with a larger number"
        : release.size > device.room ? "the image does not fit the slot; make it smaller"
        : release.key >= device.keys || release.key < device.min_key
            ? "signed with a key that this device does not have or no longer trusts; use a newer key"
            : NULL;
    return why == NULL || failed(path, why);
}

/* ---- What the device has ---- */

static bool read_blocks(void)
{
    char params[64];
    struct skr_span result;
    for (uint32_t at = 0;;) {
        (void)snprintf(params, sizeof params, "{\"offset\":%u,\"size\":%u}", (unsigned)at, CLIENT_PLAN_BLOCK);
        if (!update_request("blocks", params, &result)) {
            return false;
        }
        struct skr_span crcs = skr_scan_inside(skr_scan_get(result, "crc"));
        uint32_t next = number_in(result, "next");
        for (size_t i = 0; i + 8 <= crcs.n && plan.block_count < CLIENT_PLAN_BLOCKS; i += 8) {
            uint32_t crc = 0;
            for (size_t k = i; k < i + 8; k++) {
                crc = crc << 4 | (uint32_t)(crcs.p[k] <= '9' ? crcs.p[k] - '0' : crcs.p[k] - 'a' + 10);
            }
            plan.crcs[plan.block_count++] = crc;
        }
        if (next <= at || plan.block_count == CLIENT_PLAN_BLOCKS) {
            return true;
        }
        at = next;
    }
}

/* ---- Uploading ---- */

static uint64_t since_ms, shown_ms;
static uint32_t sent; /* bytes of the image, since `since_ms` */

static void show_progress(uint32_t offset, bool last)
{
    char line[120];
    uint64_t now_ms = host_clock_ms(), took_ms = now_ms - since_ms + 1;
    if (host_console.quiet || !isatty(STDERR_FILENO) || (!last && now_ms - shown_ms < 200)) {
        return;
    }
    shown_ms = now_ms;
    uint64_t speed = (uint64_t)sent * 1000 / took_ms, left = speed > 0 ? (release.size - offset) / speed : 0;
    int n = snprintf(line, sizeof line, "\r\033[K%u of %u bytes, %u%%, %u bytes/s, %u s left%s", (unsigned)offset,
                     (unsigned)release.size, (unsigned)((uint64_t)offset * 100 / release.size), (unsigned)speed,
                     (unsigned)left, last ? "\n" : "");
    (void)host_write_all(STDERR_FILENO, line, (size_t)n);
}

static size_t to_base64(const uint8_t *bytes, size_t n, char *to, size_t room)
{
    struct skr_carry carry = {.n = 0};
    struct skr_encoding e = {.from = (const char *)bytes, .n = n, .out = to, .room = room};
    skr_encode_base64(&e, &carry, true);
    return e.made;
}

/* Asks where to begin. */
static bool begin(uint32_t *offset)
{
    char params[256];
    struct skr_span result;
    int n = snprintf(params, sizeof params, "{\"release\":\"");
    n += (int)to_base64(file, ROMFS_RELEASE_SIZE, params + n, sizeof params - (size_t)n);
    memcpy(params + n, "\"}", 3);
    if (!update_request("begin", params, &result)) {
        return false;
    }
    *offset = number_in(result, "offset");
    return *offset <= release.size;
}

/* Sends or copies what is next. */
static bool send_next(uint32_t *offset)
{
    static char params[PART_MAX / 3 * 4 + 128];
    struct skr_span result;
    uint32_t from, n = client_plan_step(&plan, *offset, release.size, &from);
    int at =
        snprintf(params, sizeof params, "{\"number\":%u,\"offset\":%u,", (unsigned)release.number, (unsigned)*offset);
    if (from != UINT32_MAX) {
        n = n < COPY_MAX ? n : COPY_MAX;
        (void)snprintf(params + at, sizeof params - (size_t)at, "\"from\":%u,\"size\":%u}", (unsigned)from,
                       (unsigned)n);
    } else {
        uint32_t part = device.part < PART_MAX ? device.part : PART_MAX;
        n = n < part ? n : part;
        at += snprintf(params + at, sizeof params - (size_t)at, "\"data\":\"");
        at += (int)to_base64(image + *offset, n, params + at, sizeof params - (size_t)at);
        memcpy(params + at, "\"}", 3);
    }
    if (!update_request("write", params, &result)) {
        return false;
    }
    sent += n;
    *offset += n;
    return true;
}

static bool upload(void)
{
    uint32_t offset;
    for (unsigned begins = 0; begins < BEGINS; begins++) {
        if (!begin(&offset)) {
            return false;
        }
        if (offset > 0) {
            host_log("going on after %u of %u bytes", (unsigned)offset, (unsigned)release.size);
        }
        plan.next = 0;
        since_ms = host_clock_ms();
        sent = 0;
        while (offset < release.size && send_next(&offset)) {
            show_progress(offset, false);
        }
        if (offset == release.size) {
            show_progress(offset, true);
            return true;
        }
    }
    return failed(options.devices.paths[0], "the device was reset too often; run this again to go on");
}

/* ---- Trying and confirming ---- */

/* Compares the first skill of the image with what the device sends of it now. */
static bool reads_back(void)
{
    static char params[PARAMS_MAX];
    struct romfs fs;
    struct skr_span result, contents, item;
    if (romfs_mount(&fs, image, release.size) != ROMFS_OK || fs.header->listed == 0) {
        return romfs_mount(&fs, image, release.size) == ROMFS_OK || failed(path, "its image cannot be mounted");
    }
    const struct romfs_node *node = &fs.nodes[fs.skills[0].node];
    (void)snprintf(params, sizeof params, "{\"uri\":\"%.*s%.*s\"}", (int)fs.header->base.len,
                   romfs_at(&fs, fs.header->base), (int)node->path.len, romfs_at(&fs, node->path));
    if (!client_get(&client, "resources/read", params, true, &result)) {
        return false;
    }
    contents = skr_scan_get(result, "contents");
    struct skr_span text = skr_scan_item(&contents, &item) ? skr_scan_inside(skr_scan_get(item, "text")) : NOTHING;
    bool plain = (node->flags & (ROMFS_ESCAPED | ROMFS_DEFLATE)) == ROMFS_ESCAPED;
    if (text.p == NULL ||
        (plain && !skr_span_eq(text, (struct skr_span){(const char *)image + node->data, node->stored}))) {
        return failed(options.devices.paths[0],
                      "the device sends another text than the release has; revert it with --revert");
    }
    return true;
}

static bool confirm(void)
{
    char params[48];
    struct skr_span result;
    (void)snprintf(params, sizeof params, "{\"number\":%u}", (unsigned)release.number);
    return reads_back() && update_request("confirm", params, &result);
}

static bool revert(void)
{
    struct skr_span result;
    if (!update_request("revert", "{}", &result)) {
        return false;
    }
    host_log("%s: release %u is in force", options.devices.paths[0], (unsigned)number_in(result, "number"));
    return true;
}

/* Uploads, and puts the release on trial; sends everything if a CRC has deceived. */
static bool put_on_trial(void)
{
    struct skr_span result;
    if (!upload()) {
        return false;
    }
    if (update_request("commit", "{}", &result)) {
        return true;
    }
    if (plan.run_count == 0) {
        return false;
    }
    plan.run_count = 0;
    return upload() && update_request("commit", "{}", &result);
}

static bool print_plan(void)
{
    uint32_t found = client_plan_found(&plan);
    host_log("%s: release %u of %u bytes for %s, which has release %u; %u bytes are to be sent", path,
             (unsigned)release.number, (unsigned)release.size, options.devices.paths[0], (unsigned)device.number,
             (unsigned)(release.size - found));
    return true;
}

static bool run(void)
{
    struct skr_span result;
    if (!update_request("status", "{}", &result)) {
        return false;
    }
    take_status(result);
    if (options.revert) {
        return revert();
    }
    if (!check_device()) {
        return false;
    }
    if (release.number == device.number) {
        host_log("%s: release %u is in force already", options.devices.paths[0], (unsigned)device.number);
        return true;
    }
    bool on_trial = device.trial && device.coming == release.number;
    if (!on_trial && !options.full && !read_blocks()) {
        return false;
    }
    client_plan_make(&plan, image, release.size, device.unit);
    if (options.dry_run) {
        return print_plan();
    }
    if ((!on_trial && !put_on_trial()) || (options.confirm && !confirm())) {
        return false;
    }
    host_log("%s: release %u is %s", options.devices.paths[0], (unsigned)release.number,
             options.confirm ? "in force" : "on trial until --confirm, --revert or a reset");
    return true;
}

static int update_main(int argc, char **argv)
{
    transport_devices_init(&options.devices);
    int count = host_command_read(&client_update_command, &options, argc, argv);
    if (count < 0 || !transport_devices_add(&options.devices, argv[1]) || !transport_devices_check(&options.devices)) {
        return options.devices.bad_file ? 1 : 2;
    }
    path = argv[2];
    if (!transport_devices_check_ports(&options.devices) || !open_release()) {
        return 1;
    }
    client_use(&client, &options.devices);
    bool done = run();
    client_close(&client);
    return done ? 0 : 1;
}
