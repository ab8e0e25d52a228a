/* update_record.h -- a state record: the state of both slots, written as a whole (update_record.c). */
#ifndef SKR_UPDATE_RECORD_H
#define SKR_UPDATE_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "release.h"

/* A record:
 *
 *     0   4  "SKRJ"
 *     4   4  sequence: each record has that of its predecessor, plus one
 *     8   1  the slot in force, 0 or 1
 *     9   1  1: the other slot gets the release below; 0: it holds nothing
 *    10   1  how many parts of it were whole when the record was written
 *    11   1  keys below this one sign nothing
 *    12   4  number of the release in force
 *    16 128  the release in the other slot
 *   144   4  CRC-32 of the predecessor's first 144 bytes
 *   148   4  CRC-32 of the 148 bytes before */
#define SKR_STATE_RECORD_SIZE 152u
#define SKR_STATE_RECORD_PARTS 10u
#define SKR_STATE_RECORD_RELEASE 16u
#define SKR_STATE_RECORD_PREVIOUS 144u
#define SKR_STATE_RECORD_CRC 148u

struct skr_state_record {
    uint32_t sequence, number;
    uint8_t force, parts, min_key;
    bool writing;
    uint32_t crc;      /* of the first 144 bytes */
    uint32_t previous; /* the same of the predecessor */
};

/* Reads a record. False when it is not whole. */
bool skr_state_record_read(const uint8_t bytes[SKR_STATE_RECORD_SIZE], struct skr_state_record *out);

/* Writes its bytes; `release` may be NULL. Sets r->crc. */
void skr_state_record_write(uint8_t bytes[SKR_STATE_RECORD_SIZE], struct skr_state_record *r, const uint8_t *release);

/* Sequences wrap around; those in a ring are near each other. */
uint32_t skr_state_record_after(uint32_t sequence);
bool skr_state_record_is_ahead(uint32_t a, uint32_t b);

#endif
