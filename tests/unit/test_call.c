/* test_call.c -- what tools and firmware resources read and write, seen from the wire. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

#define BAD "\xEF\xBF\xBD" /* U+FFFD */

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

/* The text of a tool's result, with " (failed)" after it when isError is set. */
static const char *call_tool(const char *name, const char *arguments)
{
    static char text[2 * SKR_OUTPUT_MAX + 100];
    char members[512];

    snprintf(members, sizeof members, "\"name\":\"%s\",\"arguments\":{%s}", name, arguments);
    const char *response = peer_exchange(peer_modern("tools/call", members));
    const char *start = strstr(response, "\"text\":\""), *end = strstr(response, "\"}]");
    TEST_ASSERT_TRUE_MESSAGE(start != NULL && end != NULL, response);
    snprintf(text, sizeof text, "%.*s%s", (int)(end - start - 8), start + 8,
             strstr(end, "\"isError\":true") != NULL ? " (failed)" : "");
    return text;
}

/* ---- Arguments (test_args.c has the rest) ---- */

static void strings_are_decoded(void)
{
    TEST_ASSERT_EQUAL_STRING("hi", call_tool("echo", "\"string\":\"hi\""));
    TEST_ASSERT_EQUAL_STRING("a\\\"\\n\xC3\xA9", call_tool("echo", "\"string\":\"a\\\"\\u000a\\u00e9\""));
}

static void a_tool_may_be_called_without_arguments(void)
{
    const char *response = peer_exchange(peer_modern("tools/call", "\"name\":\"echo\""));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"text\":\"absent\""), response);
}

static void arguments_that_are_no_object_are_refused(void)
{
    static const char *const bad[] = {"[]", "1", "\"x\"", "null", "true"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char members[64];
        snprintf(members, sizeof members, "\"name\":\"echo\",\"arguments\":%s", bad[i]);
        const char *response = peer_exchange(peer_modern("tools/call", members));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32602"), response);
    }
}

static void a_tool_needs_both_a_record_and_a_handler(void)
{
    static const char *const names[] = {"orphan", "ghost", "nope", "", "ech", "echo2", "echo\\u0000"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char members[64];
        snprintf(members, sizeof members, "\"name\":\"%s\"", names[i]);
        const char *response = peer_exchange(peer_modern("tools/call", members));
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "No such tool: "), response);
    }
}

/* ---- Output ---- */

static void numbers_are_put_exactly(void)
{
    TEST_ASSERT_EQUAL_STRING("0 0.00 -3.05 0.005 -0.5 2147483647 -2147483648 -2.147483648 -2147483.648 2.147483647 "
                             "0.000000001 1.00",
                             call_tool("numbers", ""));
}

static void a_failure_discards_what_was_put_before_and_keeps_what_comes_after(void)
{
    TEST_ASSERT_EQUAL_STRING("valve is locked (failed)", call_tool("fail", ""));
}

static void output_up_to_the_limit_is_sent_whole(void)
{
    char arguments[32];

    for (int n = SKR_OUTPUT_MAX - 8; n <= SKR_OUTPUT_MAX; n++) {
        snprintf(arguments, sizeof arguments, "\"n\":%d", n);
        TEST_ASSERT_EQUAL(n, strlen(call_tool("flood", arguments)));
    }
    TEST_ASSERT_EQUAL_STRING("", call_tool("flood", "\"n\":0"));
}

static void output_beyond_the_limit_is_a_failure_that_names_it(void)
{
    char arguments[32];

    for (int n = SKR_OUTPUT_MAX + 1; n <= SKR_OUTPUT_MAX + 9; n++) {
        snprintf(arguments, sizeof arguments, "\"n\":%d", n);
        TEST_ASSERT_EQUAL_STRING("the result exceeds SKR_OUTPUT_MAX (16384 bytes) (failed)",
                                 call_tool("flood", arguments));
    }
    snprintf(arguments, sizeof arguments, "\"n\":%d", 10 * SKR_OUTPUT_MAX);
    TEST_ASSERT_EQUAL_STRING("the result exceeds SKR_OUTPUT_MAX (16384 bytes) (failed)", call_tool("flood", arguments));
    TEST_ASSERT_EQUAL_STRING("absent", call_tool("echo", "")); /* and the next call knows nothing of it */
}

static void bytes_that_are_no_utf8_become_replacement_characters(void)
{
    TEST_ASSERT_EQUAL_STRING("a" BAD "z \xC3\xA9 " BAD BAD " " BAD BAD BAD " " BAD BAD BAD BAD " cut " BAD BAD,
                             call_tool("garble", ""));
}

/* ---- What the client can do ---- */

static void a_tool_that_needs_what_the_client_lacks_is_refused_with_its_own_code(void)
{
    const char *response = peer_exchange(peer_modern("tools/call", "\"name\":\"need\""));

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32021"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"requiredCapabilities\":{\"sampling\":{}}"), response);
    TEST_ASSERT_NULL(strstr(response, "\"result\""));
}

