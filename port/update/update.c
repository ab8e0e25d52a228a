/* update.c -- see update.h.
 *
 * Every decision is a whole new record in the next sector of the ring, which is erased right before; nothing is ever
 * changed in place. An operation that is cut may leave cells that read one way today and another way tomorrow. Hence:
 *
 *   1. Whatever cannot be undone, erasing a slot or answering a client, comes after a record that was written to its end
 *      since this reset.
 *   2. The record before the newest is never the next to be erased.
 *   3. Every sector of a slot is erased right before it is written, whatever it reads.
 *   4. A record counts only if the sector before it does not hold another record than its predecessor: after a start
 *      from an older record, a newer one that reads whole again has another past.
 *
 * Marks at the end of a record's sector only save work: which parts of an upload are whole. An upload that goes on
 * after a reset has a new record, so a flag that a cut has left halfway does not matter. */
#include "update.h"

#include <string.h>

#include "romfs.h"
#include "sha256.h"
#include "update_record.h"

#define FLAG 8u /* bytes of a flag; in a larger unit the rest stays blank */

/* ---- Flash ---- */

/* Programs n bytes, the last unit filled with blanks. */
static bool program(const struct skr_flash *flash, uint32_t at, const uint8_t *bytes, uint32_t n)
{
    uint8_t last[SKR_FLASH_UNIT_MAX];
    uint32_t rest = n & (flash->unit - 1);

    if (n > rest && !flash->program(flash->context, at, bytes, n - rest)) {
        return false;
    }
    if (rest > 0) {
        memset(last, flash->blank, flash->unit);
        memcpy(last, bytes + n - rest, rest);
        return flash->program(flash->context, at + n - rest, last, flash->unit);
    }
    return true;
}

static uint32_t record_at(const struct skr_update_config *c, uint32_t i)
{
    return c->records + i * c->record_size;
}

static uint32_t other_image(const struct skr_update *u)
{
    return u->config->images[1 - u->force];
}

/* ---- Marks ---- */

static uint32_t flag_size(const struct skr_update_config *c)
{
    return c->flash->unit > FLAG ? c->flash->unit : FLAG;
}

/* Into how many parts an upload is divided: as many as there is room for flags. */
static uint32_t parts_of(const struct skr_update_config *c)
{
    uint32_t size = flag_size(c);
    uint32_t flags = (c->record_size - (SKR_STATE_RECORD_SIZE + size - 1) / size * size) / size;

    return flags < SKR_UPDATE_PARTS ? flags : SKR_UPDATE_PARTS;
}

static uint32_t flag_at(const struct skr_update *u, uint32_t flag)
{
    const struct skr_update_config *c = u->config;

    return record_at(c, u->at) + c->record_size - (flag + 1) * flag_size(c);
}

static void flag_bytes(const struct skr_update *u, uint32_t flag, uint8_t bytes[FLAG])
{
    uint32_t sum = u->crc ^ 0x9E3779B9u * (flag + 1);

    for (unsigned i = 0; i < FLAG / 2; i++) {
        bytes[i] = (uint8_t)(sum >> 8 * i);
        bytes[i + FLAG / 2] = (uint8_t)~bytes[i];
    }
}

/* Whether a flag reads as it should, or with `blank` as erased. */
static bool flag_reads(const struct skr_update *u, uint32_t flag, bool blank)
{
    const struct skr_flash *flash = u->config->flash;
    uint8_t there[FLAG], wanted[FLAG];

    flag_bytes(u, flag, wanted);
    if (blank) {
        memset(wanted, flash->blank, FLAG);
    }
    return flash->read(flash->context, flag_at(u, flag), there, FLAG) && memcmp(there, wanted, FLAG) == 0;
}

/* Where a cut has left something else there will be no flag: after a reset the upload goes on a little earlier. */
static void put_flag(const struct skr_update *u, uint32_t flag)
{
    uint8_t bytes[FLAG];

    if (flag_reads(u, flag, true)) {
        flag_bytes(u, flag, bytes);
        (void)program(u->config->flash, flag_at(u, flag), bytes, FLAG);
    }
}

/* ---- Records ---- */

static bool read_record(const struct skr_update_config *c, uint32_t i, uint8_t bytes[SKR_STATE_RECORD_SIZE],
                        struct skr_state_record *r)
{
    return c->flash->read(c->flash->context, record_at(c, i), bytes, SKR_STATE_RECORD_SIZE) &&
           skr_state_record_read(bytes, r);
}

