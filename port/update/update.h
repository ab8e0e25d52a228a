/* update.h -- replaces the manual of a device: signed images, two slots for them in flash, no heap.
 *
 * Each slot is served in place. One is in force; an upload goes to the other one. The state of both is a *state
 * record*, or record for short; a ring of sectors holds records, and the newest whole record counts.
 *
 *     begin    checks the release: layout, product, interface, number, size, key, signature. Nothing is erased before
 *     write    from start to end, erasing sector by sector; parts that are whole are marked
 *     commit   computes the digest of what is in flash. If it is the signed one, the image is on trial: serve it
 *     confirm  puts it in force, with one record; from then on no release with a lower or equal number is accepted, unless
 *              it withdraws a key that the device still trusts
 *     revert   ends the trial: the image in force is served again
 *
 * The power may fail at any time. After a reset the slot in force is served, always whole: a trial ends with a reset.
 * An upload goes on after its last whole part. README.md has the states, the order of writes and the outcome of every
 * cut. */
#ifndef SKR_UPDATE_H
#define SKR_UPDATE_H

#include <stddef.h>

#include "flash.h"
#include "release.h"

#ifdef __cplusplus
extern "C" {
#endif

enum skr_update_error {
    SKR_UPDATE_OK,
    SKR_UPDATE_SAME,            /* a release with this number is in force already */
    SKR_UPDATE_NOT_RELEASE,     /* not a release, or of a later layout */
    SKR_UPDATE_OTHER_PRODUCT,   /* for another product */
    SKR_UPDATE_OTHER_INTERFACE, /* its tools and resources are not those of this firmware */
    SKR_UPDATE_OLD,             /* its number is lower than that of the release in force, and it withdraws no key */
    SKR_UPDATE_TOO_LARGE,       /* its image does not fit the slot */
    SKR_UPDATE_OTHER_KEY,       /* signed with a key that this device does not have, or no longer trusts */
    SKR_UPDATE_NOT_SIGNED,      /* the signature is wrong */
    SKR_UPDATE_ON_TRIAL,        /* another release is on trial: confirm or revert it first */
    SKR_UPDATE_NOT_BEGUN,       /* begin first */
    SKR_UPDATE_GAP,             /* not where the upload is, or not whole units: begin returns where to go on */
    SKR_UPDATE_DAMAGED,         /* the digest of what is in flash is not the signed one: begin again */
    SKR_UPDATE_FLASH,           /* the flash failed: begin again */
    SKR_UPDATE_BUSY,            /* a response still uses the image that would be erased: try again */
    SKR_UPDATE_ERRORS
};

/* Constant; it must outlive the update. */
struct skr_update_config {
    const struct skr_flash *flash;
    uint32_t images[2];   /* where the slots begin; slot 0 has the image that is flashed with the firmware */
    uint32_t room;        /* size of each slot, a multiple of `sector` */
    uint32_t sector;      /* what is erased at a time in a slot */
    uint32_t records;     /* where the records begin */
    uint32_t record_size; /* size of a sector of records, 256 bytes at least */
    uint32_t record_count;
    uint8_t product[ROMFS_RELEASE_PRODUCT_SIZE];
    const char *interface_id;                      /* SKR_INTERFACE of the firmware's tools.h; NULL accepts any */
    const uint8_t (*keys)[ROMFS_RELEASE_KEY_SIZE]; /* public keys, the oldest first */
    uint8_t key_count;
    /* Whether this is the key's signature of a text with this SHA-256: skr_update_is_signed (update_ec.h). */
    bool (*is_signed)(const uint8_t key[ROMFS_RELEASE_KEY_SIZE], const uint8_t sha256[32], const uint8_t signature[64]);
};

/* Its fields are private but for the first four. */
struct skr_update {
    uint32_t number; /* of the release in force; 0 is the image that was flashed with the firmware */
    uint32_t coming; /* number of the release in the other slot, */
    uint32_t size;   /* the size of its image, */
    uint32_t offset; /* and how much of it has been written, if it is `open` or on `trial` */
    const struct skr_update_config *config;
    uint32_t at;       /* which sector has the newest record; record_count if there is none */
    uint32_t crc;      /* of that record */
    uint32_t sequence; /* likewise */
    uint8_t force;     /* the slot in force, 0 or 1 */
    uint8_t min_key, next_min_key;
    bool writing; /* the record has a release for the other slot */
    bool settled; /* and was written since this reset */
    bool open;    /* which is being written since this reset */
    bool trial;   /* or is served, and not confirmed */
};

/* True when the places and sizes of a configuration agree. For an assertion at start, or for geometry from outside. */
bool skr_update_is_valid(const struct skr_update_config *config);

/* Reads the records, after a reset. */
void skr_update_open(struct skr_update *u, const struct skr_update_config *config);

/* The slot to serve, 0 or 1. */
unsigned skr_update_slot(const struct skr_update *u);

/* No response may still use the image of the other slot. *offset is where to go on: 0, or after the part of the same
 * release that is in flash; its size, if it is on trial. A release that was refused has changed nothing. */
enum skr_update_error skr_update_begin(struct skr_update *u, const uint8_t release[ROMFS_RELEASE_SIZE],
                                       uint32_t *offset);

/* n is a multiple of the unit, unless the image ends there. Bytes that have been written before are skipped. */
enum skr_update_error skr_update_write(struct skr_update *u, uint32_t offset, const void *bytes, uint32_t n);

/* Writes n bytes of the image in force, from `from` on, instead of bytes from outside. */
enum skr_update_error skr_update_copy(struct skr_update *u, uint32_t offset, uint32_t from, uint32_t n);

/* Also returns SKR_UPDATE_OK when the release is on trial already. */
enum skr_update_error skr_update_commit(struct skr_update *u);

/* Puts release `number` in force. Also returns SKR_UPDATE_OK when it is already; after a reset a record is written
 * first. */
enum skr_update_error skr_update_confirm(struct skr_update *u, uint32_t number);

/* Never fails; without a trial it does nothing. */
void skr_update_revert(struct skr_update *u);

/* A sentence for people, with its remedy; NULL for SKR_UPDATE_OK. (update_reason.c) */
const char *skr_update_reason(enum skr_update_error error);

#ifdef __cplusplus
}
#endif

#endif
