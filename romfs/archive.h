/* archive.h -- a skill as one .zip or .tar.gz, made while it is taken.
 *
 * The image holds no archives. Each is a view of the skill's files: file data is handed out in place, raw or deflated,
 * or an escaped text without its escapes. Only what an unpacker needs around it is generated, a few bytes at a time.
 * The same image always gives the same archive, so its digest can be known when the image is written.
 *
 *     romfs_archive_start(&z, fs, skill, ROMFS_ZIP);
 *     while ((n = romfs_archive_next(&z, &bytes)) > 0) {
 *         send(bytes, n);
 *     }
 *
 * Inside are SKILL.md and then the skill's files in the order of its table, nothing else: regular files, mode 0644,
 * or 0755 under scripts/, owner 0, with a fixed time stamp (1980-01-01 in a zip, 1970-01-01 in a tar). ARCHIVES.md
 * specifies the bytes. What the writer of an image must ensure, or else mark the skill ROMFS_NO_ARCHIVE:
 *   (1) every path fits: romfs_archive_path_fits()
 *   (2) a skill has at most 65535 files, including SKILL.md
 *   (3) a deflated file's stream ends with a sync flush and an empty final block:
 *       00 00 FF FF 03 00. A tar.gz leaves out the last two bytes and goes on
 *   (4) node.crc and skill.tar_crc are right; mkromfs/image/archives.h finds the latter */
#ifndef ROMFS_ARCHIVE_H
#define ROMFS_ARCHIVE_H

#include "unescape.h"

#ifdef __cplusplus
extern "C" {
#endif

enum romfs_archive_kind { ROMFS_ZIP, ROMFS_TAR_GZ };

#define ROMFS_ARCHIVE_FILES_MAX 65535u
#define ROMFS_ARCHIVE_MAX 0x80000000u /* 2 GiB, so that its size still fits 32 bits as base64 */
#define ROMFS_ARCHIVE_FINAL_BLOCK 2u  /* bytes of an empty final block, after each deflated file */

/* One archive being taken. The caller owns it; the fields are archive.c's. */
struct romfs_archive {
    const struct romfs *fs;
    const struct romfs_skill *skill;
    uint8_t kind;                  /* enum romfs_archive_kind */
    uint8_t part;                  /* enum part: what is being handed out */
    bool central;                  /* zip: all data is out, now the central directory */
    uint16_t mode;                 /* of the file it is about */
    uint32_t part_len;             /* bytes of the part */
    uint32_t at;                   /* bytes of it handed out */
    uint32_t file;                 /* number of the current file; 0 is SKILL.md */
    const struct romfs_node *node; /* that file */
    const char *path;              /* its path in the archive, as the inside of a JSON string */
    uint32_t path_len;
    uint32_t name_len;          /* the same without escapes */
    uint32_t data_at;           /* bytes of its data in earlier parts */
    struct romfs_unescape text; /* its data, if that is an escaped text */
    uint32_t total;             /* zip: where its local header is; tar: where its header is in the tar */
    uint32_t central_len;       /* zip: bytes of the central directory before it */
    uint32_t pad;               /* tar: zeros still due after the content of the previous file */
    uint32_t put_at;            /* where in the record the next byte is put */
    uint32_t sum;               /* of the bytes put */
    uint8_t made[32];           /* the stretch of the record from `at` on */
};

/* Initialises z at the first byte. `skill` is an index into fs->skills. */
void romfs_archive_start(struct romfs_archive *z, const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind);

/* Back to the first byte. */
void romfs_archive_rewind(struct romfs_archive *z);

/* The next bytes, which are in the image or in z and stay valid until the next call. Returns how many; 0 at the end
 * or before a damaged text, and from then on. */
size_t romfs_archive_next(struct romfs_archive *z, const uint8_t **bytes);

/* The size of the archive, without generating it; 0 when it is more than ROMFS_ARCHIVE_MAX, which no image written by
 * `skillrom pack` needs. */
uint32_t romfs_archive_size(const struct romfs *fs, uint32_t skill, enum romfs_archive_kind kind);

/* True when a path below the skill's directory can be written in a tar header: at most 100 bytes, or up to 255 with a
 * slash that splits them into at most 155 and at most 100. */
bool romfs_archive_path_fits(const char *path, size_t n);

#ifdef __cplusplus
}
#endif

#endif
