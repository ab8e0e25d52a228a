/* test_method.c -- the method table: every method answers in its eras and in no other, and
 * a feature that the device lacks takes its methods away. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "unity.h"

/* Every method there is, with the eras that have it; `params` are good ones. */
static const struct {
    const char *name;
    bool legacy, modern;
    const char *params;
} methods[] = {
    {"completion/complete", true, true,
     "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},\"argument\":{\"name\":\"who\",\"value\":\"\"}"},
    {"events/list", false, false, ""}, /* SKR_EVENTS is off; nor for the next */
    {"events/poll", false, false, ""},
    {"initialize", true, false,
     "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":"
     "\"1\"}"},
    {"logging/setLevel", true, false, "\"level\":\"info\""},
    {"ping", true, false, ""},
    {"prompts/get", true, true, "\"name\":\"plain\""},
    {"prompts/list", true, true, ""},
    {"resources/directory/read", true, true, "\"uri\":\"skill://alpha\""},
    {"resources/list", true, true, ""},
    {"resources/read", true, true, "\"uri\":\"skill://alpha/SKILL.md\""},
    {"resources/subscribe", true, false, "\"uri\":\"skill://alpha/SKILL.md\""},
    {"resources/templates/list", true, true, ""},
    {"resources/unsubscribe", true, false, "\"uri\":\"skill://alpha/SKILL.md\""},
    {"server/discover", false, true, ""},
    {"skillrom/update/begin", false, false, ""}, /* the sample has no updater; nor for these */
    {"skillrom/update/blocks", false, false, ""},
    {"skillrom/update/commit", false, false, ""},
    {"skillrom/update/confirm", false, false, ""},
    {"skillrom/update/revert", false, false, ""},
    {"skillrom/update/status", false, false, ""},
    {"skillrom/update/write", false, false, ""},
    {"skills/activate", true, true, "\"name\":\"alpha\""},
    {"skills/execute", false, false, ""}, /* the sample has no handler for its script */
    {"skills/get", true, true, "\"uri\":\"skill://alpha/SKILL.md\""},
    {"skills/list", true, true, ""},
    {"skills/read", true, true, "\"name\":\"alpha\""},
    {"skills/read_reference", true, true, "\"name\":\"alpha\",\"reference\":\"long.txt\""},
    {"subscriptions/listen", false, true, "\"notifications\":{}"},
    {"tasks/cancel", false, false, ""}, /* the sample has no tool that may be a task; nor for these */
    {"tasks/get", false, false, ""},
    {"tasks/list", false, false, ""},
    {"tasks/result", false, false, ""},
    {"tasks/update", false, false, ""},
    {"tools/call", true, true, "\"name\":\"echo\""},
    {"tools/list", true, true, ""},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

void setUp(void)
{
    peer_start(SKR_LINE, 0);
}

void tearDown(void)
{
}

static const char *exchange_legacy(const char *method, const char *params)
{
    char text[1024];

    snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s}}\n", method, params);
    return peer_exchange(text);
}

static bool has_result(const char *response)
{
    return strstr(response, "\"result\":{") != NULL && strstr(response, "\"error\"") == NULL;
}

static bool is_unknown(const char *response)
{
    return strstr(response, "\"code\":-32601") != NULL && strstr(response, "\"result\"") == NULL;
}

static void every_method_responds_in_its_eras_only(void)
{
    peer_initialize(NULL);
    for (size_t i = 0; i < METHODS; i++) {
        const char *response = exchange_legacy(methods[i].name, methods[i].params);
        TEST_ASSERT_TRUE_MESSAGE(methods[i].legacy ? has_result(response) : is_unknown(response), response);
        response = peer_exchange(peer_modern(methods[i].name, methods[i].params));
        TEST_ASSERT_TRUE_MESSAGE(methods[i].modern ? has_result(response) : is_unknown(response), response);
    }
}

