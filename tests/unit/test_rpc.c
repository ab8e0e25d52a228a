/* test_rpc.c -- the envelope: which messages are requests, how ids are repeated, and which era a
 * request belongs to. */
#include <stdio.h>
#include <stdlib.h>
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

static void starts_with(const char *expected, const char *request)
{
    const char *response = peer_exchange(request);

    TEST_ASSERT_EQUAL_MESSAGE(0, strncmp(response, expected, strlen(expected)), response);
}

static void contains(const char *expected, const char *request)
{
    const char *response = peer_exchange(request);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, expected), response);
}

static void an_id_is_repeated_as_it_was_written(void)
{
    static const char *const ids[] = {
        "0",    "-1",    "7",          "1767225600000", "9007199254740991", "123456789012345678901234567890",
        "\"\"", "\"a\"", "\"a\\\"b\"", "\"\\u0041\"",   "\"\\ud800\"",      "\"\xC3\xA9\"",
        "\"7\""};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char request[256], expected[256];
        snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}\n", ids[i]);
        snprintf(expected, sizeof expected, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n", ids[i]);
        TEST_ASSERT_EQUAL_STRING(expected, peer_exchange(request));
    }
}

static void an_id_of_another_kind_is_refused_and_not_repeated(void)
{
    static const char *const ids[] = {"null", "true", "1.5", "1e3", "-0.0", "[]", "{}", "[1]", "{\"id\":1}"};

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        char request[256];
        snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}\n", ids[i]);
        starts_with("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32600", request);
    }
}

static void what_is_no_json_gets_a_parse_error_without_id(void)
{
    static const char *const bad[] = {"x\n",        "{\n",    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"\n",
                                      "{'id':1}\n", "\xFF\n", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}}\n",
                                      "\x01\n",     "nul\n",  "{} {}\n"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        starts_with("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700", bad[i]);
    }
}

static void json_that_is_no_message_is_an_invalid_request(void)
{
    static const char *const bad[] = {"1\n",
                                      "\"x\"\n",
                                      "null\n",
                                      "true\n",
                                      "-1.5e3\n",
                                      "[]\n",
                                      "{}\n",
                                      "[{}]\n",
                                      " 5 \n",
                                      "{\"id\":1,\"method\":\"ping\"}\n",
                                      "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}\n",
                                      "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}\n",
                                      "{\"jsonrpc\":\"2.0\",\"id\":1}\n",
                                      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}\n",
                                      "{\"jsonrpc\":\"2.0\",\"method\":null}\n"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        contains("\"error\":{\"code\":-32600", bad[i]);
    }
    contains("A message must be a JSON object", "5\n");
    contains("A message must be a JSON object", "\"x\"\n");
}

static void an_id_that_can_be_read_is_repeated_even_then(void)
{
    starts_with("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":", "{\"id\":1,\"method\":\"ping\"}\n");
    starts_with("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"error\":", "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":5}\n");
}

static void the_order_of_members_does_not_matter(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{}}\n",
        peer_exchange("{\"params\":{\"x\":[{}]},\"method\":\"ping\",\"other\":null,\"id\":5,\"jsonrpc\":\"2.0\"}\n"));
}

static void of_members_given_twice_the_last_counts(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n",
        peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nope\",\"id\":2,\"method\":\"ping\"}\n"));
}

static void escaped_member_names_are_the_same_members(void)
{
    TEST_ASSERT_EQUAL_STRING(
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}\n",
        peer_exchange("{\"\\u006asonrpc\":\"2\\u002e0\",\"i\\u0064\":3,\"metho\\u0064\":\"pin\\u0067\"}\n"));
}

static void params_that_are_no_object_are_refused(void)
{
    static const char *const bad[] = {"[]", "null", "1", "\"x\"", "true", "[{}]"};

    peer_initialize(NULL);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char request[128];
        snprintf(request, sizeof request, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":%s}\n",
                 bad[i]);
        contains("\"error\":{\"code\":-32602", request);
    }
}

static void a_modern_request_is_told_what_its_meta_lacks(void)
{
    contains("io.modelcontextprotocol/clientCapabilities",
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
             "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}\n");
    contains("io.modelcontextprotocol/protocolVersion",
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
             "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n");
    contains("\"code\":-32602", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                                "\"io.modelcontextprotocol/protocolVersion\":5,\"io.modelcontextprotocol/"
                                "clientCapabilities\":{}}}}\n");
}

static void a_modern_request_may_name_one_of_the_eight_log_levels(void)
{
    static const char *const levels[] = {"debug", "info",     "notice", "warning",
                                         "error", "critical", "alert",  "emergency"};
    char request[512];
    static const char form[] =
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
        "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{},\"io.modelcontextprotocol/logLevel\":%s}}}\n";

    for (size_t i = 0; i < 8; i++) {
        char quoted[16];
        snprintf(quoted, sizeof quoted, "\"%s\"", levels[i]);
        snprintf(request, sizeof request, form, quoted);
        contains("\"result\":{", request);
    }
    static const char *const bad[] = {"\"loud\"", "\"\"", "1", "null", "{}", "\"Debug\"", "\"warn\\u0000\""};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        snprintf(request, sizeof request, form, bad[i]);
        contains("\"error\":{\"code\":-32602", request);
    }
}

static void every_modern_result_is_complete_and_names_the_device(void)
{
    const char *response = peer_exchange(peer_modern("skills/list", ""));

    TEST_ASSERT_NOT_NULL(strstr(response, "\"result\":{\"resultType\":\"complete\","));
    TEST_ASSERT_NOT_NULL(strstr(response, "\"ttlMs\":3600000,\"cacheScope\":\"public\""));
    TEST_ASSERT_NOT_NULL(
        strstr(response, "\"io.modelcontextprotocol/serverInfo\":{\"name\":\"sample\",\"version\":\"1\"}"));
}

static void an_older_result_has_none_of_that(void)
{
    peer_initialize(NULL);
    const char *response = peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"skills/list\"}\n");
    TEST_ASSERT_NULL(strstr(response, "resultType"));
    TEST_ASSERT_NULL(strstr(response, "ttlMs"));
    TEST_ASSERT_NULL(strstr(response, "_meta"));
}

static void both_eras_may_alternate_on_one_connection(void)
{
    peer_initialize(NULL);
    for (int i = 0; i < 3; i++) {
        contains("resultType", peer_modern("tools/list", ""));
        const char *response = peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n");
        TEST_ASSERT_NULL(strstr(response, "resultType"));
        TEST_ASSERT_NOT_NULL(strstr(response, "\"result\""));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(an_id_is_repeated_as_it_was_written);
    RUN_TEST(an_id_of_another_kind_is_refused_and_not_repeated);
    RUN_TEST(what_is_no_json_gets_a_parse_error_without_id);
    RUN_TEST(json_that_is_no_message_is_an_invalid_request);
    RUN_TEST(an_id_that_can_be_read_is_repeated_even_then);
    RUN_TEST(the_order_of_members_does_not_matter);
    RUN_TEST(of_members_given_twice_the_last_counts);
    RUN_TEST(escaped_member_names_are_the_same_members);
    RUN_TEST(params_that_are_no_object_are_refused);
    RUN_TEST(a_modern_request_is_told_what_its_meta_lacks);
    RUN_TEST(a_modern_request_may_name_one_of_the_eight_log_levels);
    RUN_TEST(every_modern_result_is_complete_and_names_the_device);
    RUN_TEST(an_older_result_has_none_of_that);
    RUN_TEST(both_eras_may_alternate_on_one_connection);
    return UNITY_END();
}
