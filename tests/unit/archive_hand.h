/* archive_hand.h -- a skill that is made by hand, record by record, in a heap block of its exact size; and the bytes of its
 * archives. */
#ifndef TESTS_ARCHIVE_HAND_H
#define TESTS_ARCHIVE_HAND_H

#include "archive.h"
#include "base/buf.h"
#include "romfs.h"
#include "text/span.h"

#define HAND_FILES 8
#define HAND_ESCAPE SIZE_MAX /* instead of a window: texts are stored escaped */

/* Paths are as the image has them, names as they must come out. */
struct hand {
    struct romfs fs;
    struct buf image;
    struct romfs_node nodes[HAND_FILES];
    struct romfs_file files[HAND_FILES];
    struct romfs_skill skill;
    const char *names[HAND_FILES];
    struct skr_span contents[HAND_FILES];
    uint32_t count;
};
extern struct hand hand;

struct skr_span hand_chars(const char *text);

/* The first one is SKILL.md; its path is not looked at. */
void hand_add(const char *path, const char *name, struct skr_span content, size_t window);

/* To be called when all files are in; the image moves to a block of its exact size. */
void hand_finish(void);

struct skr_span hand_large(void); /* several stored blocks, and nothing to compress */

#define HAND_LONG_PREFIX "a23456789/b23456789/c23456789/d23456789/e23456789/f23456789/g23456789/h23456789/i23456789/"

/* A skill with files of all kinds. */
void hand_make(size_t window);

/* The bytes of an archive, be it whole or not; and of a whole one. */
struct buf hand_take_any(enum romfs_archive_kind kind);
struct buf hand_take(enum romfs_archive_kind kind);

/* The content of a raw deflate stream of n bytes, which is `size` bytes long. */
struct buf hand_inflate(const uint8_t *p, size_t n, size_t size);

void hand_content_is(uint32_t file, const uint8_t *p, size_t n);

#endif
