/* test_pieces.c -- the parts of the image writer that know nothing of folders: hash,
 * paths, text facts, deflate, and an image built from a struct device by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/uri_path.h"
#include "image/deflate.h"
#include "image/image.h"
#include "image/text_facts.h"
#include "romfs.h"
#include "sha256.h"
#include "unity.h"
#include "verify/content.h"
#include "verify/verify.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* ---- SHA-256 ---- */

static const char *hex_of(const void *bytes, size_t n)
{
    static char hex[2 * ROMFS_SHA256_SIZE + 1];
    uint8_t digest[ROMFS_SHA256_SIZE];

    romfs_sha256_of(bytes, n, digest);
    romfs_sha256_hex(digest, sizeof digest, hex);
    return hex;
}

static void sha256_gives_the_published_digests(void)
{
    TEST_ASSERT_EQUAL_STRING("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", hex_of("", 0));
    TEST_ASSERT_EQUAL_STRING("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hex_of("abc", 3));
    TEST_ASSERT_EQUAL_STRING("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
                             hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56));
}

static void sha256_does_not_care_how_the_bytes_are_cut(void)
{
    uint8_t bytes[200], whole[ROMFS_SHA256_SIZE], cut[ROMFS_SHA256_SIZE];
    struct romfs_sha256 s;

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 7);
    }
    for (size_t n = 0; n <= sizeof bytes; n++) {
        romfs_sha256_of(bytes, n, whole);
        for (size_t at = 0; at <= n; at++) {
            romfs_sha256_start(&s);
            romfs_sha256_add(&s, bytes, at);
            romfs_sha256_add(&s, bytes + at, n - at);
            romfs_sha256_finish(&s, cut);
            TEST_ASSERT_EQUAL_MEMORY(whole, cut, sizeof whole);
        }
    }
}

/* ---- Paths ---- */

static void paths_keep_unreserved_bytes_and_escape_the_rest(void)
{
    TEST_ASSERT_EQUAL_STRING("a/B9-._~", uri_path_encode("a/B9-._~"));
    TEST_ASSERT_EQUAL_STRING("a%20b/50%25.md", uri_path_encode("a b/50%.md"));
    TEST_ASSERT_EQUAL_STRING("%C3%BCber%3F%23%5B%5D", uri_path_encode("\303\274ber?#[]"));
}

static void paths_come_back_from_their_escapes(void)
{
    const char *odd = "a%2fb%2", *all = "%C3%BCber%3f/x";

    TEST_ASSERT_EQUAL_STRING("a/b%2", uri_path_decode(odd, strlen(odd)));
    TEST_ASSERT_EQUAL_STRING("\303\274ber?/x", uri_path_decode(all, strlen(all)));
}

/* ---- Text facts ---- */

/* Feeds the text whole and byte by byte; both must agree. */
static struct text_facts facts_of(const char *text, size_t n)
{
    struct text_facts whole = {0}, piecewise = {0};

    text_facts_add(&whole, (const uint8_t *)text, n);
    for (size_t i = 0; i < n; i++) {
        text_facts_add(&piecewise, (const uint8_t *)text + i, 1);
    }
    TEST_ASSERT_EQUAL(whole.json_size, piecewise.json_size);
    TEST_ASSERT_EQUAL(text_facts_is_text(&whole), text_facts_is_text(&piecewise));
    return whole;
}

static void json_size_counts_short_and_long_escapes(void)
{
    TEST_ASSERT_EQUAL(0, facts_of("", 0).json_size);
    TEST_ASSERT_EQUAL(3 + 7 * 2, facts_of("abc\n\r\t\b\f\"\\", 10).json_size);
    TEST_ASSERT_EQUAL(6 + 6 + 1, facts_of("\001\037\177", 3).json_size);
    TEST_ASSERT_EQUAL(2, facts_of("\303\274", 2).json_size);
}

