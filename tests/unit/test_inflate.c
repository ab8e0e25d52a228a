/* test_inflate.c -- deflated files: exact when sound, bounded when not. Streams are made by
 * hand, by the image compiler's deflater, and by damaging the latter's; each lies in a heap
 * block of its own size, and the window too. */
#include <stdlib.h>
#include <string.h>

#include "image/deflate.h"
#include "inflate.h"
#include "sample.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- Reading ---- */

struct reading {
    struct buf content;
    bool whole;
};

/* Reads a stream whose record says `size`, as a mounted image would have it. */
static struct reading read_stream(const void *stream, size_t n, uint32_t size, uint32_t window_size)
{
    struct romfs_header header = {.window = window_size};
    struct romfs_node node = {.flags = ROMFS_DEFLATE, .stored = (uint32_t)n, .size = size};
    uint8_t *copy = (uint8_t *)sample_exact_copy(stream, n), *window = malloc(window_size);
    struct romfs fs = {.image = copy, .header = &header};
    struct romfs_inflate z;
    struct reading result = {{0}, false};
    const uint8_t *bytes;
    size_t more;

    memset(window, 0xAA, window_size);
    romfs_inflate_start(&z, &fs, &node, window);
    while ((more = romfs_inflate_next(&z, &bytes)) > 0) {
        TEST_ASSERT_TRUE(bytes >= window && more <= window_size && bytes + more <= window + window_size);
        buf_add(&result.content, bytes, more);
        TEST_ASSERT_TRUE(result.content.n <= size); /* so it also ends */
    }
    TEST_ASSERT_EQUAL(0, romfs_inflate_next(&z, &bytes)); /* the end stays the end */
    result.whole = romfs_inflate_whole(&z);
    TEST_ASSERT_EQUAL_MESSAGE(result.content.n == size, result.whole, "whole means that every byte was handed out");
    free(copy);
    free(window);
    return result;
}

static bool reads_as(const void *stream, size_t n, uint32_t window, const void *content, size_t size)
{
    struct reading r = read_stream(stream, n, (uint32_t)size, window);
    bool same = r.whole && (size == 0 || memcmp(r.content.p, content, size) == 0);

    free(r.content.p);
    return same;
}

/* ---- Writing bits ---- */

struct bits {
    uint8_t bytes[128];
    size_t n; /* bits */
};

/* Deflate puts numbers with their low bit first. */
static void put_bits(struct bits *b, unsigned value, unsigned count)
{
    for (unsigned i = 0; i < count; i++, b->n++) {
        b->bytes[b->n / 8] = (uint8_t)(b->bytes[b->n / 8] | (value >> i & 1u) << b->n % 8);
    }
}

/* A dynamic block whose literal code has one symbol only, the end of the block; its
 * code is 0, and 1 stands for nothing. */
