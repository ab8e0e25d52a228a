/* archive.c -- the bytes of a .zip and a .tar.gz around file data in the image.
 *
 * An archive is a sequence of parts. A part is either file data, handed out in place, or a record that is generated:
 * headers, directories, padding.
 *
 *   zip     HEAD DATA  HEAD DATA ...  HEAD HEAD ... END    the files, then the directory of them
 *   tar.gz  HEAD DATA  HEAD CHUNK DATA CHUNK DATA ... END
 *
 * A tar.gz is one deflate stream. HEAD and END are stored blocks; a raw file, or a text without its escapes, is
 * cut into stored blocks, a CHUNK before each; a deflated file is already a sequence of blocks and is included as it
 * is. Blocks begin and end at whole bytes, so they can be concatenated.
 *
 * A record may be longer than the few bytes z has for it (a tar header has 512). So the whole record is written again
 * and again, and `put` keeps only the bytes that are wanted this time: that costs time instead of RAM, and needs no
 * state inside a record. Writing it the first time gives its length. */
#include "archive.h"

#include <string.h>

enum part {
    PART_HEAD,  /* zip: a file's local or central header; tar.gz: zeros after the previous file, then a header */
    PART_DATA,  /* of a file */
    PART_CHUNK, /* tar.gz: what precedes a stretch of raw data */
    PART_END,
    PART_DONE,
};

enum sizes {
    LOCAL_SIZE = 30,
    STORED_MAX = 65535,
    TAR_BLOCK = 512,
    TAR_END_SIZE = 2 * TAR_BLOCK,
    TAR_NAME_MAX = 100,
    TAR_PREFIX_MAX = 155,
    TAR_PATH_MAX = 255,
};

/* ---- Paths ---- */

/* Returns the character at path[*i] and moves *i past it. A path has no control character and no
 * backslash of its own (SK-V-07), so an escape is a backslash and the character itself. */
static char path_char(const char *path, uint32_t n, uint32_t *i)
{
    if (path[*i] == '\\' && *i + 1 < n) {
        ++*i;
    }
    return path[(*i)++];
}

static uint32_t path_length(const char *path, uint32_t n)
{
    uint32_t length = 0;

    for (uint32_t i = 0; i < n; length++) {
        path_char(path, n, &i);
    }
    return length;
}

/* Where a tar header splits the path: the bytes before the slash go into `prefix`. 0: all of it is the name. */
static uint32_t path_split(const char *path, uint32_t n)
{
    uint32_t at = 0, length = path_length(path, n);

    for (uint32_t i = 0; i < n && length > TAR_NAME_MAX; at++) {
        if (path_char(path, n, &i) == '/' && length - at <= TAR_NAME_MAX + 1) {
            return at;
        }
    }
    return 0;
}

bool romfs_archive_path_fits(const char *path, size_t n)
{
    if (n > 2 * TAR_PATH_MAX) { /* even if half of it were backslashes */
        return false;
    }
    uint32_t length = path_length(path, (uint32_t)n), split = path_split(path, (uint32_t)n);
    return length <= TAR_NAME_MAX || (length <= TAR_PATH_MAX && split > 0 && split <= TAR_PREFIX_MAX);
}

/* ---- Writing a record, of which one part is kept ---- */

/* n bytes, little-endian. */
static void put_little_endian(struct romfs_archive *z, uint32_t value, unsigned n)
{
    for (; n > 0; n--, value >>= 8) {
        uint32_t i = z->put_at++ - z->at; /* huge before the stretch */
        z->sum += value & 0xFFu;
        if (i < sizeof z->made) {
            z->made[i] = (uint8_t)value;
        }
    }
}

static void put_two(struct romfs_archive *z, uint32_t value)
{
    put_little_endian(z, value, 2);
}

static void put_four(struct romfs_archive *z, uint32_t value)
{
    put_little_endian(z, value, 4);
}

/* As digits and a zero. */
static void put_octal(struct romfs_archive *z, uint32_t value, unsigned digits)
{
    while (digits > 0) {
        put_little_endian(z, '0' + (value >> 3 * --digits & 7u), 1);
    }
    put_little_endian(z, 0, 1);
}

/* Up to `max` characters of the path, from the one numbered `from` on. */
static void put_path(struct romfs_archive *z, uint32_t from, uint32_t max)
{
    uint32_t at = 0;

    for (uint32_t i = 0; i < z->path_len; at++) {
        char c = path_char(z->path, z->path_len, &i);
        if (at - from < max) { /* huge before `from` */
            put_little_endian(z, (uint8_t)c, 1);
        }
    }
}

static bool is_deflated(const struct romfs_archive *z)
{
    return (z->node->flags & ROMFS_DEFLATE) != 0;
}