static void before_initialize_only_initialize_and_ping_are_answered_in_the_older_era(void)
{
    for (size_t i = 0; i < METHODS; i++) {
        peer_open(SKR_LINE);
        bool first = strcmp(methods[i].name, "initialize") == 0 || strcmp(methods[i].name, "ping") == 0;
        const char *response = exchange_legacy(methods[i].name, methods[i].params);
        TEST_ASSERT_EQUAL_MESSAGE(first, has_result(response), response);
    }
}

static void a_modern_request_needs_no_initialize(void)
{
    for (size_t i = 0; i < METHODS; i++) {
        peer_open(SKR_LINE);
        if (methods[i].modern) {
            const char *response = peer_exchange(peer_modern(methods[i].name, methods[i].params));
            TEST_ASSERT_TRUE_MESSAGE(has_result(response), response);
        }
    }
}

static void names_that_only_resemble_a_method_are_unknown(void)
{
    char name[64];

    peer_initialize(NULL);
    for (size_t i = 0; i < METHODS; i++) {
        size_t n = strlen(methods[i].name);
        snprintf(name, sizeof name, "%.*s", (int)(n - 1), methods[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_unknown(exchange_legacy(name, methods[i].params)), name);
        snprintf(name, sizeof name, "%sx", methods[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_unknown(exchange_legacy(name, methods[i].params)), name);
        snprintf(name, sizeof name, "%s\\u0000", methods[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_unknown(exchange_legacy(name, methods[i].params)), name);
        snprintf(name, sizeof name, "%s", methods[i].name);
        name[0] = (char)toupper((unsigned char)name[0]);
        TEST_ASSERT_TRUE_MESSAGE(is_unknown(exchange_legacy(name, methods[i].params)), name);
    }
    TEST_ASSERT_TRUE(is_unknown(exchange_legacy("", "")));
    TEST_ASSERT_TRUE(is_unknown(exchange_legacy("/", "")));
}

static void an_escaped_method_name_is_the_same_method(void)
{
    TEST_ASSERT_TRUE(has_result(exchange_legacy("\\u0070\\u0069ng", "")));
    TEST_ASSERT_TRUE(has_result(peer_exchange(peer_modern("tools\\/list", ""))));
}

static void an_unknown_method_is_named_in_the_error_and_cut_when_long(void)
{
    char name[700], expected[300];

    peer_initialize(NULL);
    TEST_ASSERT_NOT_NULL(strstr(exchange_legacy("no\\\"pe", ""), "\"message\":\"No such method: no\\\"pe\""));
    memset(name, 'a', 400);
    name[400] = '\0';
    snprintf(expected, sizeof expected, ": %.*s\"", SKR_QUOTE_MAX, name);
    TEST_ASSERT_NOT_NULL(strstr(exchange_legacy(name, ""), expected));
    for (size_t i = 0; i < 200; i++) { /* two bytes each, from an odd place: the cut falls between them */
        memcpy(name + 1 + 2 * i, "\xC3\xA9", 2);
    }
    name[401] = '\0';
    snprintf(expected, sizeof expected, ": %.*s\"", SKR_QUOTE_MAX - 1, name);
    TEST_ASSERT_NOT_NULL(strstr(exchange_legacy(name, ""), expected));
}

/* ---- A device that lacks something ---- */

static void start_bare(const struct skr_device *device)
{
    struct romfs_header *h;
    char *copy = sample_exact_copy(peer.image.p, peer.image.n); /* lives as long as the test program */

    h = (void *)copy;
    h->flags = ROMFS_NO_SKILL_TOOLS | ROMFS_NO_SKILL_PROMPTS;
    h->tools.count = h->prompts.count = h->prompt_parts.count = 0;
    struct romfs_skill *skills = (void *)(copy + h->skills.off);
    struct romfs_file *files = (void *)(copy + h->files.off);
    for (uint32_t i = 0; i < h->skills.count; i++) { /* nothing may point to what is gone */
        skills[i].tool_links = skills[i].prompt_links = skills[i].skill_links = 0;
    }
    for (uint32_t i = 0; i < h->files.count; i++) {
        files[i].kind = ROMFS_ASSET;
        files[i].tool = ROMFS_NONE;
    }
    size_t from = offsetof(struct romfs_header, version);
    h->crc = romfs_crc32(0, copy + from, h->meta_size - from);
    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, device, copy, peer.image.n));
    peer_open(SKR_LINE);
}

static void without_tools_and_prompts_their_methods_are_unknown_and_not_declared(void)
{
    start_bare(&sample_device);
    TEST_ASSERT_TRUE(is_unknown(peer_exchange(peer_modern("tools/list", ""))));
    TEST_ASSERT_TRUE(is_unknown(peer_exchange(peer_modern("tools/call", "\"name\":\"echo\""))));
    TEST_ASSERT_TRUE(is_unknown(peer_exchange(peer_modern("prompts/list", ""))));
    TEST_ASSERT_TRUE(is_unknown(peer_exchange(peer_modern("prompts/get", "\"name\":\"plain\""))));
    const char *response = peer_exchange(peer_modern("server/discover", ""));
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "\"tools\""), response);
    TEST_ASSERT_NULL_MESSAGE(strstr(response, "\"prompts\""), response);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"resources\""), response);
}

