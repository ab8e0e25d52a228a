/* update_file.c -- see update_file.h.
 *
 * The file has the records first, then the two slots, of equal size. Slots are served from a mapping of the file, so only
 * this program may write to it: it takes a lock. Records reach the disk before and after whatever follows them. */
#include "update_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../update/update_ec.h"
#include "console.h"
#include "digest.h"
#include "romfs.h"
#include "sha256.h"
#include "update_key.h"

#define SECTOR 4096u
#define RECORDS 4u
#define SLOTS_AT (RECORDS * SECTOR)
#define UNIT 8u
#define ROOM_MIN (1u << 20)    /* of a slot; more for an image that is larger than a quarter of it */
#define ROOM_MAX (0x40000000u) /* so that the whole file is below 4 GiB */
#define PIECE 256u /* written at a time, as a flash would: a program that is killed leaves part of a sector */

static int fd = -1;
static const char *name;
static uint8_t keys[SKR_POSIX_UPDATE_KEYS][ROMFS_RELEASE_KEY_SIZE];
static char interface_id[2 * ROMFS_INTERFACE_SIZE + 1];
static const void *slots[2];
static struct skr_server_update update;

static bool failed(const char *path, const char *why)
{
    host_log("%s: %s", path, why);
    return false;
}

/* ---- The flash ---- */

static bool write_all(uint32_t at, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t done = 0; done < n;) {
        uint32_t some = n - done < PIECE ? n - done : PIECE;
        ssize_t k = pwrite(fd, bytes + done, some, (off_t)(at + done));
        if (k < 0 && errno != EINTR) {
            return false;
        }
        done += k > 0 ? (uint32_t)k : 0;
    }
    return true;
}

static bool flash_read(void *context, uint32_t at, void *to, uint32_t n)
{
    (void)context;
    return pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

/* A record must not reach the disk before what it is about. */
static bool settle(uint32_t at)
{
    return at >= SLOTS_AT || fsync(fd) == 0;
}

/* A client learns only that the flash failed. */
static bool flash_program(void *context, uint32_t at, const void *bytes, uint32_t n)
{
    (void)context;
    return (settle(at) && write_all(at, bytes, n) && settle(at)) || failed(name, strerror(errno));
}

static bool flash_erase(void *context, uint32_t at, uint32_t n)
{
    uint8_t blank[SECTOR];

    memset(blank, 0xFF, sizeof blank);
    return n == sizeof blank && flash_program(context, at, blank, n);
}

static const struct skr_flash flash = {
    .unit = UNIT, .blank = 0xFF, .read = flash_read, .erase = flash_erase, .program = flash_program};

static struct skr_update_config config = {.flash = &flash,
                                          .sector = SECTOR,
                                          .record_size = SECTOR,
                                          .record_count = RECORDS,
                                          .interface_id = interface_id,
                                          .keys = (const uint8_t (*)[ROMFS_RELEASE_KEY_SIZE])keys,
                                          .is_signed = skr_update_is_signed};

/* ---- The file ---- */

static uint32_t room_for(size_t image)
{
    uint64_t room = ((uint64_t)image * 4 + SECTOR - 1) / SECTOR * SECTOR;

    return room < ROOM_MIN ? ROOM_MIN : room > ROOM_MAX ? ROOM_MAX : (uint32_t)room;
}

/* Writes a new file beside its place, and moves it there whole: one that was cut is never found. */
static bool make_file(const char *path, const struct posix_image *image)
{
    char beside[POSIX_PATH + 8];
    size_t n = strlen(path);
    uint32_t room = room_for(image->size);

    if (n >= POSIX_PATH || image->size > room) {
        return failed(path, n >= POSIX_PATH ? "the name is too long" : "the image is too large for a slot");
    }
    memcpy(beside, path, n);
    memcpy(beside + n, ".new", 5);
    fd = open(beside, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool well = fd >= 0 && ftruncate(fd, (off_t)SLOTS_AT + 2 * (off_t)room) == 0 &&
                write_all(SLOTS_AT, image->bytes, (uint32_t)image->size) && fsync(fd) == 0 && rename(beside, path) == 0;
    return well || failed(path, strerror(errno));
}

/* Opens it, or makes it; sets the geometry. */
static bool open_file(const char *path, const struct posix_image *image)
{
    struct stat status;

    name = path;
    fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 && (errno != ENOENT || !make_file(path, image))) {
        return errno == ENOENT ? false : failed(path, strerror(errno));
    }
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        return failed(path, "in use by another program");
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return failed(path, "not a file; --update makes it if it does not exist");
    }
    uint64_t rest = (uint64_t)status.st_size - SLOTS_AT;
    if ((uint64_t)status.st_size <= SLOTS_AT || rest % (2 * SECTOR) != 0 || rest / 2 > ROOM_MAX) {
        return failed(path, "not a file that --update has made; give another name");
    }
    config.room = (uint32_t)(rest / 2);
    config.images[0] = SLOTS_AT;
    config.images[1] = SLOTS_AT + config.room;
    return true;
}

