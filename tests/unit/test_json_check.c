/* test_json_check.c -- what is JSON and what is not. The kinds of texts are those that
 * parsers are known to disagree about. Every text lies in a heap block of its own size,
 * so the sanitizer sees a reader that reads past its end. */
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "text/json.h"
#include "unity.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static int check(const void *text, size_t n)
{
    char *copy = sample_exact_copy(text, n);
    int result = skr_json_check(copy, n);

    free(copy);
    return result;
}

struct text {
    const char *p;
    size_t n;
};
#define T(literal)                                                                                                     \
    {                                                                                                                  \
        literal, sizeof(literal) - 1                                                                                   \
    }

static void all_are(int expected, const struct text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        TEST_ASSERT_EQUAL_MESSAGE(expected, check(texts[i].p, texts[i].n), texts[i].p);
    }
}
#define ALL_ARE(expected, texts) all_are(expected, texts, sizeof(texts) / sizeof((texts)[0]))

/* ---- Structure ---- */

static void sound_structures_are_taken(void)
{
    static const struct text good[] = {
        T("{}"),
        T("[]"),
        T("[[]]"),
        T("[[],{}]"),
        T("{\"a\":{}}"),
        T("{\"a\":[]}"),
        T("{\"\":0}"),
        T("{\"a\":1,\"a\":2}"),
        T("[1,2,3]"),
        T("[null,1,\"1\",{}]"),
        T(" [] "),
        T("\t[\n]\r"),
        T(" {\n\"a\" :\t1 ,\r\"b\":2 } "),
        T("null"),
        T("true"),
        T("false"),
        T("\"\""),
        T("0"),
        T(" 1 "),
        T("[{\"a\":[{\"b\":[]}]}]"),
        T("[false,true,null]"),
    };

    ALL_ARE(SKR_JSON_OK, good);
}

static const struct text broken_structures[] = {
    T(""),
    T(" "),
    T("\n"),
    T("["),
    T("]"),
    T("{"),
    T("}"),
    T("[1"),
    T("[1,"),
    T("[,1]"),
    T("[1,]"),
    T("[1,,2]"),
    T("[1 2]"),
    T("[1]]"),
    T("[1}"),
    T("{\"a\":1]"),
    T("[:1]"),
    T("[\"a\":1]"),
    T("{,}"),
    T("{\"a\"}"),
    T("{\"a\":}"),
    T("{\"a\":1,}"),
    T("{\"a\":1,,\"b\":2}"),
    T("{:1}"),
    T("{1:1}"),
    T("{a:1}"),
    T("{'a':1}"),
    T("{null:1}"),
    T("{[]:1}"),
    T("{\"a\" 1}"),
    T("{\"a\",1}"),
    T("{\"a\":1 \"b\":2}"),
    T("{\"a\":1}}"),
    T("{}{}"),
    T("[][]"),
    T("1 1"),
    T("{} x"),
    T("[]\0"),
    T("[\0]"),
    T("\0[]"),
    T("/**/[]"),
    T("[]//"),
    T("[1]#"),
    T("'a'"),
    T("[a]"),
    T("[\x0c]"),
    T("[\x0b]"),
    T("[\xC2\xA0]"),
    T("\xEF\xBB\xBF{}"),
    T("[*]"),
    T("{{}}"),
    T("<null>"),
};

static void broken_structures_are_refused(void)
{
    ALL_ARE(SKR_JSON_BAD, broken_structures);
}

static void words_must_be_spelled_out(void)
{
    static const struct text bad[] = {
        T("tru"),      T("truE"),      T("True"),  T("truee"), T("true1"),    T("nul"),       T("nulL"),
        T("nullnull"), T("fals"),      T("falsy"), T("FALSE"), T("t"),        T("n"),         T("f"),
        T("[tru]"),    T("undefined"), T("nan"),   T("NaN"),   T("Infinity"), T("-Infinity"),
    };

    ALL_ARE(SKR_JSON_BAD, bad);
}

/* ---- Numbers ---- */

static void numbers_of_the_grammar_are_taken(void)
{
    static const struct text good[] = {
        T("0"),
        T("-0"),
        T("1"),
        T("-1"),
        T("10"),
        T("1234567890"),
        T("0.0"),
        T("0.5"),
        T("-0.5"),
        T("1.25"),
        T("1e5"),
        T("1E5"),
        T("1e+5"),
        T("1e-5"),
        T("0e0"),
        T("0E+00"),
        T("1.5e300"),
        T("123456789012345678901234567890"),
        T("-0.000000000000000000000000000000000000000000000000000001"),
        T("1e99999"),
        T("[1e5,-0,0.1]"),
    };

    ALL_ARE(SKR_JSON_OK, good);
}

