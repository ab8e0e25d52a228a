/* archive_hand.c -- see archive_hand.h. */
#include "archive_hand.h"

#include <string.h>

#include "base/json_out.h"
#include "image/archives.h"
#include "image/deflate.h"
#include "image/text_facts.h"
#include "miniz.h"
#include "sample.h"
#include "unity.h"

struct hand hand;

struct skr_span hand_chars(const char *text)
{
    struct skr_span s = {text, strlen(text)};

    return s;
}

static uint32_t add_bytes(const void *bytes, size_t n)
{
    uint32_t at = (uint32_t)hand.image.n;

    buf_add(&hand.image, bytes, n);
    return at;
}

static bool can_be_text(struct skr_span content)
{
    struct text_facts facts = {0};

    text_facts_add(&facts, (const uint8_t *)content.p, content.n);
    return text_facts_is_text(&facts);
}

/* The first one is SKILL.md; its path is not looked at. */
void hand_add(const char *path, const char *name, struct skr_span content, size_t window)
{
    struct romfs_node *node = &hand.nodes[hand.count];
    struct romfs_text text = {add_bytes(path, strlen(path)), (uint32_t)strlen(path)};

    hand.names[hand.count] = name;
    hand.contents[hand.count] = content;
    node->size = (uint32_t)content.n;
    node->crc = romfs_crc32(0, content.p, content.n);
    node->data = (uint32_t)hand.image.n;
    if (window == HAND_ESCAPE && can_be_text(content)) {
        node->flags = ROMFS_TEXT | ROMFS_ESCAPED;
        json_inside(&hand.image, content.p, content.n);
    } else if (window > 0 && window != HAND_ESCAPE &&
               deflate_raw((const uint8_t *)content.p, content.n, window, &hand.image)) {
        node->flags = ROMFS_DEFLATE;
    } else {
        add_bytes(content.p, content.n);
    }
    node->stored = (uint32_t)hand.image.n - node->data;
    if (hand.count > 0) {
        struct romfs_file *file = &hand.files[hand.count - 1];
        file->path = text;
        file->node = hand.count;
        hand.skill.file_count++;
    }
    hand.count++;
}

/* To be called when all files are in; the image moves to a block of its exact size. */
void hand_finish(void)
{
    hand.fs.image = (const uint8_t *)sample_exact_copy(hand.image.p, hand.image.n);
    hand.fs.nodes = hand.nodes;
    hand.fs.files = hand.files;
    hand.fs.skills = &hand.skill;
}

struct skr_span hand_large(void) /* several stored blocks, and nothing to compress */
{
    static char bytes[140000];
    uint32_t x = 1;

    for (size_t i = 0; i < sizeof bytes; i++) {
        x = x * 69069u + 1u;
        bytes[i] = (char)(x >> 24);
    }
    struct skr_span s = {bytes, sizeof bytes};
    return s;
}

void hand_make(size_t window)
{
    static const char block[512] = {1};
    struct skr_span exact = {block, sizeof block};

    hand_add("", "SKILL.md", hand_chars("---\nname: hand\n---\nDo it by hand, by hand, by hand, by hand.\n"), window);
    hand_add("a \\\"quoted\\\" name.txt", "a \"quoted\" name.txt", hand_chars("q"), window);
    hand_add(HAND_LONG_PREFIX "long enough to be parted.txt", HAND_LONG_PREFIX "long enough to be parted.txt",
             sample_long_text(), window);
    hand_add("empty", "empty", hand_chars(""), window);
    hand_add("exact.bin", "exact.bin", exact, window);
    hand_add("large.bin", "large.bin", hand_large(), window);
    hand_add("scripts/run.sh", "scripts/run.sh", hand_chars("#!/bin/sh\n"), window);
    hand_add("\xC3\xA9t\xC3\xA9.txt", "\xC3\xA9t\xC3\xA9.txt", sample_all_text(), window);
    hand_finish();
    TEST_ASSERT_TRUE(archives_tar_crc(&hand.fs, 0, &hand.skill.tar_crc));
}

/* What comes out of it, be it whole or not. */
struct buf hand_take_any(enum romfs_archive_kind kind)
{
    struct romfs_archive z;
    struct buf all = {0};
    const uint8_t *bytes;
    size_t n;

    memset(&z, 0xA5, sizeof z);
    romfs_archive_start(&z, &hand.fs, 0, kind);
    while ((n = romfs_archive_next(&z, &bytes)) > 0) {
        bool in_z = bytes >= (uint8_t *)&z && bytes + n <= (uint8_t *)(&z + 1);
        bool in_image = bytes >= hand.fs.image && bytes + n <= hand.fs.image + hand.image.n;
        TEST_ASSERT_TRUE(in_z || in_image);
        buf_add(&all, bytes, n);
    }
    TEST_ASSERT_EQUAL(0, romfs_archive_next(&z, &bytes)); /* the end stays the end */
    return all;
}

struct buf hand_take(enum romfs_archive_kind kind)
{
    struct buf all = hand_take_any(kind);

    TEST_ASSERT_EQUAL(all.n, romfs_archive_size(&hand.fs, 0, kind));
    return all;
}

struct buf hand_inflate(const uint8_t *p, size_t n, size_t size)
{
    struct buf out = {xmalloc(size + 1), 0, size + 1};
    tinfl_decompressor tinfl;
    size_t in = n;

    out.n = size + 1; /* one more, to see that there is no more */
    tinfl_init(&tinfl);
    TEST_ASSERT_EQUAL(TINFL_STATUS_DONE,
                      tinfl_decompress(&tinfl, p, &in, out.p, out.p, &out.n, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF));
    TEST_ASSERT_EQUAL(n, in);
    TEST_ASSERT_EQUAL(size, out.n);
    return out;
}

void hand_content_is(uint32_t file, const uint8_t *p, size_t n)
{
    TEST_ASSERT_EQUAL(hand.contents[file].n, n);
    TEST_ASSERT_EQUAL_INT(0, n > 0 ? memcmp(hand.contents[file].p, p, n) : 0);
}