/* A key that is there twice could not be withdrawn: its second row would still be trusted. */
static bool read_keys(const struct posix_options *options)
{
    for (size_t i = 0; i < options->update_key_count; i++) {
        if (!posix_update_key_read(options->update_keys[i], keys[i])) {
            return false;
        }
        for (size_t j = 0; j < i; j++) {
            if (memcmp(keys[i], keys[j], sizeof keys[i]) == 0) {
                host_log("%s: the same key as %s; give that of its successor", options->update_keys[i],
                         options->update_keys[j]);
                return false;
            }
        }
    }
    config.key_count = (uint8_t)options->update_key_count;
    return true;
}

/* A disk may lose what was verified when it was sent. `given` is the image of the command line, which an existing file replaces. */
static bool check_in_force(const struct posix_options *options, const void *slot, const struct romfs *given)
{
    unsigned number = (unsigned)update.update.number;
    struct romfs fs;
    int error = romfs_mount(&fs, slot, config.room);

    if (error != ROMFS_OK || !romfs_is_intact(&fs)) {
        host_log(
            "%s: the image of release %u, which is in force, is damaged: %s; remove the file to begin with %s again",
            name, number, error != ROMFS_OK ? romfs_reason(error) : ROMFS_NOT_INTACT, options->image);
        return false;
    }
    if (fs.header->size != given->header->size || memcmp(slot, given->image, fs.header->size) != 0) {
        host_log("%s: release %u is in force, instead of %s%s", name, number, options->image,
                 number == 0 ? "; remove the file to begin with this image" : "");
    }
    return true;
}

bool posix_update_file_open(const struct posix_options *options, struct skr_server *server, struct posix_image *image)
{
    uint8_t digest[ROMFS_SHA256_SIZE];
    struct romfs given;

    if (romfs_mount(&given, image->bytes, image->size) != ROMFS_OK) {
        return failed(options->image, "not an image");
    }
    romfs_sha256_hex(given.header->interface_id, ROMFS_INTERFACE_SIZE, interface_id);
    romfs_sha256_of(options->product, strlen(options->product), digest);
    memcpy(config.product, digest, sizeof config.product);
    if (!read_keys(options) || !open_file(options->update, image)) {
        return false;
    }
    const uint8_t *all = mmap(NULL, SLOTS_AT + 2 * (size_t)config.room, PROT_READ, MAP_SHARED, fd, 0);
    if (all == MAP_FAILED) {
        return failed(options->update, strerror(errno));
    }
    slots[0] = all + config.images[0];
    slots[1] = all + config.images[1];
    const void *in_force = skr_server_update_open(&update, &config, server, slots);
    if (!check_in_force(options, in_force, &given)) {
        return false;
    }
    posix_image_release(image);
    image->bytes = in_force;
    image->size = config.room;
    return true;
}

struct skr_server_update *posix_update_file_start(void)
{
    skr_server_update_start(&update);
    return &update;
}
