/* test_text_rare.c -- the readers and writers of core/text, and of names in the image, with what no message on a wire leads
 * to: texts cut anywhere, buffers one byte too small, characters at the ends of ranges. */
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "skills/skill.h"
#include "text/encode.h"
#include "text/json.h"
#include "text/json_string.h"
#include "text/siphash.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct skr_span span(const char *text)
{
    return (struct skr_span){text, strlen(text)};
}

/* In text that is not JSON they find anything or nothing, but never read outside it: each cut is in a block of its own. */
static void scanners_stay_inside_a_text_cut_anywhere(void)
{
    static const char *const texts[] = {
        "[ 1 , \"a\" , [ 2 ] ]", "{ \"a\" : 1 , \"b\" : { \"c\" : [ ] } }", " [ ", "\"", "[", ","};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (size_t n = 0; n <= strlen(texts[i]); n++) {
            char *copy = sample_exact_copy(texts[i], n);
            struct skr_span rest = {copy, n}, name, value;
            while (skr_scan_item(&rest, &value)) {
                TEST_ASSERT_TRUE(value.p >= copy && value.p + value.n <= copy + n);
            }
            rest = (struct skr_span){copy, n};
            while (skr_scan_pair(&rest, &name, &value)) {
                TEST_ASSERT_TRUE(name.p >= copy && value.p + value.n <= copy + n);
            }
            TEST_ASSERT_FALSE(skr_scan_is((struct skr_span){copy, n}, "no"));
            free(copy);
        }
    }
    TEST_ASSERT_NULL(skr_scan_inside(span("\"")).p);
    TEST_ASSERT_NULL(skr_scan_inside(span("12")).p);
    TEST_ASSERT_EQUAL(0, skr_scan_inside(span("\"\"")).n);
}

static void items_are_found_between_any_blanks(void)
{
    struct skr_span rest = span(" [ 1,\t\"a\" , [2] ] "), item;

    TEST_ASSERT_TRUE(skr_scan_item(&rest, &item));
    TEST_ASSERT_EQUAL(0, strncmp(item.p, "1", item.n));
    TEST_ASSERT_TRUE(skr_scan_item(&rest, &item));
    TEST_ASSERT_TRUE(skr_scan_is(item, "a"));
    TEST_ASSERT_TRUE(skr_scan_item(&rest, &item));
    TEST_ASSERT_EQUAL(0, strncmp(item.p, "[2]", item.n));
    TEST_ASSERT_FALSE(skr_scan_item(&rest, &item));
    rest = span("[]");
    TEST_ASSERT_FALSE(skr_scan_item(&rest, &item));
    rest = span("[1 2]");
    TEST_ASSERT_TRUE(skr_scan_item(&rest, &item));
    TEST_ASSERT_FALSE(skr_scan_item(&rest, &item));
}

static void a_string_may_be_empty(void)
{
    TEST_ASSERT_TRUE(skr_scan_is(span("\"\""), ""));
    TEST_ASSERT_FALSE(skr_scan_is(span("\""), ""));
    TEST_ASSERT_FALSE(skr_scan_is(span("12"), ""));
}

static void halves_of_characters_are_replaced(void)
{
    static const struct {
        const char *text, *decoded;
    } rows[] = {{"\\ud83d\\ude00", "\xF0\x9F\x98\x80"},
                {"\\ud83d\\nabcdef", "\xEF\xBF\xBD\nabcdef"},
                {"\\ud83dxude00a", "\xEF\xBF\xBDxude00a"},
                {"\\ud83d\\u0041", "\xEF\xBF\xBD"
                                   "A"},
                {"\\ude00\\ud83d", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                {"\\ud83d", "\xEF\xBF\xBD"}};

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        TEST_ASSERT_TRUE_MESSAGE(skr_json_same_text(span(rows[i].text), span(rows[i].decoded)), rows[i].text);
    }
}

/* A pair of digits is written whole or not at all. */
static void hex_digits_come_in_pairs(void)
{
    for (size_t room = 0; room <= 5; room++) {
        char out[6] = "......";
        struct skr_encoding e = {.from = "\x01\xAB", .n = 2, .out = out, .room = room};
        skr_encode_hex(&e);
        TEST_ASSERT_EQUAL(room >= 4 ? 2 : room / 2, e.used);
        TEST_ASSERT_EQUAL(2 * e.used, e.made);
        TEST_ASSERT_EQUAL(0, memcmp(out, "01ab", e.made));
        TEST_ASSERT_EQUAL('.', out[e.made]);
    }
}

