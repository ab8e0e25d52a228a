/* update_steps.c -- see update_steps.h. */
#include "update_steps.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "console.h"
#include "json_edit.h"
#include "sha256.h"
#include "text/encode.h"
#include "text/hex.h"
#include "text/json_scan.h"
#include "text/number.h"

#define PART_MAX 6144 /* bytes sent at a time, so that progress is shown */
#define COPY_MAX 8192 /* bytes copied at a time: a device erases its sectors meanwhile */
#define BEGINS 5      /* how often an upload is taken up again after the device was reset */
#define LOSSES 5      /* how often in a row the connection may break without a byte more */
#define CRC_DIGITS 8

/* ---- The file ---- */

static bool refuse_file(const char *path, const char *why)
{
    host_log("%s: %s", path, why);
    return false;
}

bool client_release_open(struct client_release *release, const char *path)
{
    struct stat status;
    uint8_t digest[ROMFS_SHA256_SIZE];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 || fstat(fd, &status) != 0) {
        host_log("%s: %s; give the release that `skillrom sign` wrote", path, strerror(errno));
        return false;
    }
    bool fits = S_ISREG(status.st_mode) && status.st_size > (off_t)ROMFS_RELEASE_SIZE && status.st_size < 0x7FFFFFFF;
    const void *bytes = fits ? mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED || !romfs_release_read(bytes, &release->head)) {
        return refuse_file(path, "not a release; make it with `skillrom sign`");
    }
    release->path = path;
    release->file = bytes;
    release->image = release->file + ROMFS_RELEASE_SIZE;
    size_t size = (size_t)status.st_size - ROMFS_RELEASE_SIZE;
    romfs_sha256_of(release->image, size, digest);
    if (release->head.size != size || memcmp(digest, release->head.sha256, sizeof digest) != 0) {
        return refuse_file(path, "the file is damaged: its image is not the signed one; copy it again");
    }
    return true;
}

/* ---- How it ends ---- */

static void update_end(struct client_update *u, enum client_update_end how, const char *why)
{
    u->end = how;
    (void)snprintf(u->why, sizeof u->why, "%s", why);
}

/* With the device's own words. */
static void end_refused(struct client_update *u, struct skr_span message)
{
    char text[sizeof u->why];
    size_t n = host_json_text(skr_scan_inside(message), text, sizeof text);

    update_end(u, CLIENT_UPDATE_FAILED, "the device refused it, and gave no reason");
    if (n > 0 && n < sizeof text) {
        (void)host_printable(u->why, sizeof u->why, text, n);
    }
}

/* ---- What the device reports of itself ---- */

/* A number above 0; 0 for anything else: skr_number_int takes every byte for a digit. */
static uint32_t number_in(struct skr_span object, const char *name)
{
    int32_t value;
    struct skr_span number = skr_scan_get(object, name);
    bool is_number = number.n > 0 && *number.p >= '0' && *number.p <= '9';

    return is_number && skr_number_int(number, &value) ? (uint32_t)value : 0;
}

/* A CRC-32 of CRC_DIGITS hex digits. False when one is not a digit. */
static bool read_crc(const char *digits, uint32_t *out)
{
    uint8_t bytes[CRC_DIGITS / 2] = {0};
    bool valid = skr_hex_read(digits, sizeof bytes, bytes);

    *out = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
    return valid;
}

static bool hex_in(struct skr_span object, const char *name, uint8_t bytes[8])
{
    struct skr_span text = skr_scan_inside(skr_scan_get(object, name));

    return text.n == 16 && skr_hex_read(text.p, 8, bytes);
}

static void take_status(struct client_update *u, struct skr_span result)
{
    u->number = number_in(result, "number");
    u->device.coming = number_in(result, "coming");
    u->device.room = number_in(result, "room");
    u->device.unit = number_in(result, "unit");
    u->device.part = number_in(result, "part");
    u->device.keys = number_in(result, "keys");
    u->device.min_key = number_in(result, "minKey");
    u->device.trial = skr_scan_is(skr_scan_get(result, "state"), "trial");
    if (!hex_in(result, "product", u->device.product)) {
        memset(u->device.product, 0, sizeof u->device.product);
    }
    u->device.has_interface = hex_in(result, "interface", u->device.interface_id);
}

/* The reason why the device would refuse the release, or NULL. Only the device can check the signature: it has the
 * keys. */