static void other_numbers_are_refused(void)
{
    static const struct text bad[] = {
        T("-"),          T("+1"),    T("+"),      T("--1"),   T("-+1"),          T("01"),
        T("-01"),        T("00"),    T("00.1"),   T("1."),    T(".5"),           T("-.5"),
        T("."),          T("1.e5"),  T("1.5.5"),  T("1e"),    T("1e+"),          T("1e-"),
        T("1e5.5"),      T("1ee5"),  T("1e+-5"),  T("0x10"),  T("1x"),           T("1_000"),
        T("1,000"),      T("1 000"), T("0b1"),    T("- 1"),   T("1a"),           T("-a"),
        T("e5"),         T("0e"),    T("-0e"),    T("1f"),    T("\xEF\xBC\x91"), T("1e\xEF\xBC\x91"),
        T("0.\x31\x2e"), T("2."),    T("-2.e+3"), T("[1-2]"), T("[-]"),          T("[0 0]"),
    };

    ALL_ARE(SKR_JSON_BAD, bad);
}

/* ---- Strings ---- */

static void strings_with_sound_escapes_are_taken(void)
{
    static const struct text good[] = {
        T("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
        T("\"\\u0041\""),
        T("\"\\u0000\""),
        T("\"\\uabCD\""),
        T("\"\\ud83d\\ude00\""),
        T("\"\\ud800\""),
        T("\"\\udc00\\ud800\""),
        T("\"\\u00e9x\""),
        T("\"\x7f\""),
        T("\"a b/c'd\""),
        T("\"\\\\u0041\""),
        T("[\"\\\"\"]"),
    };

    ALL_ARE(SKR_JSON_OK, good);
}

static void strings_with_broken_escapes_or_control_characters_are_refused(void)
{
    static const struct text bad[] = {
        T("\""),
        T("\"a"),
        T("\"\\\""),
        T("\"\\"),
        T("\"\\a\""),
        T("\"\\x41\""),
        T("\"\\u\""),
        T("\"\\u1\""),
        T("\"\\u12\""),
        T("\"\\u123\""),
        T("\"\\u123g\""),
        T("\"\\U0041\""),
        T("\"\\u 041\""),
        T("\"\\u-041\""),
        T("\"\\'\""),
        T("\"\\0\""),
        T("\"\\\n\""),
        T("\"\n\""),
        T("\"\t\""),
        T("\"\r\""),
        T("\"\0\""),
        T("\"\x01\""),
        T("\"\x1f\""),
        T("\"\\ \""),
        T("\"a\"b"),
        T("\"\\u004\x00\""),
        T("\"\\\xC3\xA9\""),
    };

    ALL_ARE(SKR_JSON_BAD, bad);
}

static void every_control_character_is_refused_inside_a_string(void)
{
    for (int c = 0; c < 0x20; c++) {
        char text[] = {'"', (char)c, '"'};
        TEST_ASSERT_EQUAL(SKR_JSON_BAD, check(text, sizeof text));
    }
}

/* ---- UTF-8 ---- */

static void utf8_at_its_edges_is_taken(void)
{
    static const struct text good[] = {
        T("\"\xC2\x80\""),
        T("\"\xDF\xBF\""),
        T("\"\xE0\xA0\x80\""),
        T("\"\xE2\x82\xAC\""),
        T("\"\xED\x9F\xBF\""),
        T("\"\xEE\x80\x80\""),
        T("\"\xEF\xBF\xBF\""),
        T("\"\xF0\x90\x80\x80\""),
        T("\"\xF3\xBF\xBF\xBF\""),
        T("\"\xF4\x8F\xBF\xBF\""),
        T("{\"\xC3\xA9\":\"\xC3\xA9\"}"),
        T("\"\xEF\xBB\xBF\""),
    };

    ALL_ARE(SKR_JSON_OK, good);
}

static void what_only_resembles_utf8_is_refused(void)
{
    static const struct text bad[] = {
        T("\"\x80\""),
        T("\"\xBF\""),
        T("\"\xC0\x80\""),
        T("\"\xC1\xBF\""),
        T("\"\xC3\""),
        T("\"\xC3\x28\""),
        T("\"\xC3\xC3\xA9\""),
        T("\"\xE0\x80\x80\""),
        T("\"\xE0\x9F\xBF\""),
        T("\"\xE2\x82\""),
        T("\"\xE2\x28\xAC\""),
        T("\"\xED\xA0\x80\""),
        T("\"\xED\xBF\xBF\""),
        T("\"\xF0\x80\x80\x80\""),
        T("\"\xF0\x8F\xBF\xBF\""),
        T("\"\xF0\x9F\x98\""),
        T("\"\xF0\x9F\""),
        T("\"\xF4\x90\x80\x80\""),
        T("\"\xF5\x80\x80\x80\""),
        T("\"\xF8\x88\x80\x80\x80\""),
        T("\"\xFE\""),
        T("\"\xFF\""),
        T("\"\xC3"),
        T("\"\xF0\x9F\x98"),
        T("\xC3\xA9"),
        T("{\"\xFF\":1}"),
        T("[\xE2\x82\xAC]"),
        T("\"\xE9\""),
    };

    ALL_ARE(SKR_JSON_BAD, bad);
}

/* Compares with the definition: decode, encode again, same bytes. */
static void every_start_of_up_to_two_bytes_is_judged_as_the_definition_says(void)
{
    for (unsigned a = 0x80; a <= 0xFF; a++) {
        for (unsigned b = 0; b <= 0xFF; b++) {
            char text[2] = {(char)a, (char)b};
            bool sound = a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF;
            char *copy = sample_exact_copy(text, 2);
            TEST_ASSERT_EQUAL(sound ? 2 : 0, skr_utf8_char(copy, 2));
            free(copy);
        }
    }
}

/* ---- Depth and ends ---- */

static int nested(unsigned depth, const char *open, const char *inside, const char *close)
{
    struct buf text = {0};

    for (unsigned i = 0; i < depth; i++) {
        buf_puts(&text, open);
    }
    buf_puts(&text, inside);
    for (unsigned i = 0; i < depth; i++) {
        buf_puts(&text, close);
    }
    int result = check(text.p, text.n);
    free(text.p);
    return result;
}

static void nesting_is_taken_up_to_the_limit_and_no_further(void)
{
    TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(SKR_JSON_DEPTH, "[", "1", "]"));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(SKR_JSON_DEPTH, "{\"a\":", "1", "}"));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(SKR_JSON_DEPTH / 2, "[{\"a\":", "1", "}]"));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(SKR_JSON_DEPTH / 2, "{\"a\":[", "1", "]}"));
    TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(SKR_JSON_DEPTH - 1, "[", "{}", "]"));
    TEST_ASSERT_EQUAL(SKR_JSON_DEEP, nested(SKR_JSON_DEPTH + 1, "[", "", "]"));
    TEST_ASSERT_EQUAL(SKR_JSON_DEEP, nested(SKR_JSON_DEPTH + 1, "{\"a\":", "1", "}"));
    TEST_ASSERT_EQUAL(SKR_JSON_DEEP, nested(SKR_JSON_DEPTH, "[", "{}", "]"));
    TEST_ASSERT_EQUAL(SKR_JSON_DEEP, nested(100000, "[", "", "]"));
    TEST_ASSERT_EQUAL(SKR_JSON_DEEP, nested(100000, "[", "", ""));
}

