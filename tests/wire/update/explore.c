/* explore.c -- cuts the power at every step of every update, any number of times, and checks what is served.
 *
 * The flash is modelled by units. A unit that an interrupted operation has touched is weak until its sector is erased to
 * the end: at every start it reads as before, as it was to become, blank, or as garbage, whichever is worst, and another
 * way at the next start. From each state of the flash the device is started with every such reading, and a client sends
 * the next release. Before and in the middle of every single operation the power fails, which gives further states. This
 * goes on until no state is new, so the result holds for any number of cuts. A weak unit of an image reads as it should,
 * or blank: nothing else it could read is worse.
 *
 * Invariants, whenever something is served:
 *   whole     it is the image of a release, every unit of it firm
 *   not older than the last release whose confirm was answered
 *   signed    no forged release is taken, and none of a key that a release in force has withdrawn
 *   once      no unit is programmed that does not read blank, and none whose erase was cut
 *   live      without further cuts, the client gets the last release confirmed
 *
 * usage: explore [--ecc] [--cuts N] [--weak N] [--states N]
 *
 * --ecc:  a unit that a cut has left as garbage cannot be read at all.
 * --cuts: at most N cuts one after the other; without it, any number.
 * --weak: leave out states with more than N records that may read whole at one start and not at the next. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model.h"
#include "sha256.h"
#include "update.h"

static uint64_t runs;

/* ---- Releases ---- */

static uint8_t releases[RELEASES + 1][ROMFS_RELEASE_SIZE], images[RELEASES + 1][ROOM];
static uint8_t forged[ROMFS_RELEASE_SIZE], withdrawn[ROMFS_RELEASE_SIZE]; /* of a thief, and of a thief of key 0 */
static uint32_t sizes[RELEASES + 1];
static const uint8_t keys[2][64] = {{1}, {2}}; /* key 1 signs release 2 and later ones, and withdraws key 0 */

/* A thief of key 0 has given release 1 a number above all others: the owner's release 2, which withdraws the key, is taken
 * all the same, and release 1 never again. */
static uint32_t number_of(unsigned release)
{
    return release == 1 ? RELEASES + 1 : release;
}

static bool is_signed(const uint8_t key[64], const uint8_t sha256[32], const uint8_t signature[64])
{
    return memcmp(sha256, signature, 32) == 0 && signature[32] == key[0];
}

static void put_number(uint8_t *to, uint32_t number)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(number >> 8 * i);
    }
}

/* Signing stands in for the curve. */
static void sign(uint8_t *release, uint8_t key)
{
    release[12] = key;
    romfs_sha256_of(release, ROMFS_RELEASE_SIGNED, release + ROMFS_RELEASE_SIGNED);
    release[ROMFS_RELEASE_SIGNED + 32] = keys[key][0];
}

static void make_release(unsigned number)
{
    uint8_t *r = releases[number];

    sizes[number] = ROOM - (number == 1 ? UNIT : number == 2 ? UNIT / 2 : 0);
    for (uint32_t i = 0; i < sizes[number]; i++) {
        images[number][i] =
            (uint8_t)((i < UNIT ? 0 : number * 40) + i / UNIT * 3 + 1); /* the first unit never changes */
    }
    memcpy(r, "SKRU", 4);
    put_number(r + 4, number_of(number));
    put_number(r + 8, sizes[number]);
    r[14] = ROMFS_RELEASE_LAYOUT;
    romfs_sha256_of(images[number], sizes[number], r + 32);
    r[13] = number > 1;
    sign(r, number > 1);
}

/* Made from the last release, with larger numbers. */
static void make_thieves(void)
{
    memcpy(forged, releases[RELEASES], sizeof forged);
    put_number(forged + 4, RELEASES + 2);
    memcpy(withdrawn, forged, sizeof withdrawn);
    withdrawn[13] = 0;
    sign(withdrawn, 0);
}

static const struct skr_flash flash = {UNIT, 0xFF, flash_read, flash_erase, flash_program, NULL};
static const struct skr_update_config config = {.flash = &flash,
                                                .images = {IMAGES, IMAGES + ROOM},
                                                .room = ROOM,
                                                .sector = SECTOR_SIZE,
                                                .records = 0,
                                                .record_size = RECORD_SIZE,
                                                .record_count = RECORDS,
                                                .keys = keys,
                                                .key_count = 2,
                                                .is_signed = is_signed};

/* ---- What must hold ---- */

static bool is_image(unsigned slot, unsigned number)
{
    uint32_t at = config.images[slot];

    for (uint32_t i = 0; i < sizes[number]; i += UNIT) {
        struct cell cell = kinds[now.cells[(at + i) / UNIT]];
        uint32_t n = sizes[number] - i < UNIT ? sizes[number] - i : UNIT;
        if (cell.kind != FIRM || memcmp(values[cell.a], images[number] + i, n) != 0) {
            return false;
        }
    }
    return true;
}

/* The number of the release that is served; 0 is the image that came with the firmware. */
static unsigned check_served(const struct skr_update *u)
{
    unsigned slot = skr_update_slot(u);

    for (unsigned number = 0; number <= RELEASES; number++) {
        if (is_image(slot, number)) {
            if (number < now.acked) {
                wrong("older than what was confirmed");
            }
            return number;
        }
    }
    wrong("what is served is not whole");
    return 0;
}

/* ---- A start, and what a client does then ---- */

enum verdict { CONFIRM, REVERT, LEAVE };