static const char *update_obstacle(const struct client_update *u)
{
    const struct romfs_release *release = &u->release->head;

    if (u->device.unit == 0 || u->device.unit > CLIENT_PLAN_BLOCK || (u->device.unit & (u->device.unit - 1)) != 0 ||
        u->device.part < u->device.unit) {
        return "the device's limits do not allow updates: its request buffer is too small";
    }
    if (u->device.has_interface && memcmp(u->device.interface_id, release->interface_id, ROMFS_INTERFACE_SIZE) != 0) {
        return "tools or resources differ from those of the firmware; update the firmware first";
    }
    if (release->number < u->number && release->min_key <= u->device.min_key) {
        return "the release is older than the one in force; sign it again with a larger number";
    }
    if (release->size > u->device.room) {
        return "the image does not fit the slot; make it smaller";
    }
    return release->key >= u->device.keys || release->key < u->device.min_key
               ? "signed with a key that this device does not have or no longer trusts; use a newer key"
               : NULL;
}

/* ---- Results, in the order of the steps ---- */

/* Goes on after a refusal, whose reason is in u->why, unless that was the last attempt. */
static void begin_again(struct client_update *u)
{
    u->step = CLIENT_STEP_STATUS;
    if (u->begins++ < BEGINS) {
        update_end(u, CLIENT_UPDATE_GOES_ON, "");
    }
}

static void after_commit(struct client_update *u, struct skr_span result)
{
    if (number_in(result, "coming") != u->release->head.number) {
        update_end(u, CLIENT_UPDATE_FAILED,
                   "a release of another client is on trial; run this again after it has ended");
        return;
    }
    u->offset = u->release->head.size;
    u->step = CLIENT_STEP_READ;
    if (!u->goal.confirm) {
        update_end(u, CLIENT_UPDATE_ON_TRIAL, "");
    }
}

static void after_plan(struct client_update *u)
{
    if (!u->planned) {
        client_plan_make(&u->plan, u->release->image, u->release->head.size, u->device.unit);
        u->planned = true;
    }
    u->step = CLIENT_STEP_BEGIN;
    if (u->goal.dry_run) {
        update_end(u, CLIENT_UPDATE_PLANNED, "");
    }
}

static void after_status(struct client_update *u, struct skr_span result)
{
    const struct romfs_release *release = &u->release->head;

    take_status(u, result);
    if (u->goal.revert) {
        u->step = CLIENT_STEP_REVERT;
        return;
    }
    if (memcmp(u->device.product, release->product, sizeof u->device.product) != 0) {
        update_end(u, CLIENT_UPDATE_OTHER, "the release is for another product; sign it with this product's name");
        return;
    }
    const char *why = update_obstacle(u);
    bool on_trial = u->device.trial && u->device.coming == release->number;
    if (why != NULL) {
        update_end(u, CLIENT_UPDATE_UNFIT, why);
    } else if (release->number == u->number) {
        u->step = CLIENT_STEP_COMPARE;
    } else if (u->device.trial && !on_trial) {
        update_end(u, CLIENT_UPDATE_UNFIT, "another release is on trial; confirm or revert it first");
    } else if (u->begins > 0 && u->device.coming != 0 && u->device.coming != release->number) {
        update_end(u, CLIENT_UPDATE_FAILED, "another client sends another release; run this again after it has ended");
    } else if (u->goal.check) {
        update_end(u, CLIENT_UPDATE_CHECKED, "");
    } else if (on_trial && u->goal.dry_run) {
        update_end(u, CLIENT_UPDATE_PLANNED, "");
    } else if (on_trial) {
        u->step = CLIENT_STEP_BEGIN; /* whether it is this one */
    } else if (u->goal.full || u->planned) {
        after_plan(u);
    } else {
        u->step = CLIENT_STEP_BLOCKS;
    }
}

/* A release with this number is in force. An image of the same size and CRC is this one; another one was signed with
 * the same number by mistake. */
static void after_compare(struct client_update *u, struct skr_span result)
{
    const struct romfs_release *release = &u->release->head;
    struct skr_span crc = skr_scan_inside(skr_scan_get(result, "crc"));
    uint32_t value = 0;
    bool same = number_in(result, "size") == release->size && crc.n == CRC_DIGITS && read_crc(crc.p, &value) &&
                value == romfs_crc32(0, u->release->image, release->size);

    u->step = CLIENT_STEP_CONFIRM; /* again: the device may have been reset before it was written to the end */
    if (!same) {
        update_end(u, CLIENT_UPDATE_UNFIT,
                   "another image is in force with the number of this release; sign this one with a larger number");
    } else if (!u->goal.confirm || u->goal.check || u->goal.dry_run) {
        update_end(u, CLIENT_UPDATE_HAS, "");
    }
}