/* The same, if it counts (4). */
static bool record_counts(const struct skr_update_config *c, uint32_t i, uint8_t bytes[SKR_STATE_RECORD_SIZE],
                          struct skr_state_record *r)
{
    struct skr_state_record before;
    bool replaced = read_record(c, i > 0 ? i - 1 : c->record_count - 1, bytes, &before);

    return read_record(c, i, bytes, r) && !(replaced && before.crc != r->previous);
}

static void take_record(struct skr_update *u, uint32_t i, const uint8_t *bytes, const struct skr_state_record *r)
{
    struct romfs_release release;

    (void)romfs_release_read(bytes + SKR_STATE_RECORD_RELEASE, &release);
    u->at = i;
    u->crc = r->crc;
    u->sequence = r->sequence;
    u->force = r->force;
    u->writing = r->writing;
    u->min_key = r->min_key;
    u->number = r->number;
    u->coming = release.number;
    u->size = release.size;
    u->next_min_key = release.min_key;
}

/* The release in the other slot, which is in the newest record. */
static bool read_release(const struct skr_update *u, uint8_t release[ROMFS_RELEASE_SIZE])
{
    const struct skr_flash *flash = u->config->flash;

    return u->writing && flash->read(flash->context, record_at(u->config, u->at) + SKR_STATE_RECORD_RELEASE, release,
                                     ROMFS_RELEASE_SIZE);
}

/* Writes the next record, and takes it. With a release the other slot gets it, of which `parts` are whole; without one
 * the other slot holds nothing. */
static bool put_record(struct skr_update *u, unsigned force, uint32_t parts, const uint8_t *release)
{
    const struct skr_update_config *c = u->config;
    uint32_t next = u->at + 1 < c->record_count ? u->at + 1 : 0;
    bool changes = force != u->force;
    uint8_t bytes[SKR_STATE_RECORD_SIZE];
    struct skr_state_record r = {
        .sequence = skr_state_record_after(u->sequence),
        .number = changes ? u->coming : u->number,
        .force = (uint8_t)force,
        .parts = (uint8_t)parts,
        .min_key = changes ? u->next_min_key : u->min_key,
        .writing = release != NULL,
        .previous = u->crc,
    };

    skr_state_record_write(bytes, &r, release);
    if (!c->flash->erase(c->flash->context, record_at(c, next), c->record_size) ||
        !program(c->flash, record_at(c, next), bytes, SKR_STATE_RECORD_SIZE) || !read_record(c, next, bytes, &r)) {
        return false;
    }
    take_record(u, next, bytes, &r);
    u->settled = true;
    return true;
}

/* ---- Starting ---- */

bool skr_update_is_valid(const struct skr_update_config *c)
{
    uint32_t unit = c->flash->unit;

    return unit > 0 && unit <= SKR_FLASH_UNIT_MAX && (unit & (unit - 1)) == 0 && c->sector > 0 && c->room > 0 &&
           c->sector % unit == 0 && c->room % c->sector == 0 && c->record_size % unit == 0 &&
           c->record_size >= SKR_STATE_RECORD_SIZE + 2 * flag_size(c) && c->record_count >= SKR_UPDATE_RECORDS_MIN;
}

void skr_update_open(struct skr_update *u, const struct skr_update_config *config)
{
    uint8_t bytes[SKR_STATE_RECORD_SIZE];
    struct skr_state_record r;

    memset(u, 0, sizeof *u);
    u->config = config;
    u->at = config->record_count;
    for (uint32_t i = 0; i < config->record_count; i++) {
        if (record_counts(config, i, bytes, &r) &&
            (u->at == config->record_count || skr_state_record_is_ahead(r.sequence, u->sequence))) {
            take_record(u, i, bytes, &r);
        }
    }
}

unsigned skr_update_slot(const struct skr_update *u)
{
    return u->trial ? 1u - u->force : u->force;
}

/* ---- Beginning ---- */

/* How many sectors are written when this many parts are. */
static uint32_t sectors_of(const struct skr_update *u, uint32_t parts)
{
    uint32_t sectors = (u->size + u->config->sector - 1) / u->config->sector;

    return sectors * parts / parts_of(u->config);
}

