/* test_json.c -- tokens over a checked text: members, elements, decoded strings, numbers. */
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "text/json.h"
#include "text/span.h"
#include "unity.h"

static struct skr_token tokens[64];
static char *text; /* in a heap block of its own size */
static struct skr_json json;

void setUp(void)
{
    text = NULL;
}

void tearDown(void)
{
    free(text);
}

static void parse(const char *source)
{
    size_t n = strlen(source);

    free(text);
    text = sample_exact_copy(source, n);
    TEST_ASSERT_EQUAL(SKR_JSON_OK, skr_json_check(text, n));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, skr_json_parse(&json, text, n, tokens, 64));
}

static void span_is(const char *expected, struct skr_span actual)
{
    TEST_ASSERT_EQUAL(strlen(expected), actual.n);
    TEST_ASSERT_EQUAL_MEMORY_ARRAY(expected, actual.p, 1, actual.n > 0 ? actual.n : 1);
}

static void a_member_is_found_at_its_own_level_only(void)
{
    parse("{\"a\":{\"id\":1},\"b\":[{\"id\":2}],\"id\":3}");
    span_is("3", skr_json_raw(&json, skr_json_get(&json, 0, "id")));
    span_is("1", skr_json_raw(&json, skr_json_get(&json, skr_json_get(&json, 0, "a"), "id")));
    TEST_ASSERT_EQUAL(-1, skr_json_get(&json, 0, "c"));
}

static void a_value_that_looks_like_a_key_is_not_one(void)
{
    parse("{\"x\":\"id\",\"y\":\"id\"}");
    TEST_ASSERT_EQUAL(-1, skr_json_get(&json, 0, "id"));
}

static void of_equal_keys_the_last_counts(void)
{
    parse("{\"id\":1,\"id\":{\"id\":9},\"\\u0069d\":2}");
    span_is("2", skr_json_raw(&json, skr_json_get(&json, 0, "id")));
}

static void what_is_no_object_has_no_members(void)
{
    parse("[\"id\",1]");
    TEST_ASSERT_EQUAL(-1, skr_json_get(&json, 0, "id"));
    TEST_ASSERT_EQUAL(-1, skr_json_get(&json, -1, "id"));
    TEST_ASSERT_EQUAL(-1, skr_json_get(&json, 1, "id"));
}

static void elements_come_in_order_and_end(void)
{
    parse("[[1,2],{\"a\":[3]},\"x\",[]]");
    static const char *const expected[] = {"[1,2]", "{\"a\":[3]}", "\"x\"", "[]"};
    unsigned n = 0;
    for (int t = skr_json_first(&json, 0); t >= 0; t = skr_json_after(&json, 0, t)) {
        span_is(expected[n++], skr_json_raw(&json, t));
    }
    TEST_ASSERT_EQUAL(4, n);
    parse("[[],1]");
    TEST_ASSERT_EQUAL(-1, skr_json_first(&json, skr_json_first(&json, 0)));
}

static void a_string_is_decoded_in_place_once(void)
{
    struct skr_span s;

    parse("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20ac\\ud83d\\ude00.\"]");
    TEST_ASSERT_TRUE(skr_json_string(&json, 1, &s));
    span_is("\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80.", s);
    TEST_ASSERT_TRUE(skr_json_string(&json, 1, &s)); /* the backslash in it is not decoded again */
    span_is("\"\\/\b\f\n\r\tA\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80.", s);
}

static void the_first_and_the_last_character_of_each_length_are_decoded(void)
{
    struct skr_span s;

    parse("[\"\\u0001\\u007f\\u0080\\u07ff\\u0800\\uffff\\ud800\\udc00\\udbff\\udfff\"]");
    TEST_ASSERT_TRUE(skr_json_string(&json, 1, &s));
    span_is("\x01\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", s);
}

static void half_a_surrogate_pair_becomes_the_replacement_character(void)
{
    struct skr_span s;

    parse("[\"\\ud800\",\"\\udc00x\",\"\\ud83d\\u0058\",\"\\ud83d\\n\",\"\\ud800\\ud83d\\ude00\",\"\\ud83d\","
          "\"\\udc00\\udc00\"]");
    static const char *const expected[] = {
        "\xEF\xBF\xBD", "\xEF\xBF\xBDx",           "\xEF\xBF\xBDX", "\xEF\xBF\xBD\n", "\xEF\xBF\xBD\xF0\x9F\x98\x80",
        "\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD"};
    for (int i = 0; i < 7; i++) {
        TEST_ASSERT_TRUE(skr_json_string(&json, i + 1, &s));
        span_is(expected[i], s);
    }
}

