/* test_romfs.c -- mounting refuses an unsound image and says why; looking up finds what is
 * there and nothing else. Each flaw is put into a copy of a sound image whose checksum is
 * then made to fit, so that it is the check for this flaw that speaks. */
#include <stdlib.h>
#include <string.h>

#include "romfs.h"
#include "sample.h"
#include "unity.h"

static struct buf sound; /* the image as it was built */
static char *image;      /* a copy to spoil, in a block of its size */
static struct romfs fs;

void setUp(void)
{
    image = sample_exact_copy(sound.p, sound.n);
}

void tearDown(void)
{
    free(image);
}

static struct romfs_header *header(void)
{
    return (void *)image;
}

static int mount_again(void)
{
    size_t from = offsetof(struct romfs_header, version);

    if (header()->meta_size > from && header()->meta_size <= sound.n) {
        header()->crc = romfs_crc32(0, image + from, header()->meta_size - from);
    }
    return romfs_mount(&fs, image, sound.n);
}

/* Sets a field, expects the refusal, and puts the field back. */
#define REFUSED(expected, field, value)                                                                                \
    do {                                                                                                               \
        uint32_t before = (field);                                                                                     \
        (field) = (value);                                                                                             \
        TEST_ASSERT_EQUAL_MESSAGE(expected, mount_again(), #field " = " #value);                                       \
        (field) = before;                                                                                              \
        TEST_ASSERT_EQUAL_MESSAGE(ROMFS_OK, mount_again(), "restored " #field);                                        \
    } while (0)

/* ---- Mounting ---- */

static void a_sound_image_is_mounted(void)
{
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
    TEST_ASSERT_EQUAL_PTR(image, fs.image);
}

static void an_image_inside_a_larger_partition_is_mounted(void)
{
    char *larger = malloc(sound.n + 4096);

    memcpy(larger, sound.p, sound.n);
    memset(larger + sound.n, 0xFF, 4096);
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, larger, sound.n + 4096));
    free(larger);
}

static void an_image_at_an_odd_address_is_refused(void)
{
    char *block = malloc(sound.n + 4);

    for (size_t off = 1; off < 4; off++) {
        memcpy(block + off, sound.p, sound.n);
        TEST_ASSERT_EQUAL(ROMFS_ERR_ALIGN, romfs_mount(&fs, block + off, sound.n));
    }
    free(block);
}

static void every_shorter_image_is_refused_as_short(void)
{
    for (size_t n = 0; n < sound.n; n++) {
        char *cut = sample_exact_copy(sound.p, n);
        TEST_ASSERT_EQUAL(ROMFS_ERR_SHORT, romfs_mount(&fs, cut, n));
        free(cut);
    }
}

static void every_flipped_bit_of_the_guarded_area_is_noticed(void)
{
    for (size_t at = offsetof(struct romfs_header, crc); at < header()->meta_size; at++) {
        image[at] ^= 0x40;
        TEST_ASSERT_NOT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
        image[at] ^= 0x40;
    }
}

static void windows_that_no_reader_has_are_refused(void)
{
    static const uint32_t bad[] = {1, 128, 255, 257, 384, 1000, 65536, 0x80000000u, UINT32_MAX};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        REFUSED(ROMFS_ERR_WINDOW, header()->window, bad[i]);
    }
}

static void the_smallest_and_the_largest_window_are_accepted(void)
{
    for (uint32_t window = ROMFS_WINDOW_MIN; window <= ROMFS_WINDOW_MAX; window *= 2) {
        header()->window = window;
        TEST_ASSERT_EQUAL(ROMFS_OK, mount_again());
    }
}

static void every_refusal_has_its_own_sentence(void)
{
    for (int a = ROMFS_OK; a >= ROMFS_ERR_WINDOW; a--) {
        TEST_ASSERT_GREATER_THAN(10, strlen(romfs_reason(a)));
        for (int b = a - 1; b >= ROMFS_ERR_WINDOW - 1; b--) {
            TEST_ASSERT_NOT_EQUAL(0, strcmp(romfs_reason(a), romfs_reason(b)));
        }
    }
    TEST_ASSERT_NOT_NULL(romfs_reason(12345));
}

/* ---- Looking up ---- */