static enum skr_update_error check_release(const struct skr_update *u, const uint8_t *bytes)
{
    const struct skr_update_config *c = u->config;
    char interface_id[2 * ROMFS_INTERFACE_SIZE + 1];
    struct romfs_release r;

    if (!romfs_release_read(bytes, &r)) {
        return SKR_UPDATE_NOT_RELEASE;
    }
    if (memcmp(r.product, c->product, sizeof c->product) != 0) {
        return SKR_UPDATE_OTHER_PRODUCT;
    }
    romfs_sha256_hex(r.interface_id, ROMFS_INTERFACE_SIZE, interface_id);
    if (c->interface_id != NULL && memcmp(interface_id, c->interface_id, sizeof interface_id) != 0) {
        return SKR_UPDATE_OTHER_INTERFACE;
    }
    if (r.number == u->number) {
        return SKR_UPDATE_SAME;
    }
    /* A thief of a key may have used up the numbers: the release that withdraws the key may have any. */
    if (r.number < u->number && r.min_key <= u->min_key) {
        return SKR_UPDATE_OLD;
    }
    if (r.size > c->room) {
        return SKR_UPDATE_TOO_LARGE;
    }
    return r.key >= c->key_count || r.key < u->min_key || r.min_key < u->min_key ? SKR_UPDATE_OTHER_KEY : SKR_UPDATE_OK;
}

static bool is_signed(const struct skr_update_config *c, const uint8_t *release)
{
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, digest);
    return c->is_signed(c->keys[release[12]], digest, release + ROMFS_RELEASE_SIGNED);
}

/* How many parts of the release in the newest record are whole. */
static uint32_t parts_written(const struct skr_update *u)
{
    uint8_t before;
    const struct skr_flash *flash = u->config->flash;
    uint32_t parts = parts_of(u->config);

    while (parts > 0 && !flag_reads(u, parts - 1, false)) {
        parts--;
    }
    if (!flash->read(flash->context, record_at(u->config, u->at) + SKR_STATE_RECORD_PARTS, &before, 1)) {
        return 0;
    }
    return parts > before ? parts : before;
}

enum skr_update_error skr_update_begin(struct skr_update *u, const uint8_t release[ROMFS_RELEASE_SIZE],
                                       uint32_t *offset)
{
    uint8_t held[ROMFS_RELEASE_SIZE];
    bool same = read_release(u, held) && memcmp(held, release, ROMFS_RELEASE_SIZE) == 0;
    enum skr_update_error error = !u->trial ? check_release(u, release) : same ? SKR_UPDATE_OK : SKR_UPDATE_ON_TRIAL;

    if (error != SKR_UPDATE_OK) {
        return error;
    }
    if (!u->trial && !(u->open && same)) {
        if (!is_signed(u->config, release)) {
            return SKR_UPDATE_NOT_SIGNED;
        }
        u->open = false;
        uint32_t parts = same ? parts_written(u) : 0;
        if (!put_record(u, u->force, parts, release)) {
            return SKR_UPDATE_FLASH;
        }
        uint32_t written = sectors_of(u, parts) * u->config->sector;
        u->offset = written < u->size ? written : u->size;
        u->open = true;
    }
    *offset = u->offset;
    return SKR_UPDATE_OK;
}

/* ---- Writing ---- */

/* Marks the last part that is whole when this many sectors are, if there is one. */
static void flag_part(const struct skr_update *u, uint32_t sectors)
{
    uint32_t parts = parts_of(u->config);

    while (parts > 0 && sectors_of(u, parts) > sectors) {
        parts--;
    }
    if (parts > 0 && sectors_of(u, parts) == sectors) {
        put_flag(u, parts - 1);
    }
}

/* Writes up to the end of a sector at most. Returns how many bytes; 0 when the flash failed. */
static uint32_t write_some(struct skr_update *u, const uint8_t *bytes, uint32_t n)
{
    const struct skr_update_config *c = u->config;
    uint32_t at = other_image(u) + u->offset, into = u->offset % c->sector;

    n = n < c->sector - into ? n : c->sector - into;
    if ((into == 0 && !c->flash->erase(c->flash->context, at, c->sector)) || !program(c->flash, at, bytes, n)) {
        return 0;
    }
    u->offset += n;
    if (into + n == c->sector || u->offset == u->size) {
        flag_part(u, (u->offset + c->sector - 1) / c->sector);
    }
    return n;
}