static void only_whole_utf8_without_nul_is_text(void)
{
    static const char *const good[] = {
        "", "plain", "\302\200", "\340\240\200", "\355\237\277", "\360\220\200\200", "\364\217\277\277"};
    static const char *const bad[] = {"\200",
                                      "\300\200",
                                      "\301\277",
                                      "\303",
                                      "\340\237\277",
                                      "\355\240\200",
                                      "\360\217\277\277",
                                      "\364\220\200\200",
                                      "\365\200\200\200",
                                      "\377",
                                      "\303("};
    struct text_facts facts;

    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        facts = facts_of(good[i], strlen(good[i]));
        TEST_ASSERT_TRUE_MESSAGE(text_facts_is_text(&facts), good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        facts = facts_of(bad[i], strlen(bad[i]));
        TEST_ASSERT_FALSE_MESSAGE(text_facts_is_text(&facts), bad[i]);
    }
    facts = facts_of("a\0b", 3);
    TEST_ASSERT_FALSE(text_facts_is_text(&facts));
}

/* ---- Deflate ---- */

/* Text that repeats itself at every distance, the same on every run. */
static void fill_repetitive(uint8_t *bytes, size_t n)
{
    uint32_t seed = 1;

    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        bytes[i] = i > 700 && (seed >> 16) % 50 != 0 ? bytes[i - 700] : (uint8_t)('a' + (seed >> 24) % 20);
    }
}

/* Inflates as a device with exactly that window would. */
static void assert_inflates(const struct buf *stream, const uint8_t *content, size_t n, size_t window)
{
    struct romfs_header header = {.window = (uint32_t)window};
    struct romfs fs = {.image = stream->p, .header = &header};
    struct romfs_node node = {.flags = ROMFS_DEFLATE, .stored = (uint32_t)stream->n, .size = (uint32_t)n};
    struct content c;
    const uint8_t *bytes;
    size_t got, at = 0;

    for (content_open(&c, &fs, &node); (got = content_next(&c, &bytes)) > 0; at += got) {
        TEST_ASSERT_EQUAL_MEMORY(content + at, bytes, got);
    }
    TEST_ASSERT_TRUE(content_whole(&c));
    TEST_ASSERT_EQUAL(n, at);
    content_close(&c);
}

static void deflate_keeps_to_every_window(void)
{
    static const size_t sizes[] = {300, 1023, 1024, 1025, 20000, 100000};
    uint8_t *bytes = malloc(100000);

    fill_repetitive(bytes, 100000);
    for (size_t window = 256; window <= 32768; window *= 2) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            struct buf out = {0};
            if (deflate_raw(bytes, sizes[i], window, &out)) {
                TEST_ASSERT_LESS_THAN(sizes[i], out.n);
                assert_inflates(&out, bytes, sizes[i], deflate_window(sizes[i], window));
            }
            free(out.p);
        }
    }
    free(bytes);
}

/* What an archive does: all but the last two bytes of one stream, then another. */
static void deflated_streams_can_be_spliced(void)
{
    uint8_t bytes[3000], twice[2 * sizeof bytes];

    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i % 50 + i / 700);
    }
    for (size_t n = 40; n <= sizeof bytes; n += 37) {
        struct buf out = {0};
        if (!deflate_raw(bytes, n, 512, &out)) {
            continue;
        }
        TEST_ASSERT_TRUE(deflate_can_be_spliced(out.p, out.n));
        TEST_ASSERT_FALSE(deflate_can_be_spliced(out.p, out.n - 1));
        TEST_ASSERT_FALSE(deflate_can_be_spliced(out.p, 5));
        out.n -= 2;
        TEST_ASSERT_TRUE(deflate_raw(bytes, n, 512, &out));
        memcpy(twice, bytes, n);
        memcpy(twice + n, bytes, n);
        assert_inflates(&out, twice, 2 * n, 4096);
        free(out.p);
    }
}

static void deflate_adds_nothing_when_it_would_not_save(void)
{
    struct buf out = {0};

    buf_puts(&out, "before");
    TEST_ASSERT_FALSE(deflate_raw((const uint8_t *)"", 0, 4096, &out));
    TEST_ASSERT_FALSE(deflate_raw((const uint8_t *)"qx", 2, 4096, &out));
    TEST_ASSERT_EQUAL(6, out.n);
    free(out.p);
}

