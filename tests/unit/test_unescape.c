/* test_unescape.c -- escaped texts: exact when sound, stopped at the damage when not. Each text lies in a heap block of
 * its own size, so that the sanitizer sees the first read after it. */
#include <stdlib.h>
#include <string.h>

#include "base/json_out.h"
#include "sample.h"
#include "text/json_scan.h"
#include "unescape.h"
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

/* Reads n escaped bytes, at most `max` at a time. */
static struct reading read_text(const void *escaped, size_t n, size_t max)
{
    uint8_t *copy = (uint8_t *)sample_exact_copy(escaped, n);
    struct reading r = {{0}, false};
    struct romfs_unescape u;
    const uint8_t *bytes;
    size_t more;

    romfs_unescape_start(&u, copy, n);
    while ((more = romfs_unescape_next(&u, max, &bytes)) > 0) {
        TEST_ASSERT_TRUE(more <= max);
        buf_add(&r.content, bytes, more);
        TEST_ASSERT_TRUE(r.content.n <= n); /* so it also ends */
    }
    r.whole = romfs_unescape_whole(&u);
    TEST_ASSERT_EQUAL(0, romfs_unescape_next(&u, max, &bytes)); /* the end stays the end */
    TEST_ASSERT_EQUAL(r.whole, romfs_unescape_whole(&u));
    free(copy);
    return r;
}

static void reads_as(struct skr_span content, const void *escaped, size_t n, size_t max)
{
    struct reading r = read_text(escaped, n, max);

    TEST_ASSERT_TRUE(r.whole);
    TEST_ASSERT_EQUAL(content.n, r.content.n);
    TEST_ASSERT_EQUAL_INT(0, content.n > 0 ? memcmp(content.p, r.content.p, content.n) : 0);
    free(r.content.p);
}

static struct buf escaped(struct skr_span content)
{
    struct buf b = {0};

    json_inside(&b, content.p, content.n);
    return b;
}

static void what_the_compiler_escapes_comes_back_in_portions_of_any_size(void)
{
    const struct skr_span texts[] = {sample_all_text(), sample_long_text(), {"", 0}, {"\n", 1}, {"\\\"", 2}};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct buf b = escaped(texts[i]);
        for (size_t max = 1; max <= 300; max++) {
            reads_as(texts[i], b.p, b.n, max);
        }
        reads_as(texts[i], b.p, b.n, SIZE_MAX);
        free(b.p);
    }
}

/* A text that ends inside an escape is damaged; one that ends before it is a shorter text. */
static void a_text_cut_anywhere_is_noticed_inside_an_escape_and_only_there(void)
{
    struct skr_span all = sample_all_text();
    struct buf b = escaped(all);
    size_t sound = 0;

    for (size_t n = 0; n <= all.n; n++) { /* after each byte of content */
        struct buf head = escaped((struct skr_span){all.p, n});
        for (; sound < head.n; sound++) {
            struct reading r = read_text(b.p, sound, 7);
            struct buf before = escaped((struct skr_span){all.p, n - 1});
            TEST_ASSERT_EQUAL(sound == before.n, r.whole);
            free(before.p);
            free(r.content.p);
        }
        reads_as((struct skr_span){all.p, n}, b.p, head.n, 7);
        free(head.p);
    }
    TEST_ASSERT_EQUAL(b.n, sound);
    free(b.p);
}