static void after_blocks(struct client_update *u, struct skr_span result)
{
    struct skr_span crcs = skr_scan_inside(skr_scan_get(result, "crc"));
    uint32_t next = number_in(result, "next"), before = u->plan.block_count;

    for (size_t i = 0; i + CRC_DIGITS <= crcs.n && u->plan.block_count < CLIENT_PLAN_BLOCKS; i += CRC_DIGITS) {
        (void)read_crc(crcs.p + i, &u->plan.crcs[u->plan.block_count++]); /* commit finds a wrong one */
    }
    if (next <= u->blocks_at || u->plan.block_count == before || u->plan.block_count == CLIENT_PLAN_BLOCKS) {
        after_plan(u);
    }
    u->blocks_at = next;
}

static void after_begin(struct client_update *u, struct skr_span result)
{
    u->offset = number_in(result, "offset");
    u->resumed = u->offset;
    u->begun = true;
    u->plan.next = 0;
    u->step = u->offset < u->release->head.size ? CLIENT_STEP_WRITE : CLIENT_STEP_COMMIT;
    if (u->offset > u->release->head.size) {
        update_end(u, CLIENT_UPDATE_FAILED, "the device reports an offset beyond the image");
    }
}

static void after_write(struct client_update *u)
{
    u->offset += u->part;
    u->sent += u->copies ? 0 : u->part;
    u->step = u->offset < u->release->head.size ? CLIENT_STEP_WRITE : CLIENT_STEP_COMMIT;
}

/* The file that is read back: the first skill of the image. NULL when there is none. */
static const struct romfs_node *first_skill(const struct client_update *u, struct romfs *fs)
{
    bool mounted = romfs_mount(fs, u->release->image, u->release->head.size) == ROMFS_OK;

    return mounted && fs->header->listed > 0 ? &fs->nodes[fs->skills[0].node] : NULL;
}

static void after_read(struct client_update *u, struct skr_span result)
{
    struct romfs fs;
    const struct romfs_node *node = first_skill(u, &fs);
    struct skr_span contents = skr_scan_get(result, "contents"), item;
    struct skr_span text = skr_scan_item(&contents, &item) ? skr_scan_inside(skr_scan_get(item, "text")) : NOTHING;
    bool plain = node != NULL && (node->flags & (ROMFS_ESCAPED | ROMFS_DEFLATE)) == ROMFS_ESCAPED;

    u->step = CLIENT_STEP_CONFIRM;
    if (text.p == NULL ||
        (plain && !skr_span_eq(text, (struct skr_span){(const char *)u->release->image + node->data, node->stored}))) {
        update_end(u, CLIENT_UPDATE_FAILED,
                   "the device sends another text than the release has; revert it with `skillrom update --revert`");
    }
}

void client_update_result(struct client_update *u, struct skr_span result)
{
    switch (u->step) {
    case CLIENT_STEP_STATUS: after_status(u, result); break;
    case CLIENT_STEP_REVERT:
        u->number = number_in(result, "number");
        update_end(u, CLIENT_UPDATE_REVERTED, "");
        break;
    case CLIENT_STEP_COMPARE: after_compare(u, result); break;
    case CLIENT_STEP_BLOCKS: after_blocks(u, result); break;
    case CLIENT_STEP_BEGIN: after_begin(u, result); break;
    case CLIENT_STEP_WRITE: after_write(u); break;
    case CLIENT_STEP_COMMIT: after_commit(u, result); break;
    case CLIENT_STEP_READ: after_read(u, result); break;
    case CLIENT_STEP_CONFIRM:
        update_end(u, u->number == u->release->head.number && !u->begun ? CLIENT_UPDATE_HAS : CLIENT_UPDATE_IN_FORCE,
                   "");
        break;
    }
}

void client_update_error(struct client_update *u, int code, struct skr_span message)
{
    if (u->step == CLIENT_STEP_STATUS && code == -32601) {
        update_end(u, CLIENT_UPDATE_OTHER,
                   "the device does not accept updates; its firmware needs SKR_UPDATE, or its program --update");
        return;
    }
    end_refused(u, message);
    if (u->step == CLIENT_STEP_WRITE) {
        begin_again(u);
    } else if (u->step == CLIENT_STEP_COMMIT && u->plan.run_count > 0) { /* a CRC has deceived: send everything */
        u->plan.run_count = 0;
        begin_again(u);
    }
}