/* What is left are those of the server's own. */
static void tools_that_only_the_image_has_are_no_tools(void)
{
    static const struct skr_device nothing;

    TEST_ASSERT_EQUAL(0, skr_server_init(&peer.server, &nothing, peer.image.p, peer.image.n));
    peer_open(SKR_LINE);
    const char *response = peer_exchange(peer_modern("tools/list", ""));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, "\"tools\":[{\"name\":\"list_skills\""), response);
}

static void what_is_declared_gets_a_response(void)
{
    const char *response = peer_exchange(peer_modern("server/discover", ""));
    static const char *const declared[] = {"\"resources\":{", "\"tools\":{", "\"prompts\":{", "\"completions\":{",
                                           "\"io.modelcontextprotocol/skills\":{"};

    for (size_t i = 0; i < sizeof declared / sizeof declared[0]; i++) {
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(response, declared[i]), response);
    }
}

/* ---- The table in the source ---- */

/* Sorted rows are found at a glance; the table is read as text because it is private. */
static void the_rows_of_the_table_are_sorted(void)
{
    char line[256], before[64] = "", name[64];
    unsigned rows = 0;
    FILE *source = fopen("core/mcp/method_rows.h", "r");

    TEST_ASSERT_NOT_NULL_MESSAGE(source, "run the tests from the top folder");
    while (fgets(line, sizeof line, source) != NULL) {
        const char *quote = strchr(line, '"');
        if (strncmp(line, "SKR_METHOD(\"", 12) == 0 && quote != NULL && sscanf(quote, "\"%63[^\"]\"", name) == 1) {
            TEST_ASSERT_LESS_THAN_MESSAGE(0, strcmp(before, name), name);
            strcpy(before, name);
            rows++;
        }
    }
    fclose(source);
    TEST_ASSERT_EQUAL_MESSAGE(METHODS, rows, "a new method wants a row in this test");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(every_method_responds_in_its_eras_only);
    RUN_TEST(before_initialize_only_initialize_and_ping_are_answered_in_the_older_era);
    RUN_TEST(a_modern_request_needs_no_initialize);
    RUN_TEST(names_that_only_resemble_a_method_are_unknown);
    RUN_TEST(an_escaped_method_name_is_the_same_method);
    RUN_TEST(an_unknown_method_is_named_in_the_error_and_cut_when_long);
    RUN_TEST(without_tools_and_prompts_their_methods_are_unknown_and_not_declared);
    RUN_TEST(tools_that_only_the_image_has_are_no_tools);
    RUN_TEST(what_is_declared_gets_a_response);
    RUN_TEST(the_rows_of_the_table_are_sorted);
    return UNITY_END();
}