static void what_no_json_string_has_inside_ends_the_text(void)
{
    static const char *const bad[] = {"\"",      "\n",      "\x1F",    "\x01",    "\\",      "\\a",     "\\/",
                                      "\\N",     "\\'",     "\\x41",   "\\u",     "\\u0",    "\\u001",  "\\u0000",
                                      "\\u0020", "\\u001F", "\\u001G", "\\u001g", "\\u001`", "\\u001:", "\\u00/1",
                                      "\\u002a", "\\u0101", "\\U001f", "\\ud83d", "\\u00e9", "\\u00",   "\\u000\xFF",
                                      "\\u 01f", "\\u001/", "\\\"\"\\"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[32] = "good";
        strcat(text, bad[i]);
        struct reading r = read_text(text, strlen(text), SIZE_MAX);
        TEST_ASSERT_FALSE_MESSAGE(r.whole, bad[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, memcmp(r.content.p, "good", 4), bad[i]);
        free(r.content.p);
    }
    struct reading r = read_text("a\0b", 3, SIZE_MAX);
    TEST_ASSERT_FALSE(r.whole);
    free(r.content.p);
}

/* The promise that lets a server send a text without a look at it: every byte in turn replaced by every other
 * of ASCII. */
static void a_text_that_reads_whole_can_stand_in_a_json_string(void)
{
    struct skr_span content = {"a\"b\\c\nd\001e\037f\t/", 13};
    struct buf b = escaped(content);
    unsigned whole = 0;

    for (size_t at = 0; at < b.n; at++) {
        uint8_t right = b.p[at];
        for (unsigned c = 0; c < 0x80; c++) {
            char quoted[64] = "\"";
            b.p[at] = (uint8_t)c;
            memcpy(quoted + 1, b.p, b.n);
            quoted[1 + b.n] = '"';
            struct reading r = read_text(b.p, b.n, SIZE_MAX);
            TEST_ASSERT_TRUE(!r.whole || skr_json_check(quoted, b.n + 2) == SKR_JSON_OK);
            whole += r.whole;
            free(r.content.p);
        }
        b.p[at] = right;
    }
    TEST_ASSERT_GREATER_THAN(1000, whole);
    free(b.p);
}

/* ---- Places ---- */

static void every_place_of_the_content_is_found_in_the_escaped_bytes(void)
{
    struct skr_span all = sample_all_text();
    struct buf b = escaped(all);
    struct romfs fs = {.image = (const uint8_t *)sample_exact_copy(b.p, b.n)};
    struct romfs_node node = {.stored = (uint32_t)b.n, .size = (uint32_t)all.n};

    for (uint32_t at = 0; at <= all.n; at++) {
        uint32_t n = at;
        while (n < all.n && (all.p[n] & 0xC0) == 0x80) { /* inside a character: the next one */
            n++;
        }
        struct buf head = escaped((struct skr_span){all.p, n});
        TEST_ASSERT_EQUAL(head.n, romfs_escaped_at(&fs, &node, at));
        free(head.p);
    }
    TEST_ASSERT_EQUAL(b.n, romfs_escaped_at(&fs, &node, (uint32_t)all.n + 1));
    TEST_ASSERT_EQUAL(b.n, romfs_escaped_at(&fs, &node, UINT32_MAX));
    free((void *)fs.image);
    free(b.p);
}

static void a_place_after_a_damaged_end_is_the_end(void)
{
    static const char *const ends[] = {"\\", "\\u", "\\u00", "x\\u001"};

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t n = strlen(ends[i]);
        struct romfs fs = {.image = (const uint8_t *)sample_exact_copy(ends[i], n)};
        struct romfs_node node = {.stored = (uint32_t)n, .size = (uint32_t)n};
        TEST_ASSERT_EQUAL(n, romfs_escaped_at(&fs, &node, 2));
        free((void *)fs.image);
    }
}

/* ---- A whole image ---- */

static void an_image_with_a_forged_text_is_told_from_a_sound_one(void)
{
    static const char *const forged[] = {"\"", "\\", "\n", "\x01"};
    struct buf image = sample_image(0);
    struct romfs fs;

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image.p, image.n));
    const struct romfs_node *node = romfs_find(&fs, "alpha/long.txt", 14);
    TEST_ASSERT_TRUE((node->flags & ROMFS_ESCAPED) != 0);
    TEST_ASSERT_TRUE(romfs_texts_are_sound(&fs));
    for (uint32_t at = 0; at < node->stored; at += node->stored - 1) { /* the first byte, and the last */
        uint8_t right = image.p[node->data + at];
        for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
            image.p[node->data + at] = (uint8_t)forged[i][0];
            TEST_ASSERT_FALSE(romfs_texts_are_sound(&fs));
        }
        image.p[node->data + at] = right;
    }
    TEST_ASSERT_TRUE(romfs_texts_are_sound(&fs));
    ((struct romfs_node *)(uintptr_t)node)->size--; /* it would go on past its end */
    TEST_ASSERT_FALSE(romfs_texts_are_sound(&fs));
    ((struct romfs_node *)(uintptr_t)node)->size += 2; /* it would end before that */
    TEST_ASSERT_FALSE(romfs_texts_are_sound(&fs));
    free(image.p);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(what_the_compiler_escapes_comes_back_in_portions_of_any_size);
    RUN_TEST(a_text_cut_anywhere_is_noticed_inside_an_escape_and_only_there);
    RUN_TEST(what_no_json_string_has_inside_ends_the_text);
    RUN_TEST(a_text_that_reads_whole_can_stand_in_a_json_string);
    RUN_TEST(every_place_of_the_content_is_found_in_the_escaped_bytes);
    RUN_TEST(a_place_after_a_damaged_end_is_the_end);
    RUN_TEST(an_image_with_a_forged_text_is_told_from_a_sound_one);
    return UNITY_END();
}