void client_update_lost(struct client_update *u)
{
    u->losses = u->offset > u->lost_at ? 0 : u->losses + 1;
    u->lost_at = u->offset > u->lost_at ? u->offset : u->lost_at; /* a device may go back after each loss */
    u->step = CLIENT_STEP_STATUS;
    u->plan.block_count = u->planned ? u->plan.block_count : 0;
    u->blocks_at = 0;
    if (u->losses > LOSSES) {
        update_end(u, CLIENT_UPDATE_FAILED, "the connection broke each time; run this again to go on");
    }
}

uint32_t client_update_planned(const struct client_update *u)
{
    return u->device.trial ? 0 : u->release->head.size - client_plan_found(&u->plan);
}

void client_update_give_up(struct client_update *u, const char *why)
{
    update_end(u, CLIENT_UPDATE_FAILED, why);
}

/* ---- Requests ---- */

/* The end of a request. */
static void put_base64(struct client_update *u, size_t at, const uint8_t *bytes, size_t n)
{
    struct skr_carry carry = {.n = 0};
    struct skr_encoding e = {.from = (const char *)bytes, .n = n, .out = u->params + at, .room = sizeof u->params - at};

    skr_encode_base64(&e, &carry, true);
    memcpy(u->params + at + e.made, "\"}", 3);
}

static size_t put_format(struct client_update *u, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static size_t put_format(struct client_update *u, size_t at, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    int n = vsnprintf(u->params + at, sizeof u->params - at, format, values);
    va_end(values);
    return at + (size_t)n;
}

/* Sends or copies what is next. */
static void put_write(struct client_update *u)
{
    uint32_t from, n = client_plan_step(&u->plan, u->offset, u->release->head.size, &from);
    uint32_t part = u->device.part < PART_MAX ? u->device.part : PART_MAX;
    size_t at =
        put_format(u, 0, "{\"number\":%u,\"offset\":%u,", (unsigned)u->release->head.number, (unsigned)u->offset);

    u->copies = from != UINT32_MAX;
    if (u->copies) {
        u->part = n < COPY_MAX ? n : COPY_MAX;
        (void)put_format(u, at, "\"from\":%u,\"size\":%u}", (unsigned)from, (unsigned)u->part);
        return;
    }
    u->part = n < part ? n : part;
    put_base64(u, put_format(u, at, "\"data\":\""), u->release->image + u->offset, u->part);
}

static void put_uri(struct client_update *u)
{
    struct romfs fs;
    const struct romfs_node *node = first_skill(u, &fs);

    if (node != NULL) {
        (void)put_format(u, 0, "{\"uri\":\"%.*s%.*s\"}", (int)fs.header->base.len, romfs_at(&fs, fs.header->base),
                         (int)node->path.len, romfs_at(&fs, node->path));
    }
}

static const char *put_request(struct client_update *u)
{
    strcpy(u->params, "{}");
    switch (u->step) {
    case CLIENT_STEP_REVERT: return "skillrom/update/revert";
    case CLIENT_STEP_COMPARE:
        (void)put_format(u, 0, "{\"offset\":0,\"size\":%u}", (unsigned)u->release->head.size);
        return "skillrom/update/blocks";
    case CLIENT_STEP_BLOCKS:
        (void)put_format(u, 0, "{\"offset\":%u,\"size\":%u}", (unsigned)u->blocks_at, CLIENT_PLAN_BLOCK);
        return "skillrom/update/blocks";
    case CLIENT_STEP_BEGIN:
        put_base64(u, put_format(u, 0, "{\"release\":\""), u->release->file, ROMFS_RELEASE_SIZE);
        return "skillrom/update/begin";
    case CLIENT_STEP_WRITE: put_write(u); return "skillrom/update/write";
    case CLIENT_STEP_COMMIT: return "skillrom/update/commit";
    case CLIENT_STEP_READ: put_uri(u); return "resources/read";
    case CLIENT_STEP_CONFIRM:
        (void)put_format(u, 0, "{\"number\":%u}", (unsigned)u->release->head.number);
        return "skillrom/update/confirm";
    default: return "skillrom/update/status";
    }
}

void client_update_start(struct client_update *u, const struct client_release *release, struct client_update_goal goal)
{
    memset(u, 0, offsetof(struct client_update, plan));
    u->plan.block_count = u->plan.run_count = u->plan.next = 0;
    u->release = release;
    u->goal = goal;
}

bool client_update_next(struct client_update *u, struct client_update_request *request)
{
    struct romfs fs;

    if (u->end != CLIENT_UPDATE_GOES_ON) {
        return false;
    }
    if (u->step == CLIENT_STEP_READ && first_skill(u, &fs) == NULL) { /* nothing to read back */
        u->step = CLIENT_STEP_CONFIRM;
    }
    request->method = put_request(u);
    request->params = u->params;
    return true;
}