/* How many bytes the file has in the archive, the final block of a deflated one counted. */
static uint32_t data_size(const struct romfs_archive *z)
{
    return is_deflated(z) ? z->node->stored : z->node->size;
}

static uint32_t file_count(const struct romfs_archive *z)
{
    return z->skill->file_count + 1;
}

/* ---- Records of a zip ---- */

/* The local header, or the central one, which says the same and more. */
static void write_zip_head(struct romfs_archive *z)
{
    put_four(z, z->central ? 0x02014B50u : 0x04034B50u);
    if (z->central) {
        put_two(z, 20u | 3u << 8); /* made by version 2.0 on Unix: the attributes hold a mode */
    }
    put_four(z, 20u | 1u << 27);           /* needs version 2.0; names are UTF-8 */
    put_four(z, is_deflated(z) ? 8u : 0u); /* the method; the time after it is 00:00 ... */
    put_two(z, 1u << 5 | 1u);              /* ... of 1980-01-01 */
    put_four(z, z->node->crc);
    put_four(z, data_size(z));
    put_four(z, z->node->size);
    put_four(z, z->name_len); /* and nothing extra */
    if (z->central) {
        z->put_at += 8; /* no comment, first disk, no inner attributes, low half of the outer ones */
        put_two(z, 0100000u | z->mode);
        put_four(z, z->total);
    }
    put_path(z, 0, z->name_len);
}

static void write_zip_end(struct romfs_archive *z)
{
    put_four(z, 0x06054B50u);
    z->put_at += 4;
    put_four(z, file_count(z) * 0x10001u); /* twice, in two bytes each */
    put_four(z, z->central_len);
    put_four(z, z->total); /* where a local header would be now, the directory begins */
    z->put_at += 2;        /* no comment */
}

/* ---- Records of a tar.gz ---- */

static void put_stored_head(struct romfs_archive *z, uint32_t n, bool final)
{
    put_little_endian(z, final, 1);
    put_two(z, n);
    put_two(z, ~n);
}

static void put_tar_header(struct romfs_archive *z)
{
    uint32_t off = z->put_at, split = path_split(z->path, z->path_len);

    z->sum = 0;
    put_path(z, split > 0 ? split + 1 : 0, TAR_NAME_MAX);
    z->put_at = off + 100;
    put_octal(z, z->mode, 7);
    put_octal(z, 0, 7); /* owner */
    put_octal(z, 0, 7); /* group */
    put_octal(z, z->node->size, 11);
    put_octal(z, 0, 11); /* time */
    z->put_at = off + 156;
    put_little_endian(z, '0', 1); /* a regular file */
    z->put_at = off + 257;
    put_four(z, 'u' | 's' << 8 | 't' << 16 | 'a' << 24);
    put_four(z, 'r' | '0' << 16 | '0' << 24);
    z->put_at = off + 345;
    put_path(z, 0, split);
    /* Zeros add nothing and everything else was put once, so the sum is complete except for its own field, which
     * counts as blanks. */
    z->put_at = off + 148;
    put_octal(z, z->sum + 8 * ' ', 6);
    put_little_endian(z, ' ', 1);
    z->put_at = off + TAR_BLOCK;
}

static void write_tar_head(struct romfs_archive *z)
{
    if (z->file == 0) {
        put_four(z, 0x00088B1Fu);     /* gzip, deflate, no extras */
        z->put_at += 5;               /* no time */
        put_little_endian(z, 255, 1); /* of an unknown system */
    }
    put_stored_head(z, z->pad + TAR_BLOCK, false);
    z->put_at += z->pad;
    put_tar_header(z);
}

static void write_tar_end(struct romfs_archive *z)
{
    put_stored_head(z, z->pad + TAR_END_SIZE, true);
    z->put_at += z->pad + TAR_END_SIZE;
    put_four(z, z->skill->tar_crc);
    put_four(z, z->total + TAR_END_SIZE);
}

/* ---- From part to part ---- */

/* How much of the file's data goes out next in one part: all that is left, or of a raw file in a tar.gz what a stored
 * block can hold. There a deflated file's final block is left out, because the stream goes on after it. */
static uint32_t data_next(const struct romfs_archive *z)
{
    uint32_t left = z->central ? 0 : data_size(z) - z->data_at;

    if (z->kind == ROMFS_ZIP) {
        return left;
    }
    if (is_deflated(z)) {
        return left > ROMFS_ARCHIVE_FINAL_BLOCK ? left - ROMFS_ARCHIVE_FINAL_BLOCK : 0;
    }
    return left < STORED_MAX ? left : STORED_MAX;
}

