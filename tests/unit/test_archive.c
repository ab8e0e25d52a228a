/* test_archive.c -- archives made while they are taken. The skills are those of archive_hand.h;
 * test_archive_read.c reads archives from the server, tests/wire/archive has real unpackers. */
#include <stdlib.h>
#include <string.h>

#include "archive_hand.h"
#include "image/archives.h"
#include "sample.h"
#include "unity.h"

#define HEAD 10 /* of gzip */
#define TAIL 8

void setUp(void)
{
    memset(&hand, 0, sizeof hand);
}

void tearDown(void)
{
    free((void *)hand.fs.image);
    free(hand.image.p);
}

static uint32_t number(const uint8_t *p, unsigned n)
{
    uint32_t value = 0;

    while (n > 0) {
        value = value << 8 | p[--n];
    }
    return value;
}

/* ---- zip ---- */

/* Reads a local header and the data behind; returns where the next thing starts. */
static size_t check_local(const struct buf *zip, size_t at, uint32_t file)
{
    const uint8_t *p = zip->p + at;
    uint32_t packed = number(p + 18, 4), name = number(p + 26, 2);

    TEST_ASSERT_EQUAL_HEX32(0x04034B50u, number(p, 4));
    TEST_ASSERT_EQUAL_HEX32(0x08000014u, number(p + 4, 4));  /* version 2.0 reads it; names are UTF-8 */
    TEST_ASSERT_EQUAL_HEX32(0x00210000u, number(p + 10, 4)); /* 1980-01-01 00:00 */
    TEST_ASSERT_EQUAL_HEX32(hand.nodes[file].crc, number(p + 14, 4));
    TEST_ASSERT_EQUAL(hand.contents[file].n, number(p + 22, 4));
    TEST_ASSERT_EQUAL(strlen(hand.names[file]), name);
    TEST_ASSERT_EQUAL_MEMORY(hand.names[file], p + 30, name);
    if (number(p + 8, 2) == 8) {
        struct buf content = hand_inflate(p + 30 + name, packed, hand.contents[file].n);
        hand_content_is(file, content.p, content.n);
        free(content.p);
    } else {
        hand_content_is(file, p + 30 + name, packed);
    }
    return at + 30 + name + packed;
}

static size_t check_central(const struct buf *zip, size_t at, uint32_t file, size_t local)
{
    const uint8_t *p = zip->p + at, *l = zip->p + local;
    uint32_t name = number(p + 28, 2);
    bool script = strncmp(hand.names[file], "scripts/", 8) == 0;

    TEST_ASSERT_EQUAL_HEX32(0x02014B50u, number(p, 4));
    TEST_ASSERT_EQUAL_HEX32(0x0314u, number(p + 4, 2)); /* by version 2.0 on Unix */
    TEST_ASSERT_EACH_EQUAL_UINT8(0, p + 30, 8);         /* nothing extra, no comment, first disk, no inner attributes */
    TEST_ASSERT_EQUAL_MEMORY(l + 4, p + 6, 26);
    TEST_ASSERT_EQUAL_HEX32((script ? 0100755u : 0100644u) << 16, number(p + 38, 4));
    TEST_ASSERT_EQUAL(local, number(p + 42, 4));
    TEST_ASSERT_EQUAL_MEMORY(hand.names[file], p + 46, name);
    return at + 46 + name;
}

static void check_zip(void)
{
    struct buf zip = hand_take(ROMFS_ZIP);
    size_t locals[HAND_FILES], at = 0;

    for (uint32_t i = 0; i < hand.count; i++) {
        locals[i] = at;
        at = check_local(&zip, at, i);
    }
    size_t central = at;
    for (uint32_t i = 0; i < hand.count; i++) {
        at = check_central(&zip, at, i, locals[i]);
    }
    TEST_ASSERT_EQUAL_HEX32(0x06054B50u, number(zip.p + at, 4));
    TEST_ASSERT_EQUAL(0, number(zip.p + at + 4, 4)); /* one disk */
    TEST_ASSERT_EQUAL(hand.count, number(zip.p + at + 8, 2));
    TEST_ASSERT_EQUAL(hand.count, number(zip.p + at + 10, 2));
    TEST_ASSERT_EQUAL(at - central, number(zip.p + at + 12, 4));
    TEST_ASSERT_EQUAL(central, number(zip.p + at + 16, 4));
    TEST_ASSERT_EQUAL(0, number(zip.p + at + 20, 2)); /* no comment */
    TEST_ASSERT_EQUAL(zip.n, at + 22);
    free(zip.p);
}

