/* update_record.c -- see update_record.h. */
#include "update_record.h"

#include <string.h>

#include "number.h"
#include "romfs.h"

/* A test that visits every state defines SKR_UPDATE_SEQUENCES, so that there are few. */
#ifdef SKR_UPDATE_SEQUENCES
#define AFTER(sequence) (((sequence) + 1) % SKR_UPDATE_SEQUENCES)
#define AHEAD(a, b) (((a) + SKR_UPDATE_SEQUENCES - (b)) % SKR_UPDATE_SEQUENCES - 1 < SKR_UPDATE_SEQUENCES / 2)
#else
#define AFTER(sequence) ((sequence) + 1)
#define AHEAD(a, b) ((a) - (b)-1 < 0x7FFFFFFFu)
#endif

uint32_t skr_state_record_after(uint32_t sequence)
{
    return AFTER(sequence);
}

bool skr_state_record_is_ahead(uint32_t a, uint32_t b)
{
    return AHEAD(a, b);
}

bool skr_state_record_read(const uint8_t bytes[SKR_STATE_RECORD_SIZE], struct skr_state_record *out)
{
    *out = (struct skr_state_record){
        .sequence = romfs_number_at(bytes + 4),
        .number = romfs_number_at(bytes + 12),
        .force = bytes[8],
        .parts = bytes[SKR_STATE_RECORD_PARTS],
        .min_key = bytes[11],
        .writing = bytes[9] == 1,
        .crc = romfs_crc32(0, bytes, SKR_STATE_RECORD_PREVIOUS),
        .previous = romfs_number_at(bytes + SKR_STATE_RECORD_PREVIOUS),
    };
    return memcmp(bytes, "SKRJ", 4) == 0 && out->force < 2 && bytes[9] < 2 &&
           romfs_crc32(out->crc, bytes + SKR_STATE_RECORD_PREVIOUS, 4) == romfs_number_at(bytes + SKR_STATE_RECORD_CRC);
}

void skr_state_record_write(uint8_t bytes[SKR_STATE_RECORD_SIZE], struct skr_state_record *r, const uint8_t *release)
{
    memset(bytes, 0, SKR_STATE_RECORD_SIZE);
    memcpy(bytes, "SKRJ", 4);
    romfs_number_put(bytes + 4, r->sequence);
    bytes[8] = r->force;
    bytes[9] = r->writing;
    bytes[SKR_STATE_RECORD_PARTS] = r->parts;
    bytes[11] = r->min_key;
    romfs_number_put(bytes + 12, r->number);
    if (release != NULL) {
        memcpy(bytes + SKR_STATE_RECORD_RELEASE, release, ROMFS_RELEASE_SIZE);
    }
    r->crc = romfs_crc32(0, bytes, SKR_STATE_RECORD_PREVIOUS);
    romfs_number_put(bytes + SKR_STATE_RECORD_PREVIOUS, r->previous);
    romfs_number_put(bytes + SKR_STATE_RECORD_CRC, romfs_crc32(r->crc, bytes + SKR_STATE_RECORD_PREVIOUS, 4));
}
