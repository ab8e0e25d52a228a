/* record.c -- tokens out of a token record in flash. See skr_access.h. */
#include "skr_access.h"

#if SKR_AUTH
#include <string.h>

#include "number.h"

size_t skr_access_record(const uint8_t *record, size_t n, struct skr_grant grants[SKR_ACCESS_ROWS])
{
    size_t count = n < SKR_ACCESS_HEAD ? 0 : romfs_number_at(record + 4);
    const uint8_t *row = record + SKR_ACCESS_HEAD;

    if (n < SKR_ACCESS_HEAD || memcmp(record, SKR_ACCESS_MAGIC, 4) != 0 || count > SKR_ACCESS_ROWS ||
        count * SKR_ACCESS_ROW > n - SKR_ACCESS_HEAD ||
        romfs_crc32(0, row, count * SKR_ACCESS_ROW) != romfs_number_at(record + 8)) {
        return 0;
    }
    for (size_t i = 0; i < count; i++, row += SKR_ACCESS_ROW) {
        uint8_t rights = row[SKR_ACCESS_RIGHTS];
        if ((rights != SKR_MAY_READ && rights != SKR_MAY_OPERATE) || row[SKR_ACCESS_NAME] == '\0' ||
            row[SKR_ACCESS_ROW - 1] != '\0') {
            return 0;
        }
        memcpy(grants[i].sha256, row, sizeof grants[i].sha256);
        grants[i].rights = rights;
        grants[i].name = (const char *)row + SKR_ACCESS_NAME;
    }
    return count;
}
#endif