static void a_tool_that_needs_what_the_client_has_runs(void)
{
    const char *response = peer_exchange(
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"need\",\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{\"sampling\":{}}}}}\n");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"text\":\"granted\""), response);
}

static void in_the_older_era_the_need_is_a_failed_result(void)
{
    peer_initialize(NULL);
    const char *response =
        peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"need\"}}\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"isError\":true"), response);
}

/* ---- Resources ---- */

static const char *read_resource(const char *uri)
{
    char members[256];

    snprintf(members, sizeof members, "\"uri\":\"%s\"", uri);
    return peer_exchange(peer_modern("resources/read", members));
}

static void a_made_resource_is_sent_as_text_or_as_a_blob(void)
{
    const char *response = read_resource("test://fixed");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"text\":\"level \\\"7\\\"\\n\""), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"ttlMs\":0"), response); /* made at this moment */
    response = read_resource("test://bytes");
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"blob\":\"AAECAwQF"), response);
}

static void a_resource_that_says_not_found_is_not_found(void)
{
    TEST_ASSERT_NOT_NULL(strstr(read_resource("test://item/5"), "\"text\":\"item 5\""));
    TEST_ASSERT_NOT_NULL(strstr(read_resource("test://item/none"), "\"code\":-32602"));
}

static void a_resource_beyond_the_limit_is_an_error_that_names_it(void)
{
    const char *response = read_resource("test://flood");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32603"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "SKR_OUTPUT_MAX"), response);
}

static void a_resource_that_fails_is_an_error_with_its_words(void)
{
    const char *response = read_resource("test://sad");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32603"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "sensor \\\"3\\\" is " BAD " unplugged"), response);
}

static void a_resource_of_text_that_is_not_utf8_is_fixed_like_a_tool(void)
{
    const char *response = read_resource("test://garbled");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"text\":\"a" BAD "z \xC3\xA9 " BAD BAD " " BAD), response);
}

/* Defect 3: what a block begins with was sent as content, when a byte of the stack was not 0. */
static void a_resource_has_no_blocks_and_says_so(void)
{
    static const char *const blocks[] = {"text", "image", "audio", "resource", "structured", "link", "file"};

    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        char uri[64];
        snprintf(uri, sizeof uri, "test://item/%s", blocks[i]);
        const char *response = read_resource(uri);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32603"), response);
        TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(response, "The device says: its handler begins a block; a resource has one content\""), response);
    }
    TEST_ASSERT_NOT_NULL(strstr(read_resource("test://item/5"), "\"text\":\"item 5\""));
}

static void a_resource_that_needs_what_the_client_lacks_is_refused(void)
{
    const char *response = read_resource("test://needy");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32021"), response);
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "\"result\""), response);
}

static void the_version_is_the_same_as_text_and_as_a_number(void)
{
    char text[32];
    int number = SKR_VERSION_NUMBER;

    snprintf(text, sizeof text, "%d.%d.%d", number / 10000, number / 100 % 100, number % 100);
    TEST_ASSERT_EQUAL_STRING(SKR_VERSION, text);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(strings_are_decoded);
    RUN_TEST(a_tool_may_be_called_without_arguments);
    RUN_TEST(arguments_that_are_no_object_are_refused);
    RUN_TEST(a_tool_needs_both_a_record_and_a_handler);
    RUN_TEST(numbers_are_put_exactly);
    RUN_TEST(a_failure_discards_what_was_put_before_and_keeps_what_comes_after);
    RUN_TEST(output_up_to_the_limit_is_sent_whole);
    RUN_TEST(output_beyond_the_limit_is_a_failure_that_names_it);
    RUN_TEST(bytes_that_are_no_utf8_become_replacement_characters);
    RUN_TEST(a_tool_that_needs_what_the_client_lacks_is_refused_with_its_own_code);
    RUN_TEST(a_tool_that_needs_what_the_client_has_runs);
    RUN_TEST(in_the_older_era_the_need_is_a_failed_result);
    RUN_TEST(a_made_resource_is_sent_as_text_or_as_a_blob);
    RUN_TEST(a_resource_that_says_not_found_is_not_found);
    RUN_TEST(a_resource_beyond_the_limit_is_an_error_that_names_it);
    RUN_TEST(a_resource_that_fails_is_an_error_with_its_words);
    RUN_TEST(a_resource_of_text_that_is_not_utf8_is_fixed_like_a_tool);
    RUN_TEST(a_resource_has_no_blocks_and_says_so);
    RUN_TEST(a_resource_that_needs_what_the_client_lacks_is_refused);
    RUN_TEST(the_version_is_the_same_as_text_and_as_a_number);
    return UNITY_END();
}