static void closing_brackets_match_across_byte_borders_of_the_depth_memory(void)
{
    for (unsigned depth = 1; depth + 1 < SKR_JSON_DEPTH; depth++) {
        TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(depth, "[", "{\"k\":0},[0],{\"k\":[]}", "]"));
        TEST_ASSERT_EQUAL(SKR_JSON_OK, nested(depth, "{\"k\":", "[0,{\"k\":0}]", "}"));
        TEST_ASSERT_EQUAL(SKR_JSON_BAD, nested(depth, "[", "{\"k\":0]", "]"));
        TEST_ASSERT_EQUAL(SKR_JSON_BAD, nested(depth, "{\"k\":", "[0}", "}"));
    }
}

static void every_prefix_of_a_text_is_refused_without_a_look_after_its_end(void)
{
    static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":-1.5e+3,\"method\":"
                               "\"a\\u00e9\\n\xE2\x82\xAC\xF0\x9F\x98\x80\",\"params\":"
                               "[true,false,null,[{}],\"\\\\\"]}";
    size_t n = sizeof text - 1;

    for (size_t part = 0; part < n; part++) {
        TEST_ASSERT_EQUAL(SKR_JSON_BAD, check(text, part));
    }
    TEST_ASSERT_EQUAL(SKR_JSON_OK, check(text, n));
}

static void no_single_changed_byte_makes_the_check_read_outside(void)
{
    static const char text[] = "{\"a\":[1.5e3,\"\\u00e9\xE2\x82\xAC\",true,null,{}]}";

    for (size_t at = 0; at < sizeof text - 1; at++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            char *copy = sample_exact_copy(text, sizeof text - 1);
            copy[at] = (char)byte;
            int result = skr_json_check(copy, sizeof text - 1);
            TEST_ASSERT_TRUE(result == SKR_JSON_OK || result == SKR_JSON_BAD);
            free(copy);
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sound_structures_are_taken);
    RUN_TEST(broken_structures_are_refused);
    RUN_TEST(words_must_be_spelled_out);
    RUN_TEST(numbers_of_the_grammar_are_taken);
    RUN_TEST(other_numbers_are_refused);
    RUN_TEST(strings_with_sound_escapes_are_taken);
    RUN_TEST(strings_with_broken_escapes_or_control_characters_are_refused);
    RUN_TEST(every_control_character_is_refused_inside_a_string);
    RUN_TEST(utf8_at_its_edges_is_taken);
    RUN_TEST(what_only_resembles_utf8_is_refused);
    RUN_TEST(every_start_of_up_to_two_bytes_is_judged_as_the_definition_says);
    RUN_TEST(nesting_is_taken_up_to_the_limit_and_no_further);
    RUN_TEST(closing_brackets_match_across_byte_borders_of_the_depth_memory);
    RUN_TEST(every_prefix_of_a_text_is_refused_without_a_look_after_its_end);
    RUN_TEST(no_single_changed_byte_makes_the_check_read_outside);
    return UNITY_END();
}
