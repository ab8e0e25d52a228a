/* token_record.c -- see token_record.h. */
#include "token_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/screen.h"
#include "number.h"
#include "romfs.h"

#define HEAD 12
#define ROW 64
#define ROWS 8
#define ROW_RIGHTS 32
#define ROW_NAME 33
#define NAME_ROOM 30

static void put_number(uint8_t *p, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> (8 * i));
    }
}

static bool refuse(const char *path, const char *why)
{
    screen_error("%s: %s", path, why);
    return false;
}

/* Sets *count to the number of rows; 0 if there is no file. */
static bool read_record(const char *path, uint8_t record[HEAD + ROWS * ROW], uint32_t *count)
{
    FILE *f = fopen(path, "rb");
    *count = 0;
    if (f == NULL) {
        return errno == ENOENT || refuse(path, strerror(errno));
    }
    size_t n = fread(record, 1, HEAD + ROWS * ROW, f);
    bool more = fgetc(f) != EOF;
    fclose(f);
    *count = n >= HEAD ? romfs_number_at(record + 4) : 0;
    if (n < HEAD || more || memcmp(record, "SKRT", 4) != 0 || *count > ROWS || n != HEAD + *count * ROW ||
        romfs_crc32(0, record + HEAD, n - HEAD) != romfs_number_at(record + 8)) {
        return refuse(path, "not a record of tokens, or damaged; choose another file");
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
        (void)refuse(path, strerror(errno));
        (void)remove(beside);
    }
    free(beside);
    return well;
}

bool token_record_add(const char *path, const char *name, bool read_only, const uint8_t sha256[32])
{
    uint8_t record[HEAD + ROWS * ROW];
    uint32_t count;
    if (strlen(name) > NAME_ROOM) {
        return refuse(name, "a name in a record has at most 30 characters");
    }
    if (!read_record(path, record, &count)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp((const char *)record + HEAD + i * ROW + ROW_NAME, name, ROW - ROW_NAME) == 0) {
            return refuse(path, "already has a token of this name; choose another, or begin a new record");
        }
    }
    if (count == ROWS) {
        return refuse(path, "is full: a record has room for 8 tokens");
    }
    uint8_t *row = record + HEAD + count * ROW;
    memset(row, 0, ROW);
    memcpy(row, sha256, 32);
    row[ROW_RIGHTS] = read_only ? 1 : 2; /* enum skr_rights */
    memcpy(row + ROW_NAME, name, strlen(name));
    count++;
    memcpy(record, "SKRT", 4);
    put_number(record + 4, count);
    put_number(record + 8, romfs_crc32(0, record + HEAD, count * ROW));
    return write_record(path, record, HEAD + count * ROW);
}