static void zip_of_raw_files(void)
{
    hand_make(0);
    check_zip();
}

static struct skr_span long_lines(void) /* whose escapes lie at the ends of stored blocks */
{
    static char text[140000];

    memset(text, 'x', sizeof text);
    for (size_t i = 0; i < sizeof text; i += 100) {
        text[i] = '\n';
    }
    memset(text + 65500, '"', 70);
    struct skr_span s = {text, sizeof text};
    return s;
}

static void make_escaped_skill(void)
{
    hand_make(HAND_ESCAPE);
    TEST_ASSERT_EQUAL(ROMFS_TEXT | ROMFS_ESCAPED, hand.nodes[2].flags);
    TEST_ASSERT_GREATER_THAN(hand.nodes[2].size, hand.nodes[2].stored);
    TEST_ASSERT_EQUAL(0, hand.nodes[5].flags);
    tearDown();
    setUp();
    hand_add("", "SKILL.md", long_lines(), HAND_ESCAPE);
    hand_add("all.txt", "all.txt", sample_all_text(), HAND_ESCAPE);
    hand_finish();
    TEST_ASSERT_TRUE(archives_tar_crc(&hand.fs, 0, &hand.skill.tar_crc));
}

static void zip_of_escaped_files(void)
{
    hand_make(HAND_ESCAPE);
    check_zip();
    tearDown();
    setUp();
    make_escaped_skill();
    check_zip();
}

static void zip_of_deflated_files(void)
{
    static const size_t windows[] = {256, 4096, 32768};

    for (size_t i = 0; i < 3; i++) {
        hand_make(windows[i]);
        TEST_ASSERT_TRUE((hand.nodes[2].flags & ROMFS_DEFLATE) != 0);
        check_zip();
        tearDown();
        setUp();
    }
}

/* ---- tar.gz ---- */

static uint32_t header_sum(const uint8_t *p)
{
    uint32_t sum = 8 * ' ';

    for (size_t i = 0; i < 512; i++) {
        sum += i < 148 || i >= 156 ? p[i] : 0;
    }
    return sum;
}

static void check_header(const uint8_t *p, uint32_t file)
{
    char name[512], *end;

    snprintf(name, sizeof name, "%.155s%s%.100s", (const char *)p + 345, p[345] != 0 ? "/" : "", (const char *)p);
    TEST_ASSERT_EQUAL_STRING(hand.names[file], name);
    TEST_ASSERT_EQUAL(strlen(name) > 100, p[345] != 0); /* what fits is not parted (defect 30) */
    TEST_ASSERT_EQUAL_STRING(strncmp(name, "scripts/", 8) == 0 ? "0000755" : "0000644", (const char *)p + 100);
    TEST_ASSERT_EQUAL_STRING("0000000", (const char *)p + 108);
    TEST_ASSERT_EQUAL_STRING("0000000", (const char *)p + 116);
    TEST_ASSERT_EQUAL(hand.contents[file].n, strtoul((const char *)p + 124, &end, 8));
    TEST_ASSERT_EQUAL_STRING("00000000000", (const char *)p + 136);
    TEST_ASSERT_EQUAL(header_sum(p), strtoul((const char *)p + 148, &end, 8));
    TEST_ASSERT_EQUAL_MEMORY("\0 0", end, 3);
    TEST_ASSERT_EQUAL_MEMORY("ustar\00000", p + 257, 8);
}