static void an_escaped_nul_is_a_byte_like_others(void)
{
    struct skr_span s;

    parse("[\"a\\u0000b\"]");
    TEST_ASSERT_TRUE(skr_json_equals_span(&json, 1, (struct skr_span){"a\0b", 3}));
    TEST_ASSERT_FALSE(skr_json_equals(&json, 1, "a"));
    TEST_ASSERT_TRUE(skr_json_string(&json, 1, &s));
    TEST_ASSERT_EQUAL(3, s.n);
    TEST_ASSERT_EQUAL_MEMORY("a\0b", s.p, 3);
}

static void comparing_sees_through_escapes_and_changes_nothing(void)
{
    parse("[\"\\u0070ing\",\"pin\",\"pingu\",\"\"]");
    TEST_ASSERT_TRUE(skr_json_equals(&json, 1, "ping"));
    TEST_ASSERT_TRUE(skr_json_equals(&json, 1, "ping"));
    span_is("\"\\u0070ing\"", skr_json_raw(&json, 1));
    TEST_ASSERT_FALSE(skr_json_equals(&json, 2, "ping"));
    TEST_ASSERT_FALSE(skr_json_equals(&json, 3, "ping"));
    TEST_ASSERT_TRUE(skr_json_equals(&json, 4, ""));
    TEST_ASSERT_FALSE(skr_json_equals(&json, 4, "ping"));
    TEST_ASSERT_FALSE(skr_json_equals(&json, -1, ""));
}

static void a_decoded_backslash_compares_as_itself(void)
{
    struct skr_span s;

    parse("[\"\\\\n\"]");
    TEST_ASSERT_TRUE(skr_json_equals(&json, 1, "\\n"));
    TEST_ASSERT_TRUE(skr_json_string(&json, 1, &s));
    TEST_ASSERT_TRUE(skr_json_equals(&json, 1, "\\n"));
    TEST_ASSERT_FALSE(skr_json_equals(&json, 1, "\n"));
}

static void decoding_one_string_leaves_its_neighbours_alone(void)
{
    struct skr_span s;

    parse("{\"a\":\"\\u0041\\u0041\",\"b\":\"\\u0042\",\"c\":3}");
    TEST_ASSERT_TRUE(skr_json_string(&json, skr_json_get(&json, 0, "a"), &s));
    span_is("AA", s);
    TEST_ASSERT_TRUE(skr_json_string(&json, skr_json_get(&json, 0, "b"), &s));
    span_is("B", s);
    span_is("3", skr_json_raw(&json, skr_json_get(&json, 0, "c")));
}

static void raw_has_quotes_and_inside_has_none(void)
{
    parse("[\"a\\n\",12,{}]");
    span_is("\"a\\n\"", skr_json_raw(&json, 1));
    span_is("a\\n", skr_json_inside(&json, 1));
    span_is("12", skr_json_raw(&json, 2));
    span_is("{}", skr_json_raw(&json, 3));
}

static void kinds_are_distinguished(void)
{
    bool truth;

    parse("[{},[],\"s\",null,true,false,0]");
    TEST_ASSERT_TRUE(skr_json_is_object(&json, 1));
    TEST_ASSERT_TRUE(skr_json_is_array(&json, 2));
    TEST_ASSERT_TRUE(skr_json_is_string(&json, 3));
    TEST_ASSERT_TRUE(skr_json_boolean(&json, 5, &truth) && truth);
    TEST_ASSERT_TRUE(skr_json_boolean(&json, 6, &truth) && !truth);
    for (int t = -1; t < 8; t++) {
        TEST_ASSERT_EQUAL(t == 1, skr_json_is_object(&json, t));
        TEST_ASSERT_EQUAL(t == 0 || t == 2, skr_json_is_array(&json, t));
        TEST_ASSERT_EQUAL(t == 3, skr_json_is_string(&json, t));
        TEST_ASSERT_EQUAL(t == 5 || t == 6, skr_json_boolean(&json, t, &truth));
    }
}

static void too_many_values_are_reported_as_such(void)
{
    struct buf source = {0};

    buf_puts(&source, "[0");
    for (int i = 0; i < 62; i++) {
        buf_puts(&source, ",0");
    }
    buf_puts(&source, "]");
    char *copy = sample_exact_copy(source.p, source.n);
    TEST_ASSERT_EQUAL(SKR_JSON_OK, skr_json_parse(&json, copy, source.n, tokens, 64));
    TEST_ASSERT_EQUAL(SKR_JSON_TOKENS, skr_json_parse(&json, copy, source.n, tokens, 63));
    free(copy);
}

/* ---- The id of a message that was cut off ---- */