/* Whether n bytes may be written at this offset. */
static enum skr_update_error check_write(const struct skr_update *u, uint32_t offset, uint32_t n)
{
    if (!u->open) {
        return SKR_UPDATE_NOT_BEGUN;
    }
    bool whole = (n & (u->config->flash->unit - 1)) == 0;
    return offset > u->offset || n > u->size - offset || (offset & (u->config->flash->unit - 1)) != 0 ||
                   (!whole && n != u->size - offset)
               ? SKR_UPDATE_GAP
               : SKR_UPDATE_OK;
}

enum skr_update_error skr_update_write(struct skr_update *u, uint32_t offset, const void *bytes, uint32_t n)
{
    const uint8_t *from = bytes;
    enum skr_update_error error = check_write(u, offset, n);

    if (error != SKR_UPDATE_OK) {
        return error;
    }
    for (uint32_t done = u->offset - offset; done < n;) {
        uint32_t some = write_some(u, from + done, n - done);
        if (some == 0) {
            u->open = false;
            return SKR_UPDATE_FLASH;
        }
        done += some;
    }
    return SKR_UPDATE_OK;
}

enum skr_update_error skr_update_copy(struct skr_update *u, uint32_t offset, uint32_t from, uint32_t n)
{
    const struct skr_update_config *c = u->config;
    uint8_t some[SKR_FLASH_UNIT_MAX];
    enum skr_update_error error = check_write(u, offset, n);

    if (error == SKR_UPDATE_OK && (from > c->room || n > c->room - from)) {
        error = SKR_UPDATE_GAP;
    }
    for (uint32_t done = 0, k; error == SKR_UPDATE_OK && done < n; done += k) {
        k = n - done < sizeof some ? n - done : (uint32_t)sizeof some;
        error = c->flash->read(c->flash->context, c->images[u->force] + from + done, some, k)
                    ? skr_update_write(u, offset + done, some, k)
                    : SKR_UPDATE_FLASH;
    }
    return error;
}

/* ---- Ending ---- */

static bool is_digest_right(const struct skr_update *u, const uint8_t *release)
{
    const struct skr_flash *flash = u->config->flash;
    uint8_t some[SKR_UPDATE_CHUNK], digest[ROMFS_SHA256_SIZE];
    struct romfs_sha256 hash;

    romfs_sha256_start(&hash);
    for (uint32_t done = 0, n; done < u->size; done += n) {
        n = u->size - done < sizeof some ? u->size - done : (uint32_t)sizeof some;
        if (!flash->read(flash->context, other_image(u) + done, some, n)) {
            return false;
        }
        romfs_sha256_add(&hash, some, n);
    }
    romfs_sha256_finish(&hash, digest);
    return memcmp(release + 32, digest, ROMFS_SHA256_SIZE) == 0;
}

enum skr_update_error skr_update_commit(struct skr_update *u)
{
    uint8_t release[ROMFS_RELEASE_SIZE];

    if (u->trial) {
        return SKR_UPDATE_OK;
    }
    if (!u->open || u->offset != u->size) {
        return u->open ? SKR_UPDATE_GAP : SKR_UPDATE_NOT_BEGUN;
    }
    u->open = false;
    if (!read_release(u, release) || !is_digest_right(u, release)) {
        (void)put_record(u, u->force, 0, NULL); /* so that begin starts over */
        return SKR_UPDATE_DAMAGED;
    }
    u->trial = true;
    return SKR_UPDATE_OK;
}

/* After a reset the newest record may be one that a cut has left, which reads whole today only: it is written again
 * (1). */
static bool settle(struct skr_update *u)
{
    uint8_t release[ROMFS_RELEASE_SIZE];
    bool held = read_release(u, release);

    return u->settled || put_record(u, u->force, held ? parts_written(u) : 0, held ? release : NULL);
}

enum skr_update_error skr_update_confirm(struct skr_update *u, uint32_t number)
{
    if (!u->trial || number != u->coming) {
        return number != u->number ? SKR_UPDATE_NOT_BEGUN : settle(u) ? SKR_UPDATE_OK : SKR_UPDATE_FLASH;
    }
    if (!put_record(u, 1u - u->force, 0, NULL)) {
        return SKR_UPDATE_FLASH;
    }
    u->trial = false;
    return SKR_UPDATE_OK;
}

void skr_update_revert(struct skr_update *u)
{
    u->trial = false;
}