static void check_tar(void)
{
    static const uint8_t zeros[1024];
    struct buf gz = hand_take(ROMFS_TAR_GZ);
    uint32_t size = number(gz.p + gz.n - 4, 4);

    TEST_ASSERT_EQUAL_MEMORY("\x1F\x8B\x08\0\0\0\0\0\0\xFF", gz.p, HEAD);
    struct buf tar = hand_inflate(gz.p + HEAD, gz.n - HEAD - TAIL, size);
    TEST_ASSERT_EQUAL_HEX32(romfs_crc32(0, tar.p, tar.n), number(gz.p + gz.n - TAIL, 4));
    size_t at = 0;
    for (uint32_t i = 0; i < hand.count; i++) {
        size_t n = hand.contents[i].n, pad = (512 - n % 512) % 512;
        check_header(tar.p + at, i);
        hand_content_is(i, tar.p + at + 512, n);
        TEST_ASSERT_EQUAL_INT(0, memcmp(zeros, tar.p + at + 512 + n, pad));
        at += 512 + n + pad;
    }
    TEST_ASSERT_EQUAL(at + 1024, tar.n);
    TEST_ASSERT_EQUAL_MEMORY(zeros, tar.p + at, 1024);
    free(tar.p);
    free(gz.p);
}

static void tar_of_raw_files(void)
{
    hand_make(0);
    check_tar();
}

static void tar_of_escaped_files(void)
{
    hand_make(HAND_ESCAPE);
    check_tar();
    tearDown();
    setUp();
    make_escaped_skill();
    check_tar();
}

/* What was taken before it is right; then there is no more, and it is not the end of the archive. */
static void an_archive_breaks_off_before_a_damaged_text(void)
{
    make_escaped_skill();
    for (unsigned kind = ROMFS_ZIP; kind <= ROMFS_TAR_GZ; kind++) {
        struct buf sound = hand_take((enum romfs_archive_kind)kind);
        uint8_t *byte = (uint8_t *)(uintptr_t)hand.fs.image + hand.nodes[0].data + 70000, right = *byte;
        *byte = '\n';
        struct buf cut = hand_take_any((enum romfs_archive_kind)kind);
        TEST_ASSERT_GREATER_THAN(65000, cut.n);
        TEST_ASSERT_LESS_THAN(71000, cut.n);
        TEST_ASSERT_EQUAL_MEMORY(sound.p, cut.p, cut.n);
        *byte = right;
        free(sound.p);
        free(cut.p);
    }
}

static void tar_of_deflated_files(void)
{
    static const size_t windows[] = {256, 4096, 32768};

    for (size_t i = 0; i < 3; i++) {
        hand_make(windows[i]);
        check_tar();
        tearDown();
        setUp();
    }
}

static void a_skill_may_have_no_file_but_its_own(void)
{
    hand_add("", "SKILL.md", hand_chars("alone\n"), 0);
    hand_finish();
    TEST_ASSERT_TRUE(archives_tar_crc(&hand.fs, 0, &hand.skill.tar_crc));
    check_zip();
    check_tar();
}

/* The stream of a deflated file, without which a tar.gz could not go on after it. */
static void deflated_files_end_at_a_whole_byte_and_an_empty_block(void)
{
    static const uint8_t end[] = {0x00, 0x00, 0xFF, 0xFF, 0x03, 0x00};

    hand_make(4096);
    for (uint32_t i = 0; i < hand.count; i++) {
        if ((hand.nodes[i].flags & ROMFS_DEFLATE) != 0) {
            const uint8_t *behind = hand.fs.image + hand.nodes[i].data + hand.nodes[i].stored;
            TEST_ASSERT_EQUAL_MEMORY(end, behind - sizeof end, sizeof end);
        }
    }
}

static void a_stream_that_is_not_what_its_record_says_has_no_crc(void)
{
    uint32_t crc;

    hand_make(4096);
    hand.nodes[2].size++;
    TEST_ASSERT_FALSE(archives_tar_crc(&hand.fs, 0, &crc));
}

/* ---- Interrupted, and damaged ---- */