static void write_record(struct romfs_archive *z)
{
    bool zip = z->kind == ROMFS_ZIP, head = z->part == PART_HEAD;

    memset(z->made, 0, sizeof z->made);
    z->put_at = 0;
    if (z->part == PART_CHUNK) {
        put_stored_head(z, data_next(z), false);
    } else if (zip && head) {
        write_zip_head(z);
    } else if (zip) {
        write_zip_end(z);
    } else if (head) {
        write_tar_head(z);
    } else {
        write_tar_end(z);
    }
}

/* Enters a record, or data of this length. */
static void enter_part(struct romfs_archive *z, enum part part, uint32_t length)
{
    z->part = (uint8_t)part;
    z->at = 0;
    z->part_len = length;
    if (part != PART_DATA) {
        write_record(z);
        z->part_len = z->put_at;
    }
}

/* Enters the head of file number z->file, or what follows the last one. */
static void enter_file(struct romfs_archive *z)
{
    const struct romfs *fs = z->fs;
    const struct romfs_skill *skill = z->skill;
    bool zip = z->kind == ROMFS_ZIP;

    if (zip && !z->central && z->file == file_count(z)) {
        z->file = z->total = z->central_len = 0;
        z->central = true;
    }
    if (z->file == file_count(z)) {
        enter_part(z, PART_END, 0);
        return;
    }
    z->node = &fs->nodes[skill->node];
    z->path = "SKILL.md";
    z->path_len = 8;
    if (z->file > 0) {
        const struct romfs_file *file = &fs->files[skill->first_file + z->file - 1];
        z->node = &fs->nodes[file->node];
        z->path = romfs_at(fs, file->path);
        z->path_len = file->path.len;
    }
    z->name_len = path_length(z->path, z->path_len);
    z->mode = z->path_len > 8 && memcmp(z->path, "scripts/", 8) == 0 ? 0755 : 0644;
    z->data_at = 0;
    romfs_unescape_start(&z->text, fs->image + z->node->data, z->node->stored);
    enter_part(z, PART_HEAD, 0);
}

/* Counts the file that has been handed out. */
static void leave_file(struct romfs_archive *z)
{
    z->file++;
    if (z->kind == ROMFS_ZIP) {
        z->total += LOCAL_SIZE + z->name_len + data_size(z);
        z->central_len += z->part_len; /* of the central header, if that was handed out */
    } else {
        z->pad = (0u - z->node->size) % TAR_BLOCK;
        z->total += TAR_BLOCK + z->node->size + z->pad;
    }
}

static void next_part(struct romfs_archive *z)
{
    if (z->part == PART_END) {
        z->part = PART_DONE;
        return;
    }
    if (z->part == PART_DATA) {
        z->data_at += z->part_len;
    }
    uint32_t n = data_next(z);
    if (n == 0) {
        leave_file(z);
        enter_file(z);
    } else if (z->part != PART_CHUNK && z->kind == ROMFS_TAR_GZ && !is_deflated(z)) {
        enter_part(z, PART_CHUNK, 0);
    } else {
        enter_part(z, PART_DATA, n);
    }
}

/* ---- Taking ---- */

void romfs_archive_start(struct romfs_archive *z, const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind)
{
    z->fs = fs;
    z->skill = &fs->skills[skill];
    z->kind = (uint8_t)kind;
    romfs_archive_rewind(z);
}

void romfs_archive_rewind(struct romfs_archive *z)
{
    z->central = false;
    z->file = z->total = z->central_len = z->pad = z->sum = 0;
    enter_file(z);
}

size_t romfs_archive_next(struct romfs_archive *z, const uint8_t **bytes)
{
    while (z->at == z->part_len) {
        if (z->part == PART_DONE) {
            return 0;
        }
        next_part(z);
    }
    uint32_t n = z->part_len - z->at;
    if (z->part == PART_DATA && (z->node->flags & ROMFS_ESCAPED) != 0) {
        n = (uint32_t)romfs_unescape_next(&z->text, n, bytes);
    } else if (z->part == PART_DATA) {
        *bytes = z->fs->image + z->node->data + z->data_at;
    } else {
        write_record(z);
        *bytes = z->made;
        n = n < sizeof z->made ? n : (uint32_t)sizeof z->made;
    }
    z->at += n;
    return n;
}

uint32_t romfs_archive_size(const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind)
{
    struct romfs_archive z;
    uint32_t size = 0;

    for (romfs_archive_start(&z, fs, skill, kind); z.part != PART_DONE; next_part(&z)) {
        if (z.part_len > ROMFS_ARCHIVE_MAX - size) {
            return 0;
        }
        size += z.part_len;
    }
    return size;
}