/* C1 ends with U+009F: a no-break space is not a control character. */
static void only_control_characters_are_left_out(void)
{
    char out[64];
    struct skr_encoding e = {.from = "a\xC2\x9F\xC2\xA0\xC3\x85\x7F\x1F\tz", .n = 11, .out = out, .room = sizeof out};

    skr_encode_any(&e, false);
    TEST_ASSERT_EQUAL(11, e.used);
    TEST_ASSERT_EQUAL(8, e.made);
    TEST_ASSERT_EQUAL(0, memcmp(out, "a\xC2\xA0\xC3\x85\\tz", 8));
}

static void the_last_group_of_base64_may_fill_its_room(void)
{
    char out[8];
    struct skr_carry carry = {0};
    struct skr_encoding e = {.from = "abcdef", .n = 6, .out = out, .room = sizeof out};

    skr_encode_base64(&e, &carry, true);
    TEST_ASSERT_EQUAL(8, e.made);
    TEST_ASSERT_EQUAL(0, memcmp(out, "YWJjZGVm", 8));
}

static void digits_of_base64_are_those_alone(void)
{
    static const char *const bad[] = {"AAA@", "AAA[", "AAA`", "AAA{", "AAA/", "AAA:", "AAA.", "AAA+", "A", "AA\n="};
    char out[16];
    size_t n;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TEST_ASSERT_FALSE_MESSAGE(skr_decode_base64(span(bad[i]), true, out, sizeof out, &n), bad[i]);
    }
    TEST_ASSERT_TRUE(skr_decode_base64(span("AZaz09-_"), true, out, sizeof out, &n));
    TEST_ASSERT_EQUAL(6, n);
    TEST_ASSERT_EQUAL(0, memcmp(out, "\x01\x96\xB3\xD3\xDF\xBF", 6));
}

static void digits_of_ids_are_small_and_thirty_two(void)
{
    static const char *const bad[] = {
        "0123456789abcdef0123456789abcde",  "0123456789abcdef0123456789abcdef0", "0123456789abcdef0123456789abcde/",
        "0123456789abcdef0123456789abcde:", "0123456789abcdef0123456789abcde`",  "0123456789abcdef0123456789abcdeg",
        "0123456789abcdef0123456789abcdeF"};
    uint32_t id[4];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TEST_ASSERT_FALSE_MESSAGE(skr_id_read(span(bad[i]), id), bad[i]);
    }
    TEST_ASSERT_TRUE(skr_id_read(span("0123456789abcdef0123456789abcdef"), id));
    TEST_ASSERT_EQUAL_HEX32(0x01234567, id[0]);
    TEST_ASSERT_EQUAL_HEX32(0x89abcdef, id[3]);
}

/* Names in an image are as they are sent, inside a JSON string. */
static void names_in_an_image_may_have_escapes(void)
{
    TEST_ASSERT_TRUE(skri_inside_equals(span("say \\\"hi\\\" \\\\o/"), span("say \"hi\" \\o/")));
    TEST_ASSERT_FALSE(skri_inside_equals(span("say \\\"hi"), span("say \\\"hi")));
    TEST_ASSERT_FALSE(skri_inside_equals(span("a"), span("ab")));
    TEST_ASSERT_FALSE(skri_inside_equals(span("ab"), span("a")));
    char *copy = sample_exact_copy("a\\", 2); /* cut in its middle: nothing after it is read */
    TEST_ASSERT_TRUE(skri_inside_equals_bytes(copy, 2, "a\\", 2));
    free(copy);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(scanners_stay_inside_a_text_cut_anywhere);
    RUN_TEST(items_are_found_between_any_blanks);
    RUN_TEST(a_string_may_be_empty);
    RUN_TEST(halves_of_characters_are_replaced);
    RUN_TEST(hex_digits_come_in_pairs);
    RUN_TEST(only_control_characters_are_left_out);
    RUN_TEST(the_last_group_of_base64_may_fill_its_room);
    RUN_TEST(digits_of_base64_are_those_alone);
    RUN_TEST(digits_of_ids_are_small_and_thirty_two);
    RUN_TEST(names_in_an_image_may_have_escapes);
    return UNITY_END();
}