static void put_one_symbol_block(struct bits *b)
{
    static const unsigned char length_of_code[18] = {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    put_bits(b, 1, 1); /* last block */
    put_bits(b, 2, 2); /* dynamic */
    put_bits(b, 0, 5); /* 257 literals */
    put_bits(b, 0, 5); /* 1 distance */
    put_bits(b, 14, 4);
    for (unsigned i = 0; i < 18; i++) {
        put_bits(b, length_of_code[i], 3);
    }
    put_bits(b, 1, 1); /* symbol 18: a run of zero lengths */
    put_bits(b, 138 - 11, 7);
    put_bits(b, 1, 1);
    put_bits(b, 118 - 11, 7);
    put_bits(b, 0, 1); /* symbol 1: the end of the block has a code of one bit */
    put_bits(b, 0, 1); /* the distance likewise */
}

/* ---- Sound streams ---- */

static void stored_and_fixed_blocks_are_read(void)
{
    TEST_ASSERT_TRUE(reads_as("\x01\x05\x00\xFA\xFFhello", 10, 256, "hello", 5));
    TEST_ASSERT_TRUE(reads_as("\xCB\x48\xCD\xC9\xC9\x07\x00", 7, 256, "hello", 5));
    TEST_ASSERT_TRUE(reads_as("\x03\x00", 2, 256, "", 0));
}

static void what_the_compiler_deflates_is_read_back_with_every_window(void)
{
    struct skr_span text = sample_long_text();

    for (uint32_t window = 256; window <= 32768; window *= 2) {
        struct buf stream = {0};
        TEST_ASSERT_TRUE(deflate_raw((const uint8_t *)text.p, text.n, window, &stream));
        TEST_ASSERT_TRUE(reads_as(stream.p, stream.n, window, text.p, text.n));
        free(stream.p);
    }
}

static void a_file_of_many_windows_is_read_to_its_last_byte(void)
{
    static uint8_t big[300000];

    for (size_t i = 0; i < sizeof big; i++) {
        big[i] = (uint8_t)(i / 1000 + (i % 7) * (i % 13));
    }
    struct buf stream = {0};
    TEST_ASSERT_TRUE(deflate_raw(big, sizeof big, 512, &stream));
    TEST_ASSERT_TRUE(reads_as(stream.p, stream.n, 512, big, sizeof big));
    free(stream.p);
}

/* ---- Streams that disagree with their record ---- */

static void a_stream_longer_than_recorded_is_cut_at_the_recorded_size(void)
{
    TEST_ASSERT_TRUE(reads_as("\x01\x05\x00\xFA\xFFhello", 10, 256, "hel", 3));
    TEST_ASSERT_TRUE(reads_as("\x01\x05\x00\xFA\xFFhello", 10, 256, "", 0));
}

static void a_stream_shorter_than_recorded_is_not_whole(void)
{
    struct reading r = read_stream("\x01\x05\x00\xFA\xFFhello", 10, 6, 256);

    TEST_ASSERT_FALSE(r.whole);
    free(r.content.p);
}

static void a_stream_that_runs_on_for_ever_ends_at_the_recorded_size(void)
{
    struct bits b = {{0}, 0};

    put_one_symbol_block(&b);
    put_bits(&b, 0xFFFFFFFFu, 32); /* no symbol at all: zlib refuses, tinfl makes zeros without end */
    put_bits(&b, 0xFFFFFFFFu, 32);
    for (uint32_t size = 0; size < 100000; size = size * 3 + 1) {
        for (uint32_t window = 256; window <= 32768; window *= 2) {
            struct reading r = read_stream(b.bytes, 28, size, window);
            free(r.content.p);
        }
    }
}

/* A fixed block that begins by repeating three bytes, which are none of its own. A window that has served another file still
 * holds some of it, and that is nobody's business. */
static void a_stream_that_refers_to_what_was_before_it_gets_zeros(void)
{
    static const uint8_t stream[] = {0x03, 0x02, 0x00};

    TEST_ASSERT_TRUE(reads_as(stream, sizeof stream, 512, "\0\0\0", 3));
}

static void an_empty_stream_of_a_file_that_has_bytes_is_not_whole(void)
{
    TEST_ASSERT_FALSE(read_stream("", 0, 5, 256).whole);
}

static void every_cut_stream_ends_and_is_not_whole(void)
{
    struct skr_span text = sample_long_text();
    struct buf stream = {0};

    TEST_ASSERT_TRUE(deflate_raw((const uint8_t *)text.p, text.n, 1024, &stream));
    for (size_t n = 0; n + 2 < stream.n; n++) { /* the last bytes may hold no more than the end mark */
        struct reading r = read_stream(stream.p, n, (uint32_t)text.n, 1024);
        TEST_ASSERT_FALSE(r.whole);
        free(r.content.p);
    }
    free(stream.p);
}

/* The content is all there, then the stream turns out to be broken: whatever is said about
 * it, bytes and verdict must agree, or a response ends in its middle unnoticed. */
static void bytes_and_verdict_agree_when_a_stream_breaks_after_its_last_byte(void)
{
    static const char good_then_bad[] = "\x00\x05\x00\xFA\xFFhello\x07"; /* block type 3 does not exist */

    for (uint32_t size = 0; size <= 6; size++) {
        free(read_stream(good_then_bad, sizeof good_then_bad - 1, size, 256).content.p);
        free(read_stream(good_then_bad, 10, size, 256).content.p); /* cut where the next block starts */
    }
}

static void bytes_and_verdict_agree_for_damaged_streams(void)
{
    struct skr_span text = sample_long_text();
    struct buf stream = {0};
    uint32_t seed = 12345;

    TEST_ASSERT_TRUE(deflate_raw((const uint8_t *)text.p, text.n, 256, &stream));
    for (unsigned round = 0; round < 4000; round++) {
        uint8_t *copy = (uint8_t *)sample_exact_copy(stream.p, stream.n);
        for (unsigned k = 0; k <= round % 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            copy[(seed >> 8) % stream.n] ^= (uint8_t)(1u << (seed >> 29));
        }
        free(read_stream(copy, stream.n, (uint32_t)text.n, 256).content.p);
        free(copy);
    }
    free(stream.p);
}

static void garbage_is_read_without_harm(void)
{
    uint8_t garbage[64];
    uint32_t seed = 99;

    for (unsigned round = 0; round < 20000; round++) {
        for (size_t i = 0; i < sizeof garbage; i++) {
            seed = seed * 1664525u + 1013904223u;
            garbage[i] = (uint8_t)(seed >> 24);
        }
        if (round % 2 == 0) { /* dynamic blocks are where the trees are */
            garbage[0] = (uint8_t)((garbage[0] & ~7u) | 5u);
        }
        free(read_stream(garbage, 1 + round % sizeof garbage, 1 + (seed >> 20), 256).content.p);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(stored_and_fixed_blocks_are_read);
    RUN_TEST(what_the_compiler_deflates_is_read_back_with_every_window);
    RUN_TEST(a_file_of_many_windows_is_read_to_its_last_byte);
    RUN_TEST(a_stream_longer_than_recorded_is_cut_at_the_recorded_size);
    RUN_TEST(a_stream_shorter_than_recorded_is_not_whole);
    RUN_TEST(a_stream_that_runs_on_for_ever_ends_at_the_recorded_size);
    RUN_TEST(a_stream_that_refers_to_what_was_before_it_gets_zeros);
    RUN_TEST(an_empty_stream_of_a_file_that_has_bytes_is_not_whole);
    RUN_TEST(every_cut_stream_ends_and_is_not_whole);
    RUN_TEST(bytes_and_verdict_agree_when_a_stream_breaks_after_its_last_byte);
    RUN_TEST(bytes_and_verdict_agree_for_damaged_streams);
    RUN_TEST(garbage_is_read_without_harm);
    return UNITY_END();
}