static void every_path_is_found_and_nothing_near_it(void)
{
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
    for (uint32_t i = 0; i < fs.header->nodes.count; i++) {
        struct romfs_text path = fs.nodes[i].path;
        char *near = sample_exact_copy(romfs_at(&fs, path), path.len);
        TEST_ASSERT_EQUAL_PTR(&fs.nodes[i], romfs_find(&fs, near, path.len));
        if (path.len > 0) {
            const struct romfs_node *shorter = romfs_find(&fs, near, path.len - 1);
            TEST_ASSERT_TRUE(shorter == NULL || shorter->path.len == path.len - 1);
            near[path.len - 1] ^= 1;
            TEST_ASSERT_NULL(romfs_find(&fs, near, path.len));
        }
        free(near);
    }
}

static void odd_spellings_find_nothing(void)
{
    static const char *const odd[] = {"/",     "alpha/",   "/alpha",      "alpha//SKILL.md", "alpha/./SKILL.md",
                                      "Alpha", "alpha/..", "alpha/data/", "my notes.md",     "alpha/my notes.md",
                                      "zzz",   "a",        "alph",        "alphaa"};

    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        TEST_ASSERT_NULL_MESSAGE(romfs_find(&fs, odd[i], strlen(odd[i])), odd[i]);
    }
}

static void tools_and_prompts_are_found_by_their_exact_name(void)
{
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image, sound.n));
    TEST_ASSERT_EQUAL_PTR(&fs.tools[0], romfs_find_tool(&fs, "echo", 4));
    TEST_ASSERT_EQUAL_PTR(&fs.tools[7], romfs_find_tool(&fs, "orphan", 6));
    TEST_ASSERT_NULL(romfs_find_tool(&fs, "ech", 3));
    TEST_ASSERT_NULL(romfs_find_tool(&fs, "echo2", 5));
    TEST_ASSERT_NULL(romfs_find_tool(&fs, "", 0));
    TEST_ASSERT_EQUAL_PTR(&fs.prompts[1], romfs_find_prompt(&fs, "plain", 5));
    TEST_ASSERT_NULL(romfs_find_prompt(&fs, "plai", 4));
}

static void paths_are_ordered_by_parent_then_by_last_segment(void)
{
    static const char *const in_order[] = {"",    "a",     "a.txt", "b",     "b-c",  "b/a",
                                           "b/z", "b-c/a", "b-c/b", "b/a/x", "b/z/x"};
    size_t n = sizeof in_order / sizeof in_order[0];

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            int order = romfs_path_order(in_order[i], strlen(in_order[i]), in_order[k], strlen(in_order[k]));
            TEST_ASSERT_EQUAL_MESSAGE((i > k) - (i < k), (order > 0) - (order < 0), in_order[i]);
        }
    }
}

static void the_checksum_is_the_one_of_zlib(void)
{
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926u, romfs_crc32(0, "123456789", 9));
    TEST_ASSERT_EQUAL_HEX32(0, romfs_crc32(0, "", 0));
    TEST_ASSERT_EQUAL_HEX32(0xCBF43926u, romfs_crc32(romfs_crc32(0, "1234", 4), "56789", 5));
}

int main(void)
{
    sound = sample_image(512);
    UNITY_BEGIN();
    RUN_TEST(a_sound_image_is_mounted);
    RUN_TEST(an_image_inside_a_larger_partition_is_mounted);
    RUN_TEST(an_image_at_an_odd_address_is_refused);
    RUN_TEST(every_shorter_image_is_refused_as_short);
    RUN_TEST(every_flipped_bit_of_the_guarded_area_is_noticed);
    RUN_TEST(windows_that_no_reader_has_are_refused);
    RUN_TEST(the_smallest_and_the_largest_window_are_accepted);
    RUN_TEST(every_refusal_has_its_own_sentence);
    RUN_TEST(every_path_is_found_and_nothing_near_it);
    RUN_TEST(odd_spellings_find_nothing);
    RUN_TEST(tools_and_prompts_are_found_by_their_exact_name);
    RUN_TEST(paths_are_ordered_by_parent_then_by_last_segment);
    RUN_TEST(the_checksum_is_the_one_of_zlib);
    return UNITY_END();
}
