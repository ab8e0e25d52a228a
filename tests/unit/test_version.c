/* test_version.c -- which protocol revisions are versions, and what each era is offered. */
#include <stdio.h>
#include <string.h>

#include "peer.h"
#include "response/version.h"
#include "unity.h"

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static const char *const versions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"};

static void every_revision_is_found_by_its_text_and_the_reverse(void)
{
    for (size_t i = 0; i < 5; i++) {
        uint8_t version = skri_version_find(skr_span_of(versions[i]));
        TEST_ASSERT_EQUAL(SKR_V_2024_11_05 + i, version); /* oldest first */
        TEST_ASSERT_EQUAL_STRING(versions[i], skri_version_text(version));
    }
}

static void other_texts_name_no_revision(void)
{
    static const char *const bad[] = {"",     "2024-11-0", "2024-11-050", "2024-11-06",
                                      "2025", "latest",    "2026-07-28 ", "0000-00-00"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        TEST_ASSERT_EQUAL(SKR_V_NONE, skri_version_find(skr_span_of(bad[i])));
    }
}

static void the_list_told_to_clients_is_the_list_that_is_found(void)
{
    for (size_t i = 0; i < 5; i++) {
        char quoted[16];
        snprintf(quoted, sizeof quoted, "\"%s\"", versions[i]);
        TEST_ASSERT_NOT_NULL(strstr(skri_versions_json, quoted));
    }
}

static const char *initialize(const char *version)
{
    char text[256];

    snprintf(text, sizeof text,
             "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\","
             "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}\n",
             version);
    return peer_exchange(text);
}

static void initialize_agrees_to_every_older_revision(void)
{
    for (size_t i = 0; i < 4; i++) {
        char expected[64];
        snprintf(expected, sizeof expected, "\"protocolVersion\":\"%s\"", versions[i]);
        const char *response = initialize(versions[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, expected), response);
    }
}

static void initialize_offers_its_newest_for_what_it_does_not_know(void)
{
    static const char *const asked[] = {"2026-07-28", "1999-01-01", "", "3000-01-01", "x\\u0000"};

    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        const char *response = initialize(asked[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"protocolVersion\":\"2025-11-25\""), response);
    }
}

static void a_modern_request_of_another_revision_is_told_the_list(void)
{
    const char *response =
        peer_exchange("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
                      "\"io.modelcontextprotocol/protocolVersion\":\"2999-01-01\","
                      "\"io.modelcontextprotocol/clientCapabilities\":{}}}}\n");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"code\":-32022"), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, skri_versions_json), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"requested\":\"2999-01-01\""), response);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_revision_is_found_by_its_text_and_the_reverse);
    RUN_TEST(other_texts_name_no_revision);
    RUN_TEST(the_list_told_to_clients_is_the_list_that_is_found);
    RUN_TEST(initialize_agrees_to_every_older_revision);
    RUN_TEST(initialize_offers_its_newest_for_what_it_does_not_know);
    RUN_TEST(a_modern_request_of_another_revision_is_told_the_list);
    return UNITY_END();
}