static void id_of_part_is(const char *expected, const char *part)
{
    size_t n = strlen(part);
    char *copy = sample_exact_copy(part, n);
    struct skr_span id = skr_json_id_of_part(copy, n, tokens, 64);

    TEST_ASSERT_EQUAL_MESSAGE(strlen(expected), id.n, part);
    TEST_ASSERT_EQUAL_MEMORY_ARRAY(expected, id.n > 0 ? id.p : expected, 1, id.n > 0 ? id.n : 1);
    free(copy);
}

static void the_id_of_a_cut_message_is_found_when_it_is_whole(void)
{
    id_of_part_is("7", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\",\"params\":{\"a\":\"bbbb");
    id_of_part_is("\"a\\n\"", "{\"id\":\"a\\n\",\"x\":[[[");
    id_of_part_is("-3", "{\"id\":-3,\"x\":{\"id\":9");
    id_of_part_is("5", "{\"params\":{\"id\":9,\"b\":[{}]},\"id\":5,\"x");
}

static void the_id_of_a_cut_message_is_not_guessed(void)
{
    id_of_part_is("", "{\"jsonrpc\":\"2.0\",\"params\":{\"id\":7,\"a\":\"bbbb");
    id_of_part_is("", "{\"id\":12");
    id_of_part_is("", "{\"id\":\"ab");
    id_of_part_is("", "{\"x\":\"id\",\"y\":5,");
    id_of_part_is("", "[{\"id\":7},");
    id_of_part_is("", "\"id\":7,");
    id_of_part_is("", "");
    id_of_part_is("", "{");
    id_of_part_is("", "{\"id\":{\"a\":1},\"x\":\"");
    id_of_part_is("", "{\"id\":[1],\"x\":\"");
}

/* It goes into the response as it is, so it must be an id: RPC-02. */
static void the_id_of_a_cut_message_is_an_id_or_nothing(void)
{
    id_of_part_is("", "{\"id\":null,\"x\":\"");
    id_of_part_is("", "{\"id\":true,\"x\":\"");
    id_of_part_is("", "{\"id\":1.5,\"x\":\"");
    id_of_part_is("", "{\"id\":1e9,\"x\":\"");
}

/* The rest of the message was never checked; what is quoted of it must be JSON all the same. */
static void the_id_of_a_cut_message_is_json_even_when_the_message_is_not(void)
{
    id_of_part_is("", "{\"id\":1abc,\"x\":\"");
    id_of_part_is("", "{\"id\":-,\"x\":\"");
    id_of_part_is("", "{\"id\":0123,\"x\":\"");
    id_of_part_is("", "{\"id\":\"a\tb\",\"x\":\"");
    id_of_part_is("", "{\"id\":\"a\nb\",\"x\":\"");
    id_of_part_is("", "{\"id\":\"\xFF\",\"x\":\"");
    id_of_part_is("", "{\"id\":nil,\"x\":\"");
}

/* The tokens are in a block of their own size, so that the sanitizer sees a read after them. */
static void where_tokens_run_out_nothing_after_them_is_read(void)
{
    char many[] = "{\"id\":7,\"b\":2,\"c\":[3]}";

    for (unsigned max = 1; max < 8; max++) {
        struct skr_token *few = malloc(max * sizeof *few);
        struct skr_span id = skr_json_id_of_part(many, strlen(many), few, max);
        TEST_ASSERT_EQUAL(max >= 3 ? 1 : 0, id.n);
        free(few);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(a_member_is_found_at_its_own_level_only);
    RUN_TEST(a_value_that_looks_like_a_key_is_not_one);
    RUN_TEST(of_equal_keys_the_last_counts);
    RUN_TEST(what_is_no_object_has_no_members);
    RUN_TEST(elements_come_in_order_and_end);
    RUN_TEST(a_string_is_decoded_in_place_once);
    RUN_TEST(the_first_and_the_last_character_of_each_length_are_decoded);
    RUN_TEST(half_a_surrogate_pair_becomes_the_replacement_character);
    RUN_TEST(an_escaped_nul_is_a_byte_like_others);
    RUN_TEST(comparing_sees_through_escapes_and_changes_nothing);
    RUN_TEST(a_decoded_backslash_compares_as_itself);
    RUN_TEST(decoding_one_string_leaves_its_neighbours_alone);
    RUN_TEST(raw_has_quotes_and_inside_has_none);
    RUN_TEST(kinds_are_distinguished);
    RUN_TEST(too_many_values_are_reported_as_such);
    RUN_TEST(the_id_of_a_cut_message_is_found_when_it_is_whole);
    RUN_TEST(the_id_of_a_cut_message_is_not_guessed);
    RUN_TEST(the_id_of_a_cut_message_is_an_id_or_nothing);
    RUN_TEST(the_id_of_a_cut_message_is_json_even_when_the_message_is_not);
    RUN_TEST(where_tokens_run_out_nothing_after_them_is_read);
    return UNITY_END();
}