static void deflate_window_is_the_smallest_that_does(void)
{
    TEST_ASSERT_EQUAL(256, deflate_window(10, 32768));
    TEST_ASSERT_EQUAL(1024, deflate_window(1024, 32768));
    TEST_ASSERT_EQUAL(2048, deflate_window(1025, 32768));
    TEST_ASSERT_EQUAL(4096, deflate_window(1000000, 4096));
}

/* ---- An image by hand ---- */

static struct source text_file(const char *path, const char *text)
{
    return (struct source){.path = (char *)path,
                           .disk_path = (char *)path,
                           .bytes = (uint8_t *)text,
                           .size = strlen(text),
                           .mime = "text/markdown",
                           .text = true};
}

static struct source directory(const char *path)
{
    return (struct source){.path = (char *)path, .disk_path = (char *)path, .is_dir = true};
}

static struct skill skill_of(const char *path, const char *name_json, struct source *files, size_t count)
{
    static char frontmatter[2][80];
    static unsigned next;
    char *text = frontmatter[next++ % 2];

    snprintf(text, sizeof frontmatter[0], "{\"name\":%s,\"description\":\"d\"}", name_json);
    return (struct skill){.path = (char *)path,
                          .disk_path = (char *)path,
                          .frontmatter = text,
                          .name_json = (char *)name_json,
                          .description_json = "\"d\"",
                          .listed = true,
                          .files = files,
                          .file_count = count};
}

static struct romfs mount_of(struct skill *skills, size_t count, size_t window, struct buf *image)
{
    struct device device = {
        .base = "skill://", .server_info = "{\"name\":\"t\"}", .skills = skills, .skill_count = count};
    struct image_options options = {.window = window};
    struct diag diag = {.out = stderr};
    struct romfs fs;

    TEST_ASSERT_TRUE(image_build(&device, &options, &diag, image));
    TEST_ASSERT_EQUAL(ROMFS_OK, romfs_mount(&fs, image->p, image->n));
    TEST_ASSERT_EQUAL(0, verify_image(&fs, "image", stderr));
    return fs;
}

static void assert_text(const struct romfs *fs, struct romfs_text text, const char *expected)
{
    TEST_ASSERT_EQUAL(strlen(expected), text.len);
    TEST_ASSERT_TRUE(text.len == 0 || memcmp(expected, romfs_at(fs, text), text.len) == 0);
}

static void nodes_are_sorted_by_parent_and_children_lie_side_by_side(void)
{
    struct source a[] = {text_file("SKILL.md", "x"), directory("d"), text_file("d/y z.md", "\n")};
    struct source b[] = {text_file("SKILL.md", "x")};
    struct skill skills[] = {skill_of("p/a", "\"a\"", a, 3), skill_of("p/b", "\"b\"", b, 1)};
    static const char *const expected[] = {
        "", "p", "p/a", "p/b", "p/a/SKILL.md", "p/a/d", "p/a/d/y%20z.md", "p/b/SKILL.md"};
    struct buf image = {0};
    struct romfs fs = mount_of(skills, 2, 0, &image);

    TEST_ASSERT_EQUAL(8, fs.header->nodes.count);
    for (uint32_t i = 0; i < 8; i++) {
        assert_text(&fs, fs.nodes[i].path, expected[i]);
        TEST_ASSERT_EQUAL_PTR(&fs.nodes[i], romfs_find(&fs, expected[i], strlen(expected[i])));
    }
    const struct romfs_node *dir = romfs_find(&fs, "p/a", 3);
    TEST_ASSERT_EQUAL(2, dir->stored);
    assert_text(&fs, fs.nodes[dir->data].path, "p/a/SKILL.md");
    assert_text(&fs, fs.nodes[dir->data + 1].path, "p/a/d");
    assert_text(&fs, romfs_find(&fs, "p/a/d/y%20z.md", 14)->name, "y z.md");
    TEST_ASSERT_EQUAL(0, dir->skill);
    TEST_ASSERT_EQUAL(ROMFS_NONE, romfs_find(&fs, "p", 1)->skill);
    TEST_ASSERT_EQUAL(1, romfs_find(&fs, "p/b/SKILL.md", 12)->skill);
}

