/* token_record.c -- see token_record.h. */
#include "token_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../port/access/skr_access.h"
#include "base/buf.h"
#include "base/screen.h"
#include "number.h"
#include "romfs.h"

#define NAME_ROOM (SKR_ACCESS_ROW - SKR_ACCESS_NAME - 1)

static bool file_refuse(const char *path, const char *why)
{
    screen_error("%s: %s", path, why);
    return false;
}

/* Sets *count to the number of rows; 0 if there is no file. */
static bool read_record(const char *path, uint8_t record[SKR_ACCESS_RECORD], uint32_t *count)
{
    FILE *f = fopen(path, "rb");

    *count = 0;
    if (f == NULL) {
        return errno == ENOENT || file_refuse(path, strerror(errno));
    }
    size_t n = fread(record, 1, SKR_ACCESS_RECORD, f);
    bool more = fgetc(f) != EOF;
    fclose(f);
    *count = n >= SKR_ACCESS_HEAD ? romfs_number_at(record + 4) : 0;
    if (n < SKR_ACCESS_HEAD || more || memcmp(record, SKR_ACCESS_MAGIC, 4) != 0 || *count > SKR_ACCESS_ROWS ||
        n != SKR_ACCESS_HEAD + *count * SKR_ACCESS_ROW ||
        romfs_crc32(0, record + SKR_ACCESS_HEAD, n - SKR_ACCESS_HEAD) != romfs_number_at(record + 8)) {
        return file_refuse(path, "not a record of tokens, or damaged; choose another file");
    }
    return true;
}

static bool write_record(const char *path, const uint8_t *record, size_t n)
{
    char *beside = xasprintf("%s.new", path);
    FILE *f = fopen(beside, "wb");
    bool well = f != NULL && fwrite(record, 1, n, f) == n;

    well = f != NULL && fclose(f) == 0 && well && rename(beside, path) == 0;
    if (!well) {
        (void)file_refuse(path, strerror(errno));
        (void)remove(beside);
    }
    free(beside);
    return well;
}

bool token_record_add(const char *path, const char *name, bool read_only, const uint8_t sha256[32])
{
    uint8_t record[SKR_ACCESS_RECORD];
    uint32_t count;

    if (strlen(name) > NAME_ROOM) {
        return file_refuse(name, "a name in a record has at most 30 characters");
    }
    if (!read_record(path, record, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp((const char *)record + SKR_ACCESS_HEAD + i * SKR_ACCESS_ROW + SKR_ACCESS_NAME, name,
                    SKR_ACCESS_ROW - SKR_ACCESS_NAME) == 0) {
            return file_refuse(path, "already has a token of this name; choose another, or begin a new record");
        }
    }
    if (count == SKR_ACCESS_ROWS) {
        return file_refuse(path, "is full: a record has room for 8 tokens");
    }
    uint8_t *row = record + SKR_ACCESS_HEAD + count * SKR_ACCESS_ROW;
    memset(row, 0, SKR_ACCESS_ROW);
    memcpy(row, sha256, 32);
    row[SKR_ACCESS_RIGHTS] = read_only ? SKR_MAY_READ : SKR_MAY_OPERATE;
    memcpy(row + SKR_ACCESS_NAME, name, strlen(name));
    count++;
    memcpy(record, SKR_ACCESS_MAGIC, 4);
    romfs_number_put(record + 4, count);
    romfs_number_put(record + 8, romfs_crc32(0, record + SKR_ACCESS_HEAD, count * SKR_ACCESS_ROW));
    return write_record(path, record, SKR_ACCESS_HEAD + count * SKR_ACCESS_ROW);
}