static void archives_taken_in_turns_do_not_disturb_each_other(void)
{
    struct romfs_archive z[2];
    struct buf got[2] = {{0}, {0}}, wanted[2];
    const uint8_t *bytes;
    size_t n, more = 1;

    hand_make(256);
    for (unsigned i = 0; i < 2; i++) {
        wanted[i] = hand_take((enum romfs_archive_kind)i);
        romfs_archive_start(&z[i], &hand.fs, 0, (enum romfs_archive_kind)i);
    }
    while (more > 0) {
        more = 0;
        for (unsigned i = 0; i < 2; i++) {
            struct romfs_archive moved = z[i]; /* and it holds no pointer to itself */
            memset(&z[i], 0xA5, sizeof z[i]);
            n = romfs_archive_next(&moved, &bytes);
            buf_add(&got[i], bytes, n);
            z[i] = moved;
            more += n;
        }
    }
    for (unsigned i = 0; i < 2; i++) {
        TEST_ASSERT_EQUAL(wanted[i].n, got[i].n);
        TEST_ASSERT_EQUAL_INT(0, memcmp(wanted[i].p, got[i].p, got[i].n));
        free(wanted[i].p);
        free(got[i].p);
    }
}

/* What mounting does not look at may be anything, and still no read leaves the image. */
static void records_that_make_no_sense_are_safe(void)
{
    char path[700];

    memset(path, '/', sizeof path);
    path[sizeof path - 1] = '\0';
    hand_add("", "", hand_chars("x"), 0);
    hand_add("ends with \\", "", hand_chars(""), 0);
    hand_add(path, "", hand_chars("y"), 0);
    memset(path, 0xFF, sizeof path - 1);
    hand_add(path, "", hand_chars("z"), 0);
    hand_add("stored in no byte", "", hand_chars(""), 0);
    hand.nodes[4].flags = ROMFS_DEFLATE;
    hand.nodes[4].size = 0xFFFFFFFFu;
    hand_add("stored in one byte", "", hand_chars("1"), 0);
    hand.nodes[5].flags = ROMFS_DEFLATE;
    hand_finish();
    free(hand_take(ROMFS_ZIP).p);
    free(hand_take(ROMFS_TAR_GZ).p);
}

/* Takes every archive of the image in `copy` if that mounts with a new CRC. */
static bool take_all(uint8_t *copy, size_t n)
{
    struct romfs fs;
    struct romfs_archive z;
    struct romfs_header *h = (void *)copy;
    const uint8_t *bytes;
    size_t more, from = offsetof(struct romfs_header, version);

    h->crc = romfs_crc32(0, copy + from, h->meta_size - from);
    if (romfs_mount(&fs, copy, n) != ROMFS_OK) {
        return false;
    }
    for (uint32_t i = 0; i < 2 * fs.header->skills.count; i++) {
        uint32_t size = romfs_archive_size(&fs, i / 2, (enum romfs_archive_kind)(i % 2)), taken = 0;
        romfs_archive_start(&z, &fs, i / 2, (enum romfs_archive_kind)(i % 2));
        while ((more = romfs_archive_next(&z, &bytes)) > 0) {
            romfs_crc32(0, bytes, more); /* reads them all, under the sanitizer's eyes */
            taken += (uint32_t)more;
        }
        TEST_ASSERT_TRUE(taken == size || (taken < size && !romfs_texts_are_sound(&fs)));
    }
    return true;
}

/* Every word of the records and texts in turn, in an image that otherwise mounts. */
static void a_damaged_image_that_mounts_is_safe(void)
{
    static const uint32_t wrong[] = {0, 1, 0x100, 0xFFFFFFFFu};
    struct buf image = sample_image(256);
    uint32_t meta = ((const struct romfs_header *)(const void *)image.p)->meta_size, mounted = 0;
    uint8_t *copy = (uint8_t *)sample_exact_copy(image.p, image.n);

    for (uint32_t at = offsetof(struct romfs_header, window); at + 4 <= meta; at += 4) {
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            uint32_t right;
            memcpy(&right, copy + at, 4);
            uint32_t value = i == 1 || i == 2 ? right + wrong[i] : wrong[i];
            memcpy(copy + at, &value, 4);
            mounted += take_all(copy, image.n);
            memcpy(copy + at, &right, 4);
        }
    }
    TEST_ASSERT_GREATER_THAN(100, mounted);
    free(copy);
    free(image.p);
}