static void the_same_content_is_stored_once(void)
{
    struct source a[] = {text_file("SKILL.md", "the same"), text_file("copy.md", "the same")};
    struct skill skills[] = {skill_of("a", "\"a\"", a, 2)};
    struct buf image = {0};
    struct romfs fs = mount_of(skills, 1, 0, &image);

    TEST_ASSERT_EQUAL(romfs_find(&fs, "a/SKILL.md", 10)->data, romfs_find(&fs, "a/copy.md", 9)->data);
    TEST_ASSERT_EQUAL(8, fs.header->size - fs.header->meta_size);
}

static void a_path_costs_nothing_beside_the_entry(void)
{
    struct source a[] = {text_file("SKILL.md", "x")};
    struct skill skills[] = {skill_of("p/a", "\"a\"", a, 1)};
    struct buf image = {0};
    struct romfs fs = mount_of(skills, 1, 0, &image);
    struct romfs_text entry = fs.skills[0].entry, path = romfs_find(&fs, "p/a/SKILL.md", 12)->path;

    TEST_ASSERT_TRUE(path.off > entry.off && path.off + path.len < entry.off + entry.len);
    TEST_ASSERT_EQUAL(path.off, romfs_find(&fs, "p", 1)->path.off);
}

static void the_templates_name_each_prefix_once(void)
{
    struct source a[] = {text_file("SKILL.md", "x")};
    struct skill skills[] = {skill_of("a", "\"a\"", a, 1), skill_of("p/q/b", "\"b\"", a, 1)};
    struct buf image = {0};
    struct romfs fs = mount_of(skills, 2, 0, &image);

    assert_text(&fs, fs.header->templates,
                "{\"uriTemplate\":\"skill://{+path}\",\"name\":\"skill files\",\"description\":\"Any file of any "
                "skill\"},"
                "{\"uriTemplate\":\"skill://{name}/SKILL.md\",\"name\":\"skills\",\"description\":\"The instructions "
                "of one skill\",\"mimeType\":\"text/markdown\"},"
                "{\"uriTemplate\":\"skill://p/q/{name}/SKILL.md\",\"name\":\"p/q skills\",\"description\":\"The "
                "instructions of one skill below p/q\",\"mimeType\":\"text/markdown\"}");
}

static void two_contents_at_one_path_are_refused(void)
{
    struct source outer[] = {text_file("SKILL.md", "x"), text_file("b/SKILL.md", "one")};
    struct source inner[] = {text_file("SKILL.md", "another")};
    struct skill skills[] = {skill_of("a", "\"a\"", outer, 2), skill_of("a/b", "\"b\"", inner, 1)};
    struct device device = {.base = "skill://", .server_info = "{}", .skills = skills, .skill_count = 2};
    struct image_options options = {0};
    FILE *nowhere = fopen("/dev/null", "w");
    struct diag diag = {.out = nowhere};
    struct buf image = {0};

    TEST_ASSERT_FALSE(image_build(&device, &options, &diag, &image));
    TEST_ASSERT_EQUAL(1, diag.errors);
    fclose(nowhere);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sha256_gives_the_published_digests);
    RUN_TEST(sha256_does_not_care_how_the_bytes_are_cut);
    RUN_TEST(paths_keep_unreserved_bytes_and_escape_the_rest);
    RUN_TEST(paths_come_back_from_their_escapes);
    RUN_TEST(json_size_counts_short_and_long_escapes);
    RUN_TEST(only_whole_utf8_without_nul_is_text);
    RUN_TEST(deflate_keeps_to_every_window);
    RUN_TEST(deflated_streams_can_be_spliced);
    RUN_TEST(deflate_adds_nothing_when_it_would_not_save);
    RUN_TEST(deflate_window_is_the_smallest_that_does);
    RUN_TEST(nodes_are_sorted_by_parent_and_children_lie_side_by_side);
    RUN_TEST(the_same_content_is_stored_once);
    RUN_TEST(a_path_costs_nothing_beside_the_entry);
    RUN_TEST(the_templates_name_each_prefix_once);
    RUN_TEST(two_contents_at_one_path_are_refused);
    return UNITY_END();
}
