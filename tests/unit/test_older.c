/* test_older.c -- descriptions without what an older version does not know, as texts that nobody has tidied up. What
 * images have is in tests/wire/versions.txt. Defect 11. */
#include <stdlib.h>
#include <string.h>

#include "response/older.h"
#include "sample.h"
#include "unity.h"

static struct skr_response response;

void setUp(void)
{
}

void tearDown(void)
{
}

/* What is pushed of a text, which lies at the end of its memory. */
static const char *shown(const char *json, size_t n, bool tool, uint8_t version)
{
    static char out[4096];
    size_t used = 0;
    char *exact = sample_exact_copy(json, n);

    memset(&response, 0, sizeof response);
    response.envelope.version = version;
    skri_push_described(&response, tool, exact, n);
    TEST_ASSERT_LESS_OR_EQUAL_UINT(SKR_PIECES - 1, response.pieces.queued); /* one is left for a brace */
    for (unsigned i = 0; i < response.pieces.queued; i++) {
        memcpy(out + used, response.pieces.queue[i].p, response.pieces.queue[i].n);
        used += response.pieces.queue[i].n;
    }
    out[used] = '\0';
    free(exact);
    return out;
}

static void blanks_and_places_do_not_matter(void)
{
    static const struct {
        const char *json, *old;
    } fields[] = {
        {"{\"title\":1}", "{}"},
        {"{\"title\":1,\"uri\":2}", "{\"uri\":2}"},
        {"{\"uri\":2,\"title\":1}", "{\"uri\":2}"},
        {"{\"title\":1,\"_meta\":{},\"uri\":2,\"icons\":[{}],\"title\":[\"}\"]}", "{\"uri\":2}"},
        {"{ \"uri\" : 2 , \"title\" : \"a\\\\\\\"}\" }", "{ \"uri\" : 2 }"},
        {"{ \"title\": 1, \"uri\": 2 }", "{  \"uri\": 2 }"},
        {"{\"uri\":\"title\",\"name\":\"\\\"title\\\":1,\"}", "{\"uri\":\"title\",\"name\":\"\\\"title\\\":1,\"}"},
        {"{\"a\":[{\"title\":1,\"b\":2},{\"b\":2,\"title\":1}],\"title\":1,\"c\":{}}",
         "{\"a\":[{\"b\":2},{\"b\":2}],\"c\":{}}"},
        {"{\"annotations\":{\"audience\":[\"user\",\"assistant\"],\"lastModified\":\"x\"}}",
         "{\"annotations\":{\"audience\":[\"user\",\"assistant\"]}}"},
        {",\"title\":1", ""},
        {",\"title\":1,\"a\":2", ",\"a\":2"},
        {"\"title\":1,\"a\":2", "\"a\":2"},
        {"\"a\":2,\"title\":1", "\"a\":2"},
        {"{\"titles\":1,\"titl\":2}", "{\"titles\":1,\"titl\":2}"},
    };

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *json = fields[i].json;
        TEST_ASSERT_EQUAL_STRING(fields[i].old, shown(json, strlen(json), false, SKR_V_2024_11_05));
        TEST_ASSERT_EQUAL_STRING(json, shown(json, strlen(json), false, SKR_V_2025_11_25));
        TEST_ASSERT_EQUAL_STRING(json, shown(json, strlen(json), false, SKR_V_NONE)); /* 2026-07-28 */
    }
}

static void what_is_no_json_is_not_read_beyond_its_end(void)
{
    static const char text[] = "{\"title\":\"a\\\"\",\"b\":[{\"title\":1,\"c\":\"\\u0041\"}],\"icons\":[[]],\"d\":\"\\";

    for (size_t n = 0; n < sizeof text; n++) {
        for (size_t from = 0; from <= n; from++) {
            (void)shown(text + from, n - from, false, SKR_V_2024_11_05);
            (void)shown(text + from, n - from, true, SKR_V_2024_11_05);
        }
    }
}

/* There are only so many pieces: what does not fit is left in, and all of it is sent. */
static void more_than_can_be_left_out_is_sent(void)
{
    char json[2048] = "{\"a\":[", member[] = "{\"n\":1,\"title\":2},";

    for (unsigned i = 0; i < 50; i++) {
        strcat(json, member);
    }
    strcat(json, "0]}");
    const char *text = shown(json, strlen(json), false, SKR_V_2024_11_05);
    TEST_ASSERT_EQUAL_STRING_LEN("{\"a\":[{\"n\":1},{\"n\":1},", text, 22);
    TEST_ASSERT_EQUAL_STRING("{\"n\":1,\"title\":2},0]}", text + strlen(text) - 21);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(blanks_and_places_do_not_matter);
    RUN_TEST(what_is_no_json_is_not_read_beyond_its_end);
    RUN_TEST(more_than_can_be_left_out_is_sent);
    return UNITY_END();
}