/* ---- Paths ---- */

static bool fits(unsigned before, unsigned behind)
{
    char path[600];

    memset(path, 'x', sizeof path);
    path[before] = '/';
    return romfs_archive_path_fits(path, before + 1 + behind);
}

static void paths_fit_when_a_slash_parts_them_well(void)
{
    static char plain[101] = {'x'};

    memset(plain, 'x', sizeof plain);
    TEST_ASSERT_TRUE(romfs_archive_path_fits(plain, 1));
    TEST_ASSERT_TRUE(romfs_archive_path_fits(plain, 100));
    TEST_ASSERT_FALSE(romfs_archive_path_fits(plain, 101));
    TEST_ASSERT_TRUE(fits(1, 98));
    TEST_ASSERT_TRUE(fits(1, 100));
    TEST_ASSERT_FALSE(fits(1, 101));
    TEST_ASSERT_TRUE(fits(154, 100)); /* 255 */
    TEST_ASSERT_TRUE(fits(155, 99));
    TEST_ASSERT_FALSE(fits(155, 100)); /* a tar could hold it, but 255 is the promise */
    TEST_ASSERT_FALSE(fits(156, 90));
    TEST_ASSERT_FALSE(fits(400, 90));
    TEST_ASSERT_TRUE(romfs_archive_path_fits("scripts/\\\"x\\\".sh", 16));
}

static void the_longest_path_that_is_not_parted_comes_out_whole(void)
{
    static char path[101];

    memset(path, 'x', 100);
    path[50] = '/';
    hand_add("", "SKILL.md", hand_chars("x"), 0);
    hand_add(path, path, hand_chars("content"), 0);
    hand_finish();
    TEST_ASSERT_TRUE(archives_tar_crc(&hand.fs, 0, &hand.skill.tar_crc));
    check_tar();
}

static void the_longest_paths_come_out_whole(void)
{
    static char path[256];

    hand_add("", "SKILL.md", hand_chars("x"), 0);
    for (unsigned split = 154; split <= 155; split++) {
        memset(path, 'x', 255);
        path[split] = '/';
        char *copy = sample_exact_copy(path, sizeof path);
        TEST_ASSERT_TRUE(romfs_archive_path_fits(copy, 255));
        hand_add(copy, copy, hand_chars("content"), 0);
    }
    hand_finish();
    TEST_ASSERT_TRUE(archives_tar_crc(&hand.fs, 0, &hand.skill.tar_crc));
    check_zip();
    check_tar();
    free((void *)hand.names[1]);
    free((void *)hand.names[2]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(zip_of_raw_files);
    RUN_TEST(zip_of_deflated_files);
    RUN_TEST(zip_of_escaped_files);
    RUN_TEST(tar_of_raw_files);
    RUN_TEST(tar_of_deflated_files);
    RUN_TEST(tar_of_escaped_files);
    RUN_TEST(an_archive_breaks_off_before_a_damaged_text);
    RUN_TEST(a_skill_may_have_no_file_but_its_own);
    RUN_TEST(deflated_files_end_at_a_whole_byte_and_an_empty_block);
    RUN_TEST(a_stream_that_is_not_what_its_record_says_has_no_crc);
    RUN_TEST(archives_taken_in_turns_do_not_disturb_each_other);
    RUN_TEST(records_that_make_no_sense_are_safe);
    RUN_TEST(a_damaged_image_that_mounts_is_safe);
    RUN_TEST(paths_fit_when_a_slash_parts_them_well);
    RUN_TEST(the_longest_path_that_is_not_parted_comes_out_whole);
    RUN_TEST(the_longest_paths_come_out_whole);
    return UNITY_END();
}
