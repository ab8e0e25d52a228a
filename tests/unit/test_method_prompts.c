/* test_method_prompts.c -- prompts/get puts arguments into a text that lies ready. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static const char *get(const char *name, const char *arguments)
{
    char members[600];

    snprintf(members, sizeof members, "\"name\":\"%s\"%s%s", name, arguments[0] != '\0' ? ",\"arguments\":" : "",
             arguments);
    return peer_exchange(peer_modern("prompts/get", members));
}

static void text_is(const char *expected, const char *response)
{
    char quoted[700];

    snprintf(quoted, sizeof quoted,
             "\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"%s\"}}]", expected);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, quoted), response);
}

static void arguments_take_their_places(void)
{
    text_is("Greet Ann, \\\"please\\\": softly.", get("greet", "{\"who\":\"Ann\",\"tone\":\"softly\"}"));
    text_is("Greet Ann, \\\"please\\\": softly.", get("greet", "{\"tone\":\"softly\",\"who\":\"Ann\"}"));
}

static void what_is_not_given_and_not_required_is_empty(void)
{
    text_is("Greet Ann, \\\"please\\\": .", get("greet", "{\"who\":\"Ann\"}"));
    text_is("Greet , \\\"please\\\": .", get("greet", "{\"who\":\"\"}"));
}

/* Half a surrogate pair means nothing, and becomes U+FFFD. */
static void values_are_escaped_where_json_wants_it(void)
{
    text_is("Greet \\\"\\\\\\nA\xEF\xBF\xBD, \\\"please\\\": \xC3\xA9.",
            get("greet", "{\"who\":\"\\\"\\\\\\n\\u0041\\ud800\",\"tone\":\"\xC3\xA9\"}"));
}

static void a_prompt_without_arguments_needs_none_and_ignores_others(void)
{
    text_is("Say nothing.", get("plain", ""));
    text_is("Say nothing.", get("plain", "{}"));
    text_is("Say nothing.", get("plain", "{\"who\":5}"));
}

static void is_refused(const char *expected, const char *response)
{
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, expected), response);
}

static void a_required_argument_that_is_missing_is_named(void)
{
    is_refused("{\"argument\":\"who\"}", get("greet", ""));
    is_refused("{\"argument\":\"who\"}", get("greet", "{}"));
    is_refused("{\"argument\":\"who\"}", get("greet", "{\"tone\":\"x\"}"));
}

static void an_argument_that_is_no_string_is_named(void)
{
    is_refused("{\"argument\":\"who\"}", get("greet", "{\"who\":null}"));
    is_refused("{\"argument\":\"who\"}", get("greet", "{\"who\":5}"));
    is_refused("{\"argument\":\"tone\"}", get("greet", "{\"who\":\"a\",\"tone\":{}}"));
}

static void unknown_prompts_are_named(void)
{
    is_refused("{\"name\":\"nope\"}", get("nope", ""));
    is_refused("{\"name\":\"\"}", get("", ""));
    is_refused("{\"name\":\"Greet\"}", get("Greet", "{\"who\":\"a\"}"));
}

static void the_description_comes_along_when_there_is_one(void)
{
    TEST_ASSERT_NOT_NULL(strstr(get("greet", "{\"who\":\"a\"}"), "\"description\":\"Says hello\","));
    TEST_ASSERT_NULL(strstr(get("plain", ""), "description"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(arguments_take_their_places);
    RUN_TEST(what_is_not_given_and_not_required_is_empty);
    RUN_TEST(values_are_escaped_where_json_wants_it);
    RUN_TEST(a_prompt_without_arguments_needs_none_and_ignores_others);
    RUN_TEST(a_required_argument_that_is_missing_is_named);
    RUN_TEST(an_argument_that_is_no_string_is_named);
    RUN_TEST(unknown_prompts_are_named);
    RUN_TEST(the_description_comes_along_when_there_is_one);
    return UNITY_END();
}
