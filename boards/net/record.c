/* record.c -- see record.h. */
#include "record.h"

#include <string.h>

#include "number.h"
#include "romfs.h"

#define HEAD 12
#define ROW 64
#define ROW_RIGHTS 32
#define ROW_NAME 33

size_t record_read(const uint8_t *flash, struct skr_grant grants[RECORD_ROWS])
{
    size_t count = romfs_number_at(flash + 4);
    const uint8_t *row = flash + HEAD;

    if (memcmp(flash, "SKRT", 4) != 0 || count > RECORD_ROWS ||
        romfs_crc32(0, row, count * ROW) != romfs_number_at(flash + 8)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++, row += ROW) {
        uint8_t rights = row[ROW_RIGHTS];
        if ((rights != SKR_MAY_READ && rights != SKR_MAY_OPERATE) || row[ROW_NAME] == '\0' || row[ROW - 1] != '\0') {
            return 0;
        }
        memcpy(grants[i].sha256, row, sizeof grants[i].sha256);
        grants[i].rights = rights;
        grants[i].name = (const char *)row + ROW_NAME;
    }
    return count;
}