/* Uploads in pieces; false when it has to begin again. */
static bool upload(struct skr_update *u, unsigned number)
{
    uint32_t offset = 0;

    doing = "begin";
    if (skr_update_begin(u, releases[number], &offset) != SKR_UPDATE_OK) {
        return false;
    }
    (void)check_served(u);
    doing = "write";
    while (offset < sizes[number]) {
        uint32_t n = sizes[number] - offset < UNIT ? sizes[number] - offset : UNIT;
        if (skr_update_commit(u) != SKR_UPDATE_GAP) {
            wrong("commit before the end");
        }
        if ((offset == 0 ? skr_update_copy(u, 0, 0, n) : skr_update_write(u, offset, images[number] + offset, n)) !=
            SKR_UPDATE_OK) {
            return false;
        }
        offset += n;
        (void)check_served(u);
    }
    doing = "commit";
    if (skr_update_commit(u) != SKR_UPDATE_OK) {
        return false;
    }
    if (skr_update_begin(u, releases[number], &offset) != SKR_UPDATE_OK || offset != sizes[number]) {
        wrong("a begin that is repeated on trial is not answered");
    }
    return true;
}

/* What is in force, or older, is not taken again; nor what is not signed, or with a key that is withdrawn. */
static void check_refused(struct skr_update *u, unsigned number)
{
    uint32_t offset;
    struct skr_update before = *u;

    for (unsigned old = 1; old <= number; old++) {
        enum skr_update_error w = skr_update_begin(u, releases[old], &offset);
        if (w != (old == number ? SKR_UPDATE_SAME : old == 1 ? SKR_UPDATE_OTHER_KEY : SKR_UPDATE_OLD)) {
            wrong("took what it has, or had");
        }
    }
    if (skr_update_begin(u, forged, &offset) != SKR_UPDATE_NOT_SIGNED) {
        wrong("took what nobody has signed");
    }
    if (number > 1 && skr_update_begin(u, withdrawn, &offset) != SKR_UPDATE_OTHER_KEY) {
        wrong("took what a withdrawn key has signed");
    }
    if (memcmp(&before, u, sizeof before) != 0) {
        wrong("changed by what it refused");
    }
}

/* Confirms the trial of release `number`, or begins again. Returns the number that is served then. */
static unsigned confirm(struct skr_update *u, unsigned number)
{
    doing = "confirm";
    if (skr_update_confirm(u, number_of(number)) == SKR_UPDATE_OK) {
        now.acked = (uint16_t)number;
        return check_served(u);
    }
    skr_update_revert(u);
    return check_served(u);
}

static void run(void)
{
    struct skr_update u;
    unsigned number, tries = 0;

    runs++; /* a start and all that follows */
    doing = "start";
    skr_update_open(&u, &config);
    number = check_served(&u);
    check_refused(&u, number);
    if (number > 0 && choose(2) == 1) { /* a client that has lost the response to its confirm sends it again */
        number = confirm(&u, number);
    }
    while (number < RELEASES) {
        if (tries++ == 6) {
            wrong("the update cannot be completed");
            return;
        }
        if (!upload(&u, number + 1 + choose(RELEASES - number))) {
            continue;
        }
        unsigned trial = check_served(&u), verdict = choose(3);
        if (verdict == LEAVE) {
            return;
        }
        if (verdict == REVERT) {
            skr_update_revert(&u);
            if (check_served(&u) != number) {
                wrong("revert did not go back");
            }
            return;
        }
        number = confirm(&u, trial);
    }
    story.how = 2;
    add_state(&now);
}

static void start_each_choice(const struct state *from)
{
    do {
        now = *from;
        memset(reads, 0xFF, sizeof reads);
        run();
    } while (choose_otherwise());
}

/* ---- The first state: an image as it is flashed with the firmware, and no record ---- */

static void flash_first(void)
{
    memset(&now, 0, sizeof now);
    for (unsigned unit = 0; unit < UNITS; unit++) {
        now.cells[unit] = firm(BLANK);
        reads[unit] = BLANK;
    }
    for (uint32_t i = 0; i < sizes[0]; i += UNIT) {
        now.cells[(IMAGES + i) / UNIT] = firm(value_id(images[0] + i));
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        ecc |= strcmp(argv[i], "--ecc") == 0;
        if (strcmp(argv[i], "--weak") == 0 && i + 1 < argc) {
            weak_max = (unsigned)atoi(argv[++i]);
        }
        if (strcmp(argv[i], "--cuts") == 0 && i + 1 < argc) {
            cuts_max = (unsigned)atoi(argv[++i]);
        }
        if (strcmp(argv[i], "--states") == 0 && i + 1 < argc) {
            state_max = (uint32_t)atol(argv[++i]);
        }
    }
    for (unsigned number = 0; number <= RELEASES; number++) {
        make_release(number);
    }
    make_thieves();
    model_open();
    struct timespec t0, t1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    flash_first();
    add_state(&now);
    for (uint32_t i = 0; i < state_count && broken == 0; i++) {
        struct state from = states[i];
        story.from = i;
        story.cuts = stories[i].cuts + 1;
        start_each_choice(&from);
        if (i % 100000 == 0) {
            fprintf(stderr, "%u of %u states\n", i, state_count);
        }
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    printf(
        "unit %d, %d parts, %d sectors, %d records, ecc %d: %u states, %llu starts, %llu operations, %llu cut points, "
        "%llu left out, %.1f s, %u wrong\n",
        UNIT, PARTS, SECTORS, RECORDS, ecc, state_count, (unsigned long long)runs, (unsigned long long)operations,
        (unsigned long long)cut_points, (unsigned long long)left_out,
        (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec), broken);
    return broken != 0;
}
